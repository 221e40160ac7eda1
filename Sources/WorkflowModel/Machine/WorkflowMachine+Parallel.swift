import Documents
import OrderedCollections

extension WorkflowMachine {
  /// Starts the members of a `parallel` step at the same time.
  mutating func start(_ members: [Step], of step: Step, delay: Duration?) -> Move {
    events.append(.started(id: frame.fullID(of: step), attempt: frame.attempt))
    var state = MachineFrame.Members()
    var invocations: [StepInvocation] = []
    for member in members {
      do throws(UnresolvedValue) {
        if let reason = try reasonToSkip(member, .next) {
          events.append(.skipped(id: frame.fullID(of: member), reason: reason))
          facts.record(frame.fullID(of: member), ["outcome": .string(OutcomeName.skipped.rawValue)])
          continue
        }
      } catch {
        return .end(WorkflowResult(step: frame.fullID(of: member), unresolved: error))
      }
      frame.runs[member.id] = 1
      state.running.insert(member.id)
      invocations.append(invocation(of: member, attempt: 1, delay: delay))
    }
    frame.members = state
    if invocations.isEmpty { return completeParallel() }
    return .act(.perform(invocations))
  }

  private mutating func invocation(of member: Step, attempt: Int, delay: Duration?) -> StepInvocation {
    events.append(.started(id: frame.fullID(of: member), attempt: attempt))
    return StepInvocation(
      id: frame.fullID(of: member), step: member, attempt: attempt, delay: delay, challengeClaims: nil,
      inheritedFrom: nil, scope: scope(of: frame), workflow: frame.workflow)
  }

  /// Completes an attempt of a member. The `parallel` step completes when all members are complete.
  mutating func finishedMember(_ id: String, _ report: StepReport) -> Action {
    guard case .parallel(let members) = frame.transitions.steps[frame.current].action,
      let member = members.first(where: { frame.prefix + $0.id == id }), var state = frame.members,
      state.running.contains(member.id)
    else { return .perform([]) }
    // While the `parallel` step is running, `runs` contains the number of attempts of each member.
    let attempt = frame.runs[member.id, default: 1]
    if let delay = member.delay(beforeRetrying: report, attempt: attempt) {
      frame.runs[member.id] = attempt + 1
      frame.earlierAttempts[member.id, default: 0] += report.attempts
      events.append(.retrying(id: id, outcome: report.outcome, attempt: attempt + 1, delay: delay))
      return .perform([invocation(of: member, attempt: attempt + 1, delay: delay)])
    }
    state.running.remove(member.id)
    let result = record(member, report)
    var isSuccess = member.outcome(named: report.outcome)?.evaluatesExpect ?? false
    do throws(UnresolvedValue) {
      try setCaptures(member, result)
      let (isHandled, violations) = try evaluateExpect(member, report.outcome, result)
      isSuccess = isSuccess || isHandled
      if let violations { state.violations += violations }
    } catch {
      return advance(.end(WorkflowResult(step: id, unresolved: error)))
    }
    if !isSuccess, state.firstFailure == nil { state.firstFailure = report.outcome }
    frame.members = state
    return state.running.isEmpty ? advance(completeParallel()) : .perform([])
  }

  private mutating func completeParallel() -> Move {
    let state = frame.members ?? .init()
    frame.members = nil
    if !state.violations.isEmpty {
      let step = frame.transitions.steps[frame.current]
      record(step, StepReport(.violated))
      addToPath(step, state.firstFailure ?? .success)
      return .end(
        WorkflowResult(step: frame.fullID(of: step), outcome: .violated, reason: .expectation(state.violations)))
    }
    return .complete(StepReport(state.firstFailure ?? .success))
  }
}
