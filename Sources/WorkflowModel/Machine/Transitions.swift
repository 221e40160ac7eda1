import Diagnostics

/// The transition table of a list of steps, for the state machine, the diagrams, and the checks.
package struct Transitions: Sendable {
  package let steps: [Step]
  private let positions: [String: Int]
  /// For each step, the nearest later fallback and the nearest earlier `silent`.
  private let fallbacks: [Int?]
  private let silents: [Int?]
  /// For each step, the nearest step from there on that is not skipped as a fallback.
  package let beyondFallbacks: [Int]

  package init(_ steps: [Step]) {
    self.steps = steps
    var positions: [String: Int] = [:]
    for (position, step) in steps.enumerated() where positions[step.id] == nil { positions[step.id] = position }
    self.positions = positions
    var fallbacks = [Int?](repeating: nil, count: steps.count)
    var silents = fallbacks
    var near: Int?
    for position in steps.indices.reversed() {
      fallbacks[position] = near
      if steps[position].isFallback, steps[position].kind.canBeFallback { near = position }
    }
    near = nil
    for position in steps.indices {
      silents[position] = near
      if steps[position].kind.key == StepKind.silent.key { near = position }
    }
    self.fallbacks = fallbacks
    self.silents = silents
    var beyond = Array(steps.indices)
    for position in steps.indices.reversed()
    where steps[position].isFallback && !steps[position].on.contains(where: { $0.outcome == "skipped" }) {
      beyond[position] = position + 1 < steps.count ? beyond[position + 1] : steps.count
    }
    beyondFallbacks = beyond
  }

  package enum Destination: Hashable, Sendable {
    /// A step, in list order or as a target.
    case step(Int)
    /// A fallback.
    case fallback(Int)
    /// A `silent` that requests a token with the claims of a challenge, followed by the same call.
    case detour(Int)
    /// Successful end of the workflow.
    case success
    /// Failure of the workflow.
    case failure
  }

  /// The reason for a transition.
  package struct Rule: Sendable {
    package enum Source: Hashable, Sendable {
      /// The defaults of the language.
      case standard
      /// An `on` of the step, with its key.
      case on(String)
      /// The step's `expect`, which names the outcome.
      case expect
    }

    package var source: Source
    /// The explanation without the location.
    private var text: String
    /// The location in the workflow. Its line is determined only if the rule is printed.
    private var place: FileSpan?
    /// Whether the target is named explicitly, so that a fallback runs.
    package var isJump = false

    package init(_ source: Source, _ text: String, at place: FileSpan? = nil, isJump: Bool = false) {
      self.source = source
      self.text = text
      self.place = place
      self.isJump = isJump
    }

    /// An explanation for the trace: `default of silent: interactionRequired → fallback`, `on.error at me.yaml:12`.
    package var description: String { place.map { "\(text) at \($0.short)" } ?? text }

    /// The rule with an addition to the explanation.
    func adding(_ addition: String) -> Rule { Rule(source, description + addition, isJump: isJump) }
  }

  package func position(of id: String) -> Int? { positions[id] }

  /// The target of a step's outcome.
  /// - Parameter isHandled: Whether the step's `expect` names the outcome, and its expectations hold.
  package func leave(_ position: Int, outcome name: String, isHandled: Bool = false) -> (to: Destination, rule: Rule) {
    let step = steps[position]
    // MSAL can return errors that are not in the table. They are failures.
    let outcome = step.outcome(named: name) ?? Outcome(name, .failure, .fail, "unknown outcome")
    if let handler = step.on.first(where: { $0.outcome == name }) { return follow(handler, from: position) }
    if isHandled || (step.expects(outcome: name) && !outcome.evaluatesExpect) {
      return (next(after: position), Rule(.expect, "\(step.id).expect names \(name)"))
    }
    if outcome.isInternal, let handler = step.on.first(where: { $0.outcome == "internal" }) {
      return follow(handler, from: position)
    }
    let (standard, reason) = standard(position, outcome)
    if standard == .failure, let handler = step.on.first(where: { $0.outcome == "error" }) {
      return follow(handler, from: position)
    }
    return (
      standard,
      Rule(.standard, "default of \(step.spelling): \(name) → \(outcome.standard.rawValue)\(reason)")
    )
  }

  /// The default target of an outcome, and an addition to the explanation.
  private func standard(_ position: Int, _ outcome: Outcome) -> (Destination, String) {
    switch outcome.standard {
    case .next: return (next(after: position), "")
    case .fail: return (.failure, "")
    case .fallback:
      if let target = fallback(after: position) { return (.fallback(target), " \(steps[target].id)") }
      return (.failure, ", but there is no later fallback")
    case .detour:
      if let target = silent(before: position) { return (.detour(target), " through \(steps[target].id)") }
      return (.failure, ", but there is no earlier silent step")
    }
  }

  /// The nearest later fallback.
  package func fallback(after position: Int) -> Int? { fallbacks[position] }

  /// The nearest earlier `silent`.
  package func silent(before position: Int) -> Int? { silents[position] }

  private func next(after position: Int) -> Destination {
    position + 1 < steps.count ? .step(position + 1) : .success
  }

  private func follow(_ handler: Step.Handler, from position: Int) -> (Destination, Rule) {
    let text = "on.\(handler.outcome)"
    let rule = Rule(.on(handler.outcome), text, at: handler.place)
    switch handler.target {
    case .next: return (next(after: position), rule)
    case .end: return (.success, rule)
    case .fail: return (.failure, rule)
    case .step(let id):
      // The checks report unknown targets before a run.
      guard let target = positions[id] else { return (.failure, rule) }
      return (.step(target), Rule(rule.source, text, at: handler.place, isJump: true))
    }
  }
}

extension FileSpan {
  /// `me.yaml:12`.
  fileprivate var short: String {
    let file = source.name.split(separator: "/").last.map(String.init) ?? source.name
    return span == nil ? file : "\(file):\(start.line)"
  }
}
