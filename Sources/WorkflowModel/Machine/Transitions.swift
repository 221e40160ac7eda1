import Diagnostics

/// The transitions of a step list, for the state machine, the diagrams, and the checks.
package struct Transitions: Sendable {
  package let steps: [Step]
  private let positions: [String: Int]
  /// For each step, the nearest later fallback.
  private let fallbacks: [Int?]
  /// For each step, the nearest earlier `silent`.
  private let silents: [Int?]
  /// For each step, the first step at or after its position that is not a skipped fallback. The value is the number of
  /// steps if there is no such step.
  package let beyondFallbacks: [Int]

  package init(_ steps: [Step]) {
    self.steps = steps
    var positions: [String: Int] = [:]
    for (position, step) in steps.enumerated() where positions[step.id] == nil { positions[step.id] = position }
    self.positions = positions
    var fallbacks = [Int?](repeating: nil, count: steps.count)
    var silents = fallbacks
    var nearest: Int?
    for position in steps.indices.reversed() {
      fallbacks[position] = nearest
      if steps[position].isFallback, steps[position].kind.canBeFallback { nearest = position }
    }
    nearest = nil
    for position in steps.indices {
      silents[position] = nearest
      if steps[position].kind.key == StepKind.silent.key { nearest = position }
    }
    self.fallbacks = fallbacks
    self.silents = silents
    var beyondFallbacks = Array(steps.indices)
    for position in steps.indices.reversed()
    where steps[position].isFallback && steps[position].handler(of: .skipped) == nil {
      beyondFallbacks[position] = position + 1 < steps.count ? beyondFallbacks[position + 1] : steps.count
    }
    self.beyondFallbacks = beyondFallbacks
  }

  package enum Destination: Hashable, Sendable {
    /// The next step in the list, or the target of an `on` entry.
    case step(Int)
    /// A fallback.
    case fallback(Int)
    /// A `silent` step that requests a token with the claims of a challenge. The call is repeated after this step.
    case detour(Int)
    /// Successful end of the workflow.
    case success
    /// Failure of the workflow.
    case failure

    /// The position of the target step. Nil at the end of the workflow.
    var position: Int? {
      switch self {
      case .step(let position), .fallback(let position), .detour(let position): position
      case .success, .failure: nil
      }
    }
  }

  /// The reason for a transition.
  package struct Rule: Sendable {
    package enum Source: Hashable, Sendable {
      /// The default in the workflow language.
      case standard
      /// The `on` entry with this key.
      case on(OutcomeSelector)
      /// The step's `expect` entry for the outcome.
      case expect
    }

    package var source: Source
    /// The explanation without the location.
    private var text: String
    /// The location in the workflow. The line number is computed only when the description is used.
    private var place: FileSpan?
    /// Whether an `on` entry specifies the target. The target then runs even if it is a fallback.
    package var isJump = false

    package init(_ source: Source, _ text: String, at place: FileSpan? = nil, isJump: Bool = false) {
      self.source = source
      self.text = text
      self.place = place
      self.isJump = isJump
    }

    /// An explanation for the trace: `default of silent: interactionRequired → fallback`, `on.error at me.yaml:12`.
    package var description: String { place.map { "\(text) at \($0.fileAndLine)" } ?? text }

    /// Returns the rule with text appended to its explanation.
    func adding(_ addition: String) -> Rule { Rule(source, description + addition, isJump: isJump) }
  }

  package func position(of id: String) -> Int? { positions[id] }

  /// Returns the step ID of a destination, or `success` or `failure`.
  func name(of destination: Destination) -> String {
    destination.position.map { steps[$0].id } ?? (destination == .success ? "success" : "failure")
  }

  /// Returns the transition for an outcome of a step.
  /// - Parameter isHandled: Whether the step's `expect` specifies the outcome and its expectations hold.
  package func leave(_ position: Int, outcome name: OutcomeName, isHandled: Bool = false) -> (
    to: Destination, rule: Rule
  ) {
    let step = steps[position]
    // MSAL can return errors that the step type does not declare. These errors are failures.
    let outcome = step.outcome(named: name) ?? Outcome(name, .failure, .fail, "unknown outcome")
    if let handler = step.handler(of: name) { return follow(handler, from: position) }
    if isHandled || (step.expects(outcome: name) && !outcome.evaluatesExpect) {
      return (next(after: position), Rule(.expect, "\(step.id).expect names \(name)"))
    }
    if outcome.isInternal, let handler = step.handler(of: .internal) { return follow(handler, from: position) }
    let (destination, detail) = defaultDestination(of: outcome, from: position)
    if destination == .failure, let handler = step.handler(of: .error) { return follow(handler, from: position) }
    return (
      destination,
      Rule(.standard, "default of \(step.spelling): \(name) → \(outcome.standard.rawValue)\(detail)")
    )
  }

  /// Returns the default target of an outcome, and a detail for the explanation.
  private func defaultDestination(
    of outcome: Outcome, from position: Int
  ) -> (destination: Destination, detail: String) {
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

  /// Returns the nearest later fallback.
  package func fallback(after position: Int) -> Int? { fallbacks[position] }

  /// Returns the nearest earlier `silent`.
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
      // Static checks report unknown targets before a run.
      guard let target = positions[id] else { return (.failure, rule) }
      return (.step(target), Rule(rule.source, text, at: handler.place, isJump: true))
    }
  }
}

extension FileSpan {
  /// The file name and line number, such as `me.yaml:12`.
  fileprivate var fileAndLine: String {
    let file = source.name.split(separator: "/").last.map(String.init) ?? source.name
    return span == nil ? file : "\(file):\(start.line)"
  }
}
