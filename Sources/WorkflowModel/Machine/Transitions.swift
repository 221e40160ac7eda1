import Diagnostics

/// Where a workflow goes from each outcome of each step: the table that the machine runs, the drawings draw and the
/// checks walk.
package struct Transitions: Sendable {
  package let steps: [Step]
  private let positions: [String: Int]
  /// For each step the nearest later fallback, and the nearest earlier `silent`.
  private let fallbacks: [Int?]
  private let silents: [Int?]
  /// For each step the nearest, itself included, that is not a fallback that is passed in silence.
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
    /// To a step, in passing or by name.
    case step(Int)
    /// To a step that is there as a fallback.
    case fallback(Int)
    /// To a `silent` with the claims of a challenge, and back again.
    case detour(Int)
    /// The workflow ends with success.
    case success
    /// The workflow has failed.
    case failure
  }

  /// Why a transition leads where it leads.
  package struct Rule: Sendable {
    package enum Source: Hashable, Sendable {
      /// The table of the language.
      case standard
      /// An `on` of the step, with the key that matched.
      case on(String)
      /// The step's `expect` names the outcome.
      case expect
    }

    package var source: Source
    /// What is said beside the place.
    private var said: String
    /// Where it is written; its line is looked up only when the rule is told.
    private var place: FileSpan?
    /// Whether a step is named as the target: that counts as entering it, also where it is a fallback.
    package var isJump = false

    package init(_ source: Source, _ words: String, at place: FileSpan? = nil, isJump: Bool = false) {
      self.source = source
      said = words
      self.place = place
      self.isJump = isJump
    }

    /// For the trace: `default of silent: interactionRequired → fallback`, `on.error at me.yaml:12`.
    package var words: String { place.map { "\(said) at \($0.short)" } ?? said }

    /// The same rule with a remark behind it.
    func adding(_ remark: String) -> Rule { Rule(source, words + remark, isJump: isJump) }
  }

  package func position(of id: String) -> Int? { positions[id] }

  /// - Parameter isHandled: whether the step's `expect` named the outcome and held.
  package func leave(_ position: Int, outcome name: String, isHandled: Bool = false) -> (to: Destination, rule: Rule) {
    let step = steps[position]
    // The closed set is what is known of MSAL; an outcome beyond it is a failure without a name of its own.
    let outcome = step.outcome(named: name) ?? Outcome(name, .failure, .fail, "an outcome that is not in the table")
    if let handler = step.on.first(where: { $0.outcome == name }) { return follow(handler, from: position) }
    if isHandled || (step.expects(outcome: name) && isHandledStatically(step, outcome)) {
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

  private func isHandledStatically(_ step: Step, _ outcome: Outcome) -> Bool { !outcome.isJudged }

  /// Where the table leads, and what must be said about it.
  private func standard(_ position: Int, _ outcome: Outcome) -> (Destination, String) {
    switch outcome.standard {
    case .next: return (next(after: position), "")
    case .fail: return (.failure, "")
    case .fallback:
      if let target = fallback(after: position) { return (.fallback(target), " \(steps[target].id)") }
      return (.failure, ", but no later step is there as a fallback")
    case .detour:
      if let target = silent(before: position) { return (.detour(target), " by way of \(steps[target].id)") }
      return (.failure, ", but no earlier silent could ask with the claims")
    }
  }

  /// The nearest later step that is there as a fallback.
  package func fallback(after position: Int) -> Int? { fallbacks[position] }

  /// The nearest earlier `silent`.
  package func silent(before position: Int) -> Int? { silents[position] }

  private func next(after position: Int) -> Destination {
    position + 1 < steps.count ? .step(position + 1) : .success
  }

  private func follow(_ handler: Step.Handler, from position: Int) -> (Destination, Rule) {
    let said = "on.\(handler.outcome)"
    let rule = Rule(.on(handler.outcome), said, at: handler.place)
    switch handler.target {
    case .next: return (next(after: position), rule)
    case .end: return (.success, rule)
    case .fail: return (.failure, rule)
    case .step(let id):
      // An unknown target is an error that the checks tell before anything runs.
      guard let target = positions[id] else { return (.failure, rule) }
      return (.step(target), Rule(rule.source, said, at: handler.place, isJump: true))
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
