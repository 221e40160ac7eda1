import Documents
import OrderedCollections

extension WorkflowMachine {
  /// Starts the members of a `parallel` at the same time.
  mutating func start(_ members: [Step], of step: Step, delay: Duration?) -> Move {
    events.append(.started(id: frame.prefix + step.id, attempt: frame.attempt))
    var state = MachineFrame.Members()
    var performances: [StepInvocation] = []
    for member in members {
      do throws(UnresolvedValue) {
        if let reason = try reasonToSkip(member, .next) {
          events.append(.skipped(id: frame.prefix + member.id, reason: reason))
          facts.record(frame.prefix + member.id, ["outcome": "skipped"])
          continue
        }
      } catch {
        return .over(WorkflowResult(step: frame.prefix + member.id, outcome: "violated", reason: .unresolved(error)))
      }
      frame.runs[member.id] = 1
      state.underWay.insert(member.id)
      performances.append(performance(of: member, attempt: 1, delay: delay))
    }
    frame.members = state
    if performances.isEmpty { return closeTogether() }
    return .act(.perform(performances))
  }

  private mutating func performance(of member: Step, attempt: Int, delay: Duration?) -> StepInvocation {
    events.append(.started(id: frame.prefix + member.id, attempt: attempt))
    return StepInvocation(
      id: frame.prefix + member.id, step: member, attempt: attempt, delay: delay, challengeClaims: nil,
      inheritedFrom: nil, scope: ValueScope(names: frame.names, surroundings: surroundings), workflow: frame.workflow)
  }

  /// The end of one member; the step's own end comes with the last.
  mutating func finishedMember(_ id: String, _ report: StepReport) -> Action {
    guard case .parallel(let members) = frame.transitions.steps[frame.current].action,
      let member = members.first(where: { frame.prefix + $0.id == id }), var state = frame.members,
      state.underWay.contains(member.id)
    else { return .perform([]) }
    // `runs` counts a member's attempts while the step is under way.
    let attempt = frame.runs[member.id, default: 1]
    if let delay = member.delay(beforeRetrying: report, attempt: attempt) {
      frame.runs[member.id] = attempt + 1
      frame.earlierTries[member.id, default: 0] += report.tries
      events.append(.retrying(id: id, outcome: report.outcome, attempt: attempt + 1, delay: delay))
      return .perform([performance(of: member, attempt: attempt + 1, delay: delay)])
    }
    state.underWay.remove(member.id)
    let own = record(member, report)
    var isFine = member.outcome(named: report.outcome)?.isJudged ?? false
    do throws(UnresolvedValue) {
      try bindCaptures(member, own)
      let (isHandled, broken) = try judgeExpect(member, report.outcome, own)
      isFine = isFine || isHandled
      if let broken { state.broken += broken }
    } catch {
      return go(.over(WorkflowResult(step: id, outcome: "violated", reason: .unresolved(error))))
    }
    if !isFine, state.firstFailure == nil { state.firstFailure = report.outcome }
    frame.members = state
    return state.underWay.isEmpty ? go(closeTogether()) : .perform([])
  }

  private mutating func closeTogether() -> Move {
    let state = frame.members ?? .init()
    frame.members = nil
    if !state.broken.isEmpty {
      let step = frame.transitions.steps[frame.current]
      record(step, StepReport("violated"))
      addToPath(step, state.firstFailure ?? "success")
      return .over(
        WorkflowResult(step: frame.prefix + step.id, outcome: "violated", reason: .expectation(state.broken)))
    }
    return .complete(StepReport(state.firstFailure ?? "success"))
  }
}
