import Documents
import Effects
import OrderedCollections

/// A run that was read from a trace.
///
/// All secrets are masked. Text can come from servers and files, so reports must escape it. Lists have the same order
/// as the trace and refer to each other by index.
package struct TracedRun: Sendable {
  package struct Scenario: Sendable {
    package var name: String
    /// The result: `passed`, `failed`, or `error`. Nil if the trace ends before the result.
    package var outcome: String?
    /// The failed expectations.
    package var broken: [String]
  }

  package struct Ending: Sendable {
    package var time: Instant
    package var outcome: String
    /// The reason why the run failed.
    package var reason: String?
    /// The path in the format `step.outcome`, as in a scenario's `path`.
    package var path: [String]
    /// The number of times that the browser opened.
    package var interactions: Int
    /// The number of pages that the user saw. Nil in traces from earlier versions.
    package var pages: Int?
    /// The number of requests to each target, such as `token`, `authorize`, and `graph`.
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

  /// The trace format version.
  package var format: Int
  /// The name and version of the program, such as `authflow 0.1.0`.
  package var tool: String
  package var name: String
  /// The path to the workflow, as in the trace.
  package var file: String?
  /// The workflow's source, or nil if the trace does not contain it.
  package var source: String?
  /// The sources of nested workflows, by name.
  package var usedSources: OrderedDictionary<String, String>
  /// The state machine in the `DiagramJSON` format, or nil if the trace does not contain it.
  package var machine: JSON?
  /// The platform: `emulated`, `live`, or `replay`.
  package var platform: String
  /// Each app's resolved settings, by app name.
  package var settings: JSON
  /// The W3C trace ID that all live requests share, as 32 hexadecimal digits.
  package var traceID: String?
  package var scenario: Scenario?
  package var started: Instant
  /// The time of the last event.
  package var ended: Instant
  /// The end of the run. Nil if the trace ends before the run does.
  package var ending: Ending?

  // MARK: Events

  package var steps: [TracedStep] = []
  package var exchanges: [TracedExchange] = []
  package var interactions: [TracedInteraction] = []
  package var decisions: [TracedDecision] = []
  package var cacheWrites: [TracedCacheWrite] = []
  package var cacheReads: [TracedCacheRead] = []
  /// The tokens, in placeholder order.
  package var tokens: [TracedToken] = []
  package var unknown: [Unknown] = []
  /// The contents of the cache at the start of the run.
  package var cacheAtStart = TracedCache()

  // MARK: Queries

  /// Whether the run succeeded. A scenario succeeds if all expectations hold. Nil if the trace ends before the result.
  package var succeeded: Bool? {
    if let scenario { return scenario.outcome.map { $0 == "passed" } }
    return ending.map { $0.outcome == "success" }
  }

  /// The exit code for the run's result: 0, 1, or 130 after an interruption. It does not reflect environment errors.
  package var exitCode: Int? {
    ending?.outcome == "interrupted" ? 130 : succeeded.map { $0 ? 0 : 1 }
  }

  /// The steps without a parent.
  package var outermost: [Int] { steps.indices.filter { steps[$0].parent == nil } }

  /// Returns the decisions that explain a step's outcome. These are the step's own decisions, without details or
  /// the decisions of inner steps.
  package func reasons(ofStep step: Int) -> [TracedDecision] {
    steps[step].decisions.map { decisions[$0] }.filter { !$0.isDetail }
  }

  /// Returns the contents of the cache before an event.
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
