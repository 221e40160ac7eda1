import Directory

/// A diagram of a workflow's state machine, with its states and a transition for each outcome.
package struct MachineDiagram: Sendable, Hashable {
  package struct State: Sendable, Hashable {
    package enum Role: String, Sendable, Hashable {
      /// A step that runs in list order.
      case step
      /// A step that runs only if another step falls back to it.
      case fallback
      /// A step that runs only if its `when` condition holds.
      case conditional
      /// A step that runs at the end, regardless of the result.
      case finally
    }

    /// The step ID.
    package var id: String
    /// The key of the step type.
    package var kind: String
    /// The main parameter of the step, such as `/me` or `90d`. Empty if the step has no main parameter.
    package var detail: String
    package var role: Role
    /// Whether any run executed the step. Nil if the diagram does not show coverage.
    package var isCovered: Bool?
  }

  package enum Target: Sendable, Hashable {
    case state(Int)
    case success, failure
  }

  package struct Transition: Sendable, Hashable {
    package enum Sort: String, Sendable, Hashable {
      /// A transition to the next step.
      case next
      /// A transition to a fallback.
      case fallback
      /// A transition that handles a claims challenge.
      case detour
      /// A transition that an `on` or an `expect` defines.
      case explicit
      /// A default transition to failure.
      case failure
    }

    package var from: Int
    package var to: Target
    package var outcomes: [String]
    package var sort: Sort
    /// Whether any run took the transition. Nil if the diagram does not show coverage.
    package var isCovered: Bool?
  }

  package var title: String
  package var states: [State]
  package var transitions: [Transition]

  /// Creates an empty diagram.
  init(title: String) {
    self.title = title
    states = []
    transitions = []
  }

  /// Creates the diagram of a workflow.
  package init(_ workflow: Workflow) {
    title = workflow.title
    let table = Transitions(workflow.steps)
    states = workflow.steps.map { State($0) }
    transitions = []
    for (position, step) in workflow.steps.enumerated() {
      for arrow in table.arrows(from: position, step.possibleOutcomes) {
        let target = arrow.to.position.map { Target.state($0) } ?? (arrow.to == .success ? .success : .failure)
        transitions.append(
          Transition(from: position, to: target, outcomes: arrow.outcomes.map(\.name.rawValue), sort: arrow.sort))
      }
    }
    for step in workflow.finally {
      var state = State(step)
      state.role = .finally
      states.append(state)
    }
  }

  /// The indexes of the transitions from each state.
  package var leaving: [[Int]] {
    var leaving = [[Int]](repeating: [], count: states.count)
    for (index, transition) in transitions.enumerated() { leaving[transition.from].append(index) }
    return leaving
  }

  /// The number of steps outside of `finally`.
  package var mainCount: Int { states.count { $0.role != .finally } }
}

extension MachineDiagram.State {
  fileprivate init(_ step: Step) {
    id = step.id
    kind = step.spelling
    detail = step.detail
    switch step.when {
    case .always: role = .step
    case .fallback: role = .fallback
    case .holds: role = .conditional
    }
  }
}

extension StepKind {
  /// Whether MSAL validates the parameters of this step type. For other step types, a parameter is invalid only if its
  /// value cannot be resolved.
  fileprivate var validatesParametersInMSAL: Bool {
    !["callGraph", "callAPI", "wait", "simulate", "deviceInfo", "listAccounts"].contains(key)
  }
}

extension Step {
  /// The possible outcomes of this step that a diagram shows.
  var possibleOutcomes: [Outcome] {
    outcomes.filter { outcome in
      switch outcome.name {
      case .skipped:
        switch when {
        case .always: false
        // A skipped fallback has a separate transition only if an `on` handles `skipped`.
        case .fallback: handler(of: .skipped) != nil
        case .holds: true
        }
      case .exhausted: maxRuns != nil
      case .invalidParameter: kind.validatesParametersInMSAL || handler(of: outcome.name) != nil
      default: true
      }
    }
  }

  /// The main parameter of the step, if it is a literal.
  fileprivate var detail: String {
    switch action {
    case .callGraph(let call):
      guard let path = call.request.path else { return call.batch.map { "batch of \($0.count)" } ?? "" }
      return "\(call.request.method.name) \(path.displayText)"
    case .callAPI(let call):
      return "\(call.request.method.name) \(call.url?.displayText ?? "")"
    case .wait(let duration): return duration.literal.map { DurationText.write($0) } ?? "${…}"
    case .use(let use): return use.path ?? ""
    case .parallel(let members): return members.map(\.id).joined(separator: ", ")
    case .simulate(let events): return events.map(\.kind.rawValue).joined(separator: ", ")
    case .silent, .interactive, .deviceCode:
      return action.token?.scopes?.literal?.joined(separator: " ") ?? ""
    default: return ""
    }
  }
}

extension Transitions {
  /// A transition in a diagram: all outcomes that lead from a step to the same target for the same reason.
  struct Arrow: Sendable {
    var to: Destination
    var sort: MachineDiagram.Transition.Sort
    var outcomes: [Outcome]
  }

  /// Returns the transitions from a step for these outcomes. Each transition leads past fallbacks that are skipped in
  /// list order.
  func arrows(from position: Int, _ outcomes: [Outcome]) -> [Arrow] {
    var arrows: [Arrow] = []
    for outcome in outcomes {
      let (directDestination, rule) = leave(position, outcome: outcome.name)
      let destination = skippingFallbacks(directDestination, rule)
      let isExplicit = rule.source != .standard
      let sort: MachineDiagram.Transition.Sort =
        switch destination {
        case .step, .success: isExplicit ? .explicit : .next
        case .fallback: isExplicit ? .explicit : .fallback
        case .detour: .detour
        case .failure: isExplicit ? .explicit : .failure
        }
      if let index = arrows.firstIndex(where: { $0.to.hasSameTarget(as: destination) && $0.sort == sort }) {
        arrows[index].outcomes.append(outcome)
      } else {
        arrows.append(Arrow(to: destination, sort: sort, outcomes: [outcome]))
      }
    }
    return arrows
  }

  /// Returns the target of a transition after the fallbacks that it skips. A fallback runs only if another step falls
  /// back to it.
  fileprivate func skippingFallbacks(_ destination: Destination, _ rule: Rule) -> Destination {
    guard case .step(let position) = destination, !rule.isJump else { return destination }
    let next = beyondFallbacks[position]
    return next < steps.count ? .step(next) : .success
  }
}

extension Resolvable<String> {
  fileprivate var displayText: String { literal ?? "${…}" }
}

extension Transitions.Destination {
  /// Returns whether both destinations have the same target, regardless of the reason for entering it.
  fileprivate func hasSameTarget(as other: Self) -> Bool {
    position == other.position && (position != nil || self == other)
  }
}
