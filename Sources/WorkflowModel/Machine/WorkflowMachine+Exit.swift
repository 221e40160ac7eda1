import Documents
import OrderedCollections

extension WorkflowMachine {
  /// Completes a step: retries it, or records its result, evaluates its expectations, and leaves it.
  mutating func complete(_ report: StepReport) -> Move {
    let position = frame.current
    let step = frame.transitions.steps[position]
    let id = frame.prefix + step.id
    if assumption == nil, let delay = step.delay(beforeRetrying: report, attempt: frame.attempt) {
      frame.attempt += 1
      frame.earlierTries[step.id, default: 0] += report.tries
      events.append(.retrying(id: id, outcome: report.outcome, attempt: frame.attempt, delay: delay))
      return perform(position, .repeated, delay: delay)
    }
    let own = record(step, report)
    addToPath(step, report.outcome)
    if let claims = report.facts["challenge"], step.action.token != nil { frame.serverClaims[position] = claims }
    do throws(UnresolvedValue) {
      try bindCaptures(step, own)
      let (isHandled, violations) = try evaluateExpect(step, report.outcome, own)
      if let violations {
        return .end(WorkflowResult(step: id, outcome: "violated", reason: .expectation(violations)))
      }
      return .leave(outcome: report.outcome, isHandled: isHandled)
    } catch {
      return .end(WorkflowResult(step: id, outcome: "violated", reason: .unresolved(error)))
    }
  }

  /// Records the result of a step and returns it.
  @discardableResult
  mutating func record(_ step: Step, _ report: StepReport) -> JSON {
    var members = report.facts
    members["outcome"] = .string(report.outcome)
    let earlier = frame.earlierTries.removeValue(forKey: step.id) ?? 0
    members["attempts"] = .integer(earlier + report.tries)
    let own = JSON.object(members)
    facts.record(frame.prefix + step.id, own)
    events.append(.finished(id: frame.prefix + step.id, outcome: report.outcome, facts: own))
    return own
  }

  mutating func bindCaptures(_ step: Step, _ own: JSON) throws(UnresolvedValue) {
    for capture in step.capture {
      let value = try capture.value(context(of: frame), own: own)
      frame.capture(capture.name, value)
      events.append(.captured(id: frame.prefix + step.id, name: capture.name, value: value))
    }
  }

  /// Evaluates `expect` on success, or on an outcome that it names.
  /// - Returns: Whether the outcome counts as handled, and the failed expectations, if any.
  mutating func evaluateExpect(
    _ step: Step, _ outcome: String, _ own: JSON
  ) throws(UnresolvedValue) -> (isHandled: Bool, violations: [ExpectationResult]?) {
    // In a detour, the step requests a different token, to which its expectations do not apply.
    guard !step.expect.isEmpty, frame.detour == nil else { return (false, nil) }
    let isNamed = step.expects(outcome: outcome)
    guard isNamed || step.outcome(named: outcome)?.evaluatesExpect ?? false else { return (false, nil) }
    if assumption != nil {
      // In an exploration, only the expected outcome is known.
      let isExcluded = step.outcome(named: outcome).map(step.excludes) ?? false
      return isExcluded ? (false, []) : (isNamed, nil)
    }
    let results = try evaluate(step.expect, own: own)
    events.append(.evaluated(id: frame.prefix + step.id, results))
    if results.allSatisfy(\.holds) { return (isNamed, nil) }
    return (false, results.filter { !$0.holds })
  }

  /// Follows the transition of an outcome.
  mutating func leave(_ outcome: String, _ isHandled: Bool) -> Move {
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
      events.append(.moved(from: frame.prefix + step.id, outcome: outcome, to: "success", rule: rule))
      return .end(.success)
    case .failure:
      return fail(step, outcome, rule)
    }
  }

  /// Continues a detour: a success returns to the call, and a fallback is followed. All other outcomes end the detour.
  private mutating func continueDetour(_ detour: MachineFrame.Detour, from position: Int, _ outcome: String) -> Move? {
    let step = frame.transitions.steps[position]
    guard let known = step.outcome(named: outcome) else {
      frame.detour = nil
      return nil
    }
    if known.sort == .success {
      frame.detour = nil
      let rule = Transitions.Rule(.standard, "claims challenge handled; call repeated")
      recordMove(step, outcome, to: detour.call, rule)
      return .enter(detour.call, .repeated)
    }
    let isHandled = step.on.contains { $0.outcome == outcome }
    if !isHandled, known.standard == .fallback, let target = frame.transitions.fallback(after: position) {
      let rule = frame.transitions.leave(position, outcome: outcome).rule
      recordMove(step, outcome, to: target, rule)
      return .enter(target, .fallback(from: position))
    }
    frame.detour = nil
    return nil
  }

  private mutating func recordMove(_ step: Step, _ outcome: String, to target: Int, _ rule: Transitions.Rule) {
    let to = frame.prefix + frame.transitions.steps[target].id
    events.append(.moved(from: frame.prefix + step.id, outcome: outcome, to: to, rule: rule))
  }

  private mutating func fail(_ step: Step, _ outcome: String, _ rule: Transitions.Rule) -> Move {
    let id = frame.prefix + step.id
    events.append(.moved(from: id, outcome: outcome, to: "failure", rule: rule))
    let result = WorkflowResult(step: id, outcome: outcome, reason: .outcome)
    guard frame.isInFinally else { return .end(result) }
    // The remaining steps of `finally` run even after a failure.
    if frame.failureInFinally == nil { frame.failureInFinally = result }
    return .enter(frame.current + 1, .next)
  }

  /// Handles the end of a list of steps: runs `finally`, then returns to the outer workflow.
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
      // A failed expectation ends only its step of `finally`. The limit on steps ends the whole list.
      if case .tooManySteps = result.reason {} else { return .enter(frame.current + 1, .next) }
    }
    let before = frame.resultBeforeFinally ?? .success
    return close(before.succeeded ? frame.failureInFinally ?? .success : before)
  }

  private mutating func close(_ result: WorkflowResult) -> Move {
    guard frames.count > 1 else { return .act(.finish(result)) }
    let inner = frames.removeLast()
    // The captures of a nested workflow become captures of the outer one.
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
  /// The delay before retrying the step, or nil if there is no retry.
  func delay(beforeRetrying report: StepReport, attempt: Int) -> Duration? {
    guard let retry, attempt < retry.attempts, let outcome = self.outcome(named: report.outcome),
      !outcome.evaluatesExpect
    else {
      return nil
    }
    let isRetried =
      if let on = retry.on?.map(\.value) {
        on.contains(outcome.name) || (outcome.isInternal && on.contains("internal"))
          || (outcome.standard == .fail && on.contains("error"))
      } else {
        Retry.transient.contains(outcome.name)
      }
    guard isRetried else { return nil }
    if let wait = retry.wait { return wait }
    if let seconds = report.facts["retryAfter"]?.number, seconds >= 0, seconds <= 86_400 {
      return .milliseconds(Int64(seconds * 1_000))
    }
    // One second, doubling up to one hour.
    return .seconds(min(3_600, 1 << min(attempt - 1, 12)))
  }
}
