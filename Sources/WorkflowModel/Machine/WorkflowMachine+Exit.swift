import Documents
import OrderedCollections

extension WorkflowMachine {
  /// Completes an attempt of a step. The machine retries the step, or it records the result, evaluates `expect`, and
  /// leaves the step.
  mutating func complete(_ report: StepReport) -> Move {
    let position = frame.current
    let step = frame.transitions.steps[position]
    let id = frame.fullID(of: step)
    if assumption == nil, let delay = step.delay(beforeRetrying: report, attempt: frame.attempt) {
      frame.attempt += 1
      frame.earlierAttempts[step.id, default: 0] += report.attempts
      events.append(.retrying(id: id, outcome: report.outcome, attempt: frame.attempt, delay: delay))
      return perform(position, .repeated, delay: delay)
    }
    let result = record(step, report)
    addToPath(step, report.outcome)
    if let claims = report.facts["challenge"], step.action.token != nil { frame.serverClaims[position] = claims }
    do throws(UnresolvedValue) {
      try setCaptures(step, result)
      let (isHandled, violations) = try evaluateExpect(step, report.outcome, result)
      if let violations {
        return .end(WorkflowResult(step: id, outcome: .violated, reason: .expectation(violations)))
      }
      return .leave(outcome: report.outcome, isHandled: isHandled)
    } catch {
      return .end(WorkflowResult(step: id, unresolved: error))
    }
  }

  /// Records the result of a step and returns it.
  @discardableResult
  mutating func record(_ step: Step, _ report: StepReport) -> JSON {
    var members = report.facts
    members["outcome"] = .string(report.outcome.rawValue)
    let earlierAttempts = frame.earlierAttempts.removeValue(forKey: step.id) ?? 0
    members["attempts"] = .integer(earlierAttempts + report.attempts)
    let result = JSON.object(members)
    facts.record(frame.fullID(of: step), result)
    events.append(.finished(id: frame.fullID(of: step), outcome: report.outcome, facts: result))
    return result
  }

  /// Sets the variables that a step captures from its result.
  mutating func setCaptures(_ step: Step, _ result: JSON) throws(UnresolvedValue) {
    for capture in step.capture {
      let value = try capture.value(context(of: frame), own: result)
      frame.capture(capture.name, value)
      events.append(.captured(id: frame.fullID(of: step), name: capture.name, value: value))
    }
  }

  /// Evaluates `expect` if the step succeeded or if `expect` specifies the outcome.
  /// - Returns: Whether `expect` handles the outcome, and the failed expectations, if any.
  mutating func evaluateExpect(
    _ step: Step, _ outcome: OutcomeName, _ result: JSON
  ) throws(UnresolvedValue) -> (isHandled: Bool, violations: [ExpectationResult]?) {
    // In a detour, the step requests a different token, and its expectations do not apply.
    guard !step.expect.isEmpty, frame.detour == nil else { return (false, nil) }
    let isNamed = step.expects(outcome: outcome)
    guard isNamed || step.outcome(named: outcome)?.evaluatesExpect ?? false else { return (false, nil) }
    if assumption != nil {
      // In an exploration, only the outcome is known.
      let isExcluded = step.outcome(named: outcome).map(step.excludes) ?? false
      return isExcluded ? (false, []) : (isNamed, nil)
    }
    let results = try evaluate(step.expect, own: result)
    events.append(.evaluated(id: frame.fullID(of: step), results))
    if results.allSatisfy(\.holds) { return (isNamed, nil) }
    return (false, results.filter { !$0.holds })
  }

  /// Follows the transition for an outcome.
  mutating func leave(_ outcome: OutcomeName, _ isHandled: Bool) -> Move {
    let position = frame.current
    let step = frame.transitions.steps[position]
    if let detour = frame.detour, let move = continueDetour(detour, from: position, outcome) { return move }
    let (destination, rule) = frame.transitions.leave(position, outcome: outcome, isHandled: isHandled)
    switch destination {
    case .step(let target):
      recordMove(step, outcome, to: target, rule)
      if rule.isJump { return .enter(target, .jump(from: position)) }
      return .enter(target, .next)
    case .fallback(let target):
      recordMove(step, outcome, to: target, rule)
      return .enter(target, .fallback(from: position))
    case .detour(let target):
      guard frame.repeatedCall != position else {
        return fail(step, outcome, rule.adding(", but the challenge was already handled once"))
      }
      recordMove(step, outcome, to: target, rule)
      let facts = self.facts.facts(of: .init(step.id), prefix: frame.prefix)
      frame.detour = .init(call: position, claims: facts?["challenge"])
      return .enter(target, .detour)
    case .success:
      events.append(.moved(from: frame.fullID(of: step), outcome: outcome, to: "success", rule: rule))
      return .end(.success)
    case .failure:
      return fail(step, outcome, rule)
    }
  }

  /// Continues a detour. After a success, the call is repeated. A fallback continues the detour, and all other outcomes
  /// end it.
  /// - Returns: The next move, or nil if the detour ends and the usual transition applies.
  private mutating func continueDetour(_ detour: MachineFrame.Detour, from position: Int, _ outcome: OutcomeName)
    -> Move?
  {
    let step = frame.transitions.steps[position]
    let declared = step.outcome(named: outcome)
    if declared?.sort == .success {
      frame.detour = nil
      let rule = Transitions.Rule(.standard, "claims challenge handled; call repeated")
      recordMove(step, outcome, to: detour.call, rule)
      return .enter(detour.call, .repeated)
    }
    if step.handler(of: outcome) == nil, declared?.standard == .fallback,
      let target = frame.transitions.fallback(after: position)
    {
      let rule = frame.transitions.leave(position, outcome: outcome).rule
      recordMove(step, outcome, to: target, rule)
      return .enter(target, .fallback(from: position))
    }
    frame.detour = nil
    return nil
  }

  private mutating func recordMove(_ step: Step, _ outcome: OutcomeName, to target: Int, _ rule: Transitions.Rule) {
    let to = frame.fullID(of: frame.transitions.steps[target])
    events.append(.moved(from: frame.fullID(of: step), outcome: outcome, to: to, rule: rule))
  }

  private mutating func fail(_ step: Step, _ outcome: OutcomeName, _ rule: Transitions.Rule) -> Move {
    let id = frame.fullID(of: step)
    events.append(.moved(from: id, outcome: outcome, to: "failure", rule: rule))
    let result = WorkflowResult(step: id, outcome: outcome, reason: .outcome)
    guard frame.isInFinally else { return .end(result) }
    // A failure does not prevent the remaining steps in `finally` from running.
    if frame.failureInFinally == nil { frame.failureInFinally = result }
    return .enter(frame.current + 1, .next)
  }

  /// Ends a step list: runs `finally`, then returns to the outer workflow.
  mutating func end(_ result: WorkflowResult) -> Move {
    frame.members = nil
    if !frame.isInFinally {
      frame.detour = nil
      guard !frame.workflow.finally.isEmpty else { return close(result) }
      frame.isInFinally = true
      frame.resultBeforeFinally = result
      frame.tokenParameters = [:]
      frame.serverClaims = [:]
      return .enter(0, .next)
    }
    if !result.succeeded {
      if frame.failureInFinally == nil { frame.failureInFinally = result }
      // After a failed expectation, the remaining steps in `finally` run. After the step limit, they do not run.
      if case .tooManySteps = result.reason {} else { return .enter(frame.current + 1, .next) }
    }
    let before = frame.resultBeforeFinally ?? .success
    return close(before.succeeded ? frame.failureInFinally ?? .success : before)
  }

  private mutating func close(_ result: WorkflowResult) -> Move {
    guard frames.count > 1 else { return .act(.finish(result)) }
    let inner = frames.removeLast()
    // The captures of a nested workflow are also captures of the outer workflow.
    for (name, value) in inner.captures { frame.capture(name, value) }
    switch result.reason {
    case .succeeded, .outcome:
      return .complete(StepReport(result.outcome, facts: ["$": .object(inner.captures)]))
    case .expectation, .tooManySteps, .unresolved:
      return .end(result)
    }
  }
}

extension Step {
  /// Returns the delay before the next attempt, or nil if the step is not retried.
  func delay(beforeRetrying report: StepReport, attempt: Int) -> Duration? {
    guard let retry, attempt < retry.attempts, let outcome = self.outcome(named: report.outcome),
      !outcome.evaluatesExpect
    else {
      return nil
    }
    let isRetried =
      if let on = retry.on?.map(\.value) {
        on.contains(.outcome(outcome.name)) || (outcome.isInternal && on.contains(.internal))
          || (outcome.standard == .fail && on.contains(.error))
      } else {
        Retry.transient.contains(outcome.name)
      }
    guard isRetried else { return nil }
    if let wait = retry.wait { return wait }
    if let seconds = report.facts["retryAfter"]?.number, seconds >= 0, seconds <= 86_400 {
      return .milliseconds(Int64(seconds * 1_000))
    }
    // The delay starts at one second and doubles with each attempt, up to one hour.
    return .seconds(min(3_600, 1 << min(attempt - 1, 12)))
  }
}
