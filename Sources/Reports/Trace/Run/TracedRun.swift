import Documents
import Effects
import OrderedCollections

/// A recorded run as a value: what happened, in which step, why, and what came of it.
///
/// Everything is as the trace tells it, with its secrets masked; texts come from servers, people and other programs, and no
/// form may take them for markup. Lists hold everything in the order of the trace, and refer to each other by position.
package struct TracedRun: Sendable {
  package struct Scenario: Sendable {
    package var name: String
    /// `passed`, `failed` or `error`; nil where the trace ends before.
    package var outcome: String?
    /// What did not come true, in words.
    package var broken: [String]
  }

  package struct Ending: Sendable {
    package var time: Instant
    package var outcome: String
    /// Why it did not succeed, in a sentence.
    package var reason: String?
    /// `step.outcome`, as a scenario's `path` is written.
    package var path: [String]
    package var interactions: Int
    /// How many requests went to `token`, `authorize` and `graph`.
    package var requests: [(target: String, count: Int)]
    package var duration: Duration?
  }

  /// An event of a kind that this authflow does not know, kept as it is.
  package struct Unknown: Sendable {
    package var seq: Int
    package var time: Instant
    package var kind: String
    package var step: Int?
    package var members: JSON
  }

  // MARK: The run

  /// The version of the trace's form.
  package var format: Int
  /// `authflow 0.1.0`.
  package var tool: String
  package var name: String
  /// The workflow's file, as the trace names it.
  package var file: String?
  /// The workflow as it was written; nil where the trace does not carry it.
  package var source: String?
  /// The workflows that it uses, by the name that places have.
  package var usedSources: OrderedDictionary<String, String>
  /// The machine as `DiagramJSON` writes it; nil where the trace does not carry it.
  package var machine: JSON?
  /// `emulated`, `live` or `replay`.
  package var platform: String
  /// What each app's settings resolve to, by its name.
  package var settings: JSON
  /// The W3C trace id that live requests carried: 32 hexadecimal digits.
  package var traceID: String?
  package var scenario: Scenario?
  package var started: Instant
  /// The time of the last event.
  package var ended: Instant
  /// Nil where the trace ends before the run.
  package var ending: Ending?

  // MARK: What happened

  package var steps: [TracedStep] = []
  package var exchanges: [TracedExchange] = []
  package var interactions: [TracedInteraction] = []
  package var decisions: [TracedDecision] = []
  package var cacheWrites: [TracedCacheWrite] = []
  package var cacheReads: [TracedCacheRead] = []
  /// In the order in which their placeholders are met.
  package var tokens: [TracedToken] = []
  package var unknown: [Unknown] = []
  /// What the cache held when the run began, as far as the trace tells.
  package var cacheAtStart = TracedCache()

  // MARK: Questions

  /// Whether it went as it should: for a scenario, as it expects; nil where the trace ends before.
  package var succeeded: Bool? {
    if let scenario { return scenario.outcome.map { $0 == "passed" } }
    return ending.map { $0.outcome == "success" }
  }

  /// The exit code of a `run` that the surroundings let end: 0, 1, or 130 where it was interrupted.
  package var exitCode: Int? {
    ending?.outcome == "interrupted" ? 130 : succeeded.map { $0 ? 0 : 1 }
  }

  /// The steps that no other is around.
  package var outermost: [Int] { steps.indices.filter { steps[$0].parent == nil } }

  /// What happened before the first step: a scenario's givens.
  package func isGiven(seq: Int) -> Bool { steps.first.map { seq < $0.startedSeq } ?? true }

  /// Why the step ended as it did: its decisions, the details aside, and those of the steps inside it are not among them.
  package func reasons(ofStep step: Int) -> [TracedDecision] {
    steps[step].decisions.map { decisions[$0] }.filter { !$0.isDetail }
  }

  /// The cache before the event of that number: every write before it applied.
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
