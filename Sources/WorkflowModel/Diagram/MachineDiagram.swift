import Directory

/// The state machine that a workflow stands for, as something to draw: states, and which outcomes lead where.
package struct MachineDiagram: Sendable, Hashable {
  package struct State: Sendable, Hashable {
    package enum Role: String, Sendable, Hashable {
      /// Done when its turn comes.
      case step
      /// Done only where something fell back on it.
      case fallback
      /// Done only where its `when` holds.
      case conditional
      /// Done however the workflow ended.
      case finally
    }

    /// The step's id.
    package var id: String
    /// The kind's key.
    package var kind: String
    /// What the step says in a few words: `/me`, `90d`; empty where the kind says it all.
    package var detail: String
    package var role: Role
    /// Whether some run performed it; nil where nobody asked.
    package var isCovered: Bool?
  }

  package enum Target: Sendable, Hashable {
    case state(Int)
    case success, failure
  }

  package struct Transition: Sendable, Hashable {
    package enum Sort: String, Sendable, Hashable {
      /// On to the next step.
      case next
      /// A fallback.
      case fallback
      /// A claims detour.
      case detour
      /// Said by an `on` or an `expect`.
      case said
      /// To failure by default.
      case failure
    }

    package var from: Int
    package var to: Target
    package var outcomes: [String]
    package var sort: Sort
    /// Whether some run took it; nil where nobody asked.
    package var isCovered: Bool?
  }

  package var title: String
  package var states: [State]
  package var transitions: [Transition]

  /// One without states yet.
  init(title: String) {
    self.title = title
    states = []
    transitions = []
  }

  /// The drawing of a workflow.
  package init(_ workflow: Workflow) {
    title = workflow.title
    let graph = Transitions(workflow.steps)
    states = workflow.steps.map { State($0) }
    transitions = []
    for (position, step) in workflow.steps.enumerated() {
      for arrow in graph.arrows(from: position, step.drawnOutcomes) {
        let target: Target =
          switch arrow.to {
          case .step(let position), .fallback(let position), .detour(let position): .state(position)
          case .success: .success
          case .failure: .failure
          }
        transitions.append(
          Transition(from: position, to: target, outcomes: arrow.outcomes.map(\.name), sort: arrow.sort))
      }
    }
    for step in workflow.finally {
      var state = State(step)
      state.role = .finally
      states.append(state)
    }
  }

  /// The indexes of the transitions that leave each state.
  package var leaving: [[Int]] {
    var leaving = [[Int]](repeating: [], count: states.count)
    for (index, transition) in transitions.enumerated() { leaving[transition.from].append(index) }
    return leaving
  }

  /// The steps that run in order, without those of `finally`.
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
  /// Whether MSAL itself may find a parameter wrong; of the others none fits only where a value cannot be filled in.
  fileprivate var speaksToMSAL: Bool {
    !["callGraph", "callAPI", "wait", "simulate", "deviceInfo", "listAccounts"].contains(key)
  }
}

extension Step {
  /// The outcomes that a drawing shows: those that can occur.
  var drawnOutcomes: [Outcome] {
    outcomes.filter { outcome in
      switch outcome.name {
      case "skipped":
        // A fallback that nobody falls back on is passed: the arrows go past it.
        switch when {
        case .always: false
        case .fallback: on.contains { $0.outcome == "skipped" }
        case .holds: true
        }
      case "exhausted": maxRuns != nil
      case Outcome.invalidParameter.name: kind.speaksToMSAL || on.contains { $0.outcome == outcome.name }
      default: true
      }
    }
  }

  /// A few words about what the step does, from what is written out.
  fileprivate var detail: String {
    switch action {
    case .callGraph(let call):
      guard let path = call.request.path else { return call.batch.map { "batch of \($0.count)" } ?? "" }
      return "\(call.request.method.name) \(path.shown)"
    case .callAPI(let call):
      return "\(call.request.method.name) \(call.url?.shown ?? "")"
    case .wait(let length): return length.literal.map { DurationText.write($0) } ?? "${…}"
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
  /// One arrow of a drawing: what leads from a step to one place for one reason.
  struct Arrow: Sendable {
    var to: Destination
    var sort: MachineDiagram.Transition.Sort
    var outcomes: [Outcome]
  }

  /// The arrows that leave a step, past fallbacks that are only passed.
  func arrows(from position: Int, _ outcomes: [Outcome]) -> [Arrow] {
    var arrows: [Arrow] = []
    for outcome in outcomes {
      let (raw, rule) = leave(position, outcome: outcome.name)
      let destination = past(raw, rule)
      let isSaid = rule.source != .standard
      let sort: MachineDiagram.Transition.Sort =
        switch destination {
        case .step, .success: isSaid ? .said : .next
        case .fallback: isSaid ? .said : .fallback
        case .detour: .detour
        case .failure: isSaid ? .said : .failure
        }
      if let index = arrows.firstIndex(where: { $0.to.isSamePlace(as: destination) && $0.sort == sort }) {
        arrows[index].outcomes.append(outcome)
      } else {
        arrows.append(Arrow(to: destination, sort: sort, outcomes: [outcome]))
      }
    }
    return arrows
  }

  /// Where an arrow that goes on in passing comes to: past the fallbacks, which are only entered by name.
  fileprivate func past(_ destination: Destination, _ rule: Rule) -> Destination {
    guard case .step(let position) = destination, !rule.isJump else { return destination }
    let next = beyondFallbacks[position]
    return next < steps.count ? .step(next) : .success
  }
}

extension Resolvable<String> {
  fileprivate var shown: String { literal ?? "${…}" }
}

extension Transitions.Destination {
  /// Whether both lead to the same step or end, however they enter it.
  fileprivate func isSamePlace(as other: Self) -> Bool {
    position == other.position && (position != nil || self == other)
  }

  private var position: Int? {
    switch self {
    case .step(let position), .fallback(let position), .detour(let position): position
    case .success, .failure: nil
    }
  }
}
