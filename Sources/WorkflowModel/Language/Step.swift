import Diagnostics
import Documents

/// A step of a workflow, which is a state in the workflow's state machine.
package struct Step: Sendable {
  /// The condition under which a step is executed.
  package enum Condition: Sendable {
    case always
    /// The step is executed only if an earlier step falls back to it, or if it is the target of an `on` entry.
    case fallback
    /// The step is executed only if all expectations hold.
    case holds([Expectation])
  }

  /// The target of an `on` entry.
  package enum Target: Hashable, Sendable {
    case step(String)
    case next, end, fail

    package init(_ text: String) {
      switch text {
      case "next": self = .next
      case "end": self = .end
      case "fail": self = .fail
      default: self = .step(text)
      }
    }

    package var text: String {
      switch self {
      case .step(let id): id
      case .next: "next"
      case .end: "end"
      case .fail: "fail"
      }
    }
  }

  /// An `on` entry, which maps an outcome, `internal`, or `error` to a target.
  package struct Handler: Sendable {
    package var outcome: OutcomeSelector
    package var target: Target
    /// The location of the outcome.
    package var place: FileSpan
    package var targetPlace: FileSpan
  }

  package var id: String
  /// Whether the step has an `id` key. Otherwise, its ID is the key of the step type.
  package var isNamed: Bool
  /// The location of the ID, or of the step type if there is no `id`.
  package var place: FileSpan
  package var kind: StepKind
  /// The key of the step type in the workflow, such as `interactive-fallback`.
  package var spelling: String
  package var action: StepAction
  package var when: Condition = .always
  package var on: [Handler] = []
  package var expect: [Expectation] = []
  package var capture: [Capture] = []
  package var retry: Retry?
  package var maxRuns: Int?
  package var timeout: Duration?
  package var client: Positioned<String>?
  /// The name of the client, without its location.
  package var clientName: String? { client?.value }
  package var user: UserBehaviors?
  package var description: String?
  package var tags: [String] = []
  /// The complete step in the document.
  package var node: Node

  package var isFallback: Bool {
    if case .fallback = when { true } else { false }
  }

  /// All outcomes that this step can have, including outcomes of inner steps in `parallel` and `use`.
  package var outcomes: [Outcome] {
    let innerOutcomes: [Outcome]
    switch action {
    case .parallel(let members):
      innerOutcomes = members.flatMap { $0.outcomes.filter { !$0.evaluatesExpect && $0.name != .skipped } }
    case .use(let use): innerOutcomes = use.workflow?.summary.failures ?? []
    default: return kind.outcomes
    }
    var outcomes = kind.outcomes
    for outcome in innerOutcomes where !outcomes.contains(where: { $0.name == outcome.name }) {
      // The inner steps have already taken their fallbacks and detours, so the outer step fails.
      outcomes.append(Outcome(outcome.name, outcome.sort, .fail, outcome.summary))
    }
    return outcomes
  }

  package func outcome(named name: OutcomeName) -> Outcome? { outcomes.first { $0.name == name } }

  /// Returns the outcome with the selected name, or nil if the step cannot have it or the selector is not an outcome
  /// name.
  package func outcome(selectedBy selector: OutcomeSelector) -> Outcome? {
    if case .outcome(let name) = selector { outcome(named: name) } else { nil }
  }

  /// Returns the `on` entry for an outcome, `internal`, or `error`.
  func handler(of outcome: OutcomeSelector) -> Handler? { on.first { $0.outcome == outcome } }

  func handler(of name: OutcomeName) -> Handler? { handler(of: .outcome(name)) }

  /// The matchers in `expect` for the step's outcome.
  var outcomeMatchers: [Matcher] {
    expect.compactMap { expectation in
      guard case .own = expectation.address.subject, expectation.address.field == ResultField.outcome.rawValue else {
        return nil
      }
      return expectation.matcher
    }
  }

  /// Returns whether `expect` specifies this outcome and thereby handles it.
  package func expects(outcome name: OutcomeName) -> Bool { evaluateOutcomeMatchers(name).contains(true) }

  /// Returns whether `expect` is evaluated for this outcome but requires a different outcome, so that the run ends with
  /// `violated`.
  package func excludes(outcome: Outcome) -> Bool {
    outcome.evaluatesExpect && evaluateOutcomeMatchers(outcome.name).contains(false)
  }

  /// Returns the results of the step's outcome matchers for the outcome `name`.
  private func evaluateOutcomeMatchers(_ name: OutcomeName) -> [Bool] {
    outcomeMatchers.compactMap { matcher in
      (try? matcher.evaluate(.value(.string(name.rawValue)), in: ValueScope()))?.holds
    }
  }
}

/// Retries of a step, such as `{attempts: 3, on: [offline], wait: 30s}`.
package struct Retry: Sendable {
  /// The maximum number of attempts, including the first.
  package var attempts: Int = 3
  /// The outcomes to retry, `internal`, or `error`. Nil for the transient errors.
  package var on: [Positioned<OutcomeSelector>]?
  /// The delay before the next attempt. If nil, the delay is the value of the response's `Retry-After` header. If the
  /// response does not have this header, the delay is one second and doubles with each attempt.
  package var wait: Duration?
  /// Whether the step has `retry: none`, which also turns off the built-in retries of API calls.
  package var isOff = false

  /// The transient errors, which are retried by default.
  package static let transient: Set<OutcomeName> = [.offline, .timedOut, .throttled, .serviceUnavailable]

  package static let fields = Fields<Retry>(
    "`retry`",
    [
      Field(
        "attempts", .integer(in: 1...1_000), into: { $0.attempts = $1 }, default: 3,
        "maximum number of attempts, including the first"),
      Field(
        "on", .listOrOne(of: Codec<OutcomeSelector>.outcomes.located), into: { $0.on = $1 },
        "outcomes to retry; transient errors by default"),
      Field(
        "wait", .durationText, into: { $0.wait = $1 },
        "delay before the next attempt; by default, as `Retry-After` specifies, or 1s, doubled for each attempt"),
    ])
}

extension Codec where Value == Retry {
  static var retry: Self {
    Self(expecting: "`none` or a mapping", schema: ["anyOf": [["const": "none"], Retry.fields.schema]]) {
      node, problems in
      var retry = Retry()
      if node.kind == .string {
        guard Codec<String>.oneOf(["none"]).read(node, &problems) != nil else { return nil }
        retry.attempts = 1
        retry.isOff = true
        return retry
      }
      return Retry.fields.read(node, into: &retry, &problems) ? retry : nil
    }
  }
}
