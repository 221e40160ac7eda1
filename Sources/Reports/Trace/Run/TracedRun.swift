import Documents
import Effects
import OrderedCollections

/// A recorded run as a value.
///
/// All secrets are masked. Texts can come from servers and files, so reports must escape them. Lists are in the order of the trace,
/// and refer to each other by index.
package struct TracedRun: Sendable {
  package struct Scenario: Sendable {
    package var name: String
    /// `passed`, `failed`, or `error`. Nil if the trace ends before the result.
    package var outcome: String?
    /// The failed expectations.
    package var broken: [String]
  }

  package struct Ending: Sendable {
    package var time: Instant
    package var outcome: String
    /// The reason that the run failed.
    package var reason: String?
    /// `step.outcome`, as in a scenario's `path`.
    package var path: [String]
    package var interactions: Int
    /// The number of requests by target: `token`, `authorize`, and `graph`.
    package var requests: [(target: String, count: Int)]
    package var duration: Duration?
  }

  /// An event of an unknown kind.
  package struct Unknown: Sendable {
    package var seq: Int
    package var time: Instant
    package var kind: String
    package var step: Int?
    package var members: JSON
  }

  // MARK: The run

  /// The version of the trace format.
  package var format: Int
  /// `authflow 0.1.0`.
  package var tool: String
  package var name: String
  /// The path of the workflow in the trace.
  package var file: String?
  /// The source of the workflow, or nil.
  package var source: String?
  /// The sources of used workflows by name.
  package var usedSources: OrderedDictionary<String, String>
  /// The state machine in the format of `DiagramJSON`, or nil.
  package var machine: JSON?
  /// `emulated`, `live`, or `replay`.
  package var platform: String
  /// The resolved settings of each app by name.
  package var settings: JSON
  /// The W3C trace ID of live requests, 32 hexadecimal digits.
  package var traceID: String?
  package var scenario: Scenario?
  package var started: Instant
  /// The time of the last event.
  package var ended: Instant
  /// Nil if the trace ends before the run.
  package var ending: Ending?

  // MARK: Events

  package var steps: [TracedStep] = []
  package var exchanges: [TracedExchange] = []
  package var interactions: [TracedInteraction] = []
  package var decisions: [TracedDecision] = []
  package var cacheWrites: [TracedCacheWrite] = []
  package var cacheReads: [TracedCacheRead] = []
  /// The tokens in the order of their placeholders.
  package var tokens: [TracedToken] = []
  package var unknown: [Unknown] = []
  /// The content of the cache at the start of the run.
  package var cacheAtStart = TracedCache()

  // MARK: Queries

  /// Whether the run succeeded, for a scenario as expected. Nil if the trace ends before the result.
  package var succeeded: Bool? {
    if let scenario { return scenario.outcome.map { $0 == "passed" } }
    return ending.map { $0.outcome == "success" }
  }

  /// The exit code of the run without environment errors: 0, 1, or 130 after an interruption.
  package var exitCode: Int? {
    ending?.outcome == "interrupted" ? 130 : succeeded.map { $0 ? 0 : 1 }
  }

  /// The steps without a parent.
  package var outermost: [Int] { steps.indices.filter { steps[$0].parent == nil } }

  /// Whether an event precedes the first step, like preconditions.
  package func isGiven(seq: Int) -> Bool { steps.first.map { seq < $0.startedSeq } ?? true }

  /// Explains the outcome of a step: its own decisions without details and without those of inner steps.
  package func reasons(ofStep step: Int) -> [TracedDecision] {
    steps[step].decisions.map { decisions[$0] }.filter { !$0.isDetail }
  }

  /// The content of the cache before an event.
  package func cache(before seq: Int) -> TracedCache {
    var cache = cacheAtStart
    for write in cacheWrites where write.seq < seq {
      for change in write.changes { cache.apply(change) }
    }
    return cache
  }

  package func cache(beforeStep step: Int) -> TracedCache { cache(before: steps[step].startedSeq) }
  package func cache(afterStep step: Int) -> TracedCache { cache(before: steps[step].endedSeq ?? .max) }
  package var cacheAtEnd: TracedCache { cache(before: .max) }
}
