import Diagnostics
import Documents

/// One state of a workflow.
package struct Step: Sendable {
  /// Under which circumstances the step is done when its turn comes.
  package enum Condition: Sendable {
    case always
    /// Only where an earlier step fell back on it, or an `on` led to it.
    case fallback
    /// Only where all of this holds.
    case holds([Expectation])
  }

  /// Where an `on` leads.
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

  /// One line of `on`: an outcome, or `internal` or `error`, and where it leads.
  package struct Handler: Sendable {
    package var outcome: String
    package var target: Target
    /// Where the outcome stands.
    package var place: FileSpan
    package var targetPlace: FileSpan
  }

  package var id: String
  /// Whether the document names it; otherwise the id is its kind's key.
  package var isNamed: Bool
  /// Where the id stands, or the kind where there is none.
  package var place: FileSpan
  package var kind: StepKind
  /// The kind's key as it is written: `interactive-fallback`.
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
  /// The same without its place.
  package var clientName: String? { client?.value }
  package var user: UserBehaviors?
  package var description: String?
  package var tags: [String] = []
  /// The whole step as it is written.
  package var node: Node

  package var isFallback: Bool {
    if case .fallback = when { true } else { false }
  }

  /// Everything that can become of this very step: for `parallel` and `use` what comes out of their insides.
  package var outcomes: [Outcome] {
    let inner: [Outcome]
    switch action {
    case .parallel(let members): inner = members.flatMap { $0.outcomes.filter { !$0.isJudged && $0.name != "skipped" } }
    case .use(let use): inner = use.workflow?.summary.failures ?? []
    default: return kind.outcomes
    }
    var outcomes = kind.outcomes
    for outcome in inner where !outcomes.contains(where: { $0.name == outcome.name }) {
      // What falls back or detours inside has done so there; outside it is a failure.
      outcomes.append(Outcome(outcome.name, outcome.sort, .fail, outcome.words))
    }
    return outcomes
  }

  package func outcome(named name: String) -> Outcome? { outcomes.first { $0.name == name } }

  /// Whether `expect` names this outcome and thereby counts it as handled.
  package func expects(outcome name: String) -> Bool { answers(of: name).contains(true) }

  /// Whether `expect` asks for another outcome than this one, which it judges: the run then ends here as broken.
  package func excludes(outcome: Outcome) -> Bool { outcome.isJudged && answers(of: outcome.name).contains(false) }

  /// Which of the expectations about the step's own outcome hold of this one.
  private func answers(of outcome: String) -> [Bool] {
    expect.compactMap { expectation in
      guard case .own = expectation.address.subject, expectation.address.word == ResultField.outcome.rawValue else {
        return nil
      }
      return (try? expectation.matcher.evaluate(.value(.string(outcome)), in: ValueScope()))?.holds
    }
  }
}

/// Trying a step again: `{attempts: 3, on: [offline], wait: 30s}`.
package struct Retry: Sendable {
  /// The first included; 1 never tries again.
  package var attempts: Int = 3
  /// Outcomes, `internal` or `error`; nil are those that pass by themselves.
  package var on: [Positioned<String>]?
  /// Nil is Retry-After, else one second, doubling.
  package var wait: Duration?
  /// Whether `retry: none` also turns off the retries that calls do by themselves.
  package var isOff = false

  /// The outcomes that are tried again where nothing is said.
  package static let passing: Set<String> = ["offline", "timedOut", "throttled", "serviceUnavailable"]

  package static let fields = Fields<Retry>(
    "retry",
    [
      Field("attempts", .integer(in: 1...1_000), into: \.attempts, default: 3, "how often in all, the first included"),
      Field(
        "on", .listOrOne(of: Codec<String>.nonEmptyString.located), into: \.on,
        "after which outcomes; those that pass by themselves by default"),
      Field("wait", .durationText, into: \.wait, "how long before the next; Retry-After by default, else 1s, doubling"),
    ])
}

extension Codec where Value == Retry {
  static var retry: Self {
    Self(expecting: "none or a mapping", schema: ["anyOf": [["const": "none"], Retry.fields.schema]]) {
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
