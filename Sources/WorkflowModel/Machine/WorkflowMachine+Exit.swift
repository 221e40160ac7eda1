import Documents
import OrderedCollections

extension WorkflowMachine {
  /// A step has come to its end: it is tried again, or recorded, judged and left.
  mutating func complete(_ report: StepReport) -> Move {
    let position = frame.current
    let step = frame.transitions.steps[position]
    let id = frame.prefix + step.id
    if supposition == nil, let delay = step.delay(beforeRetrying: report, attempt: frame.attempt) {
      frame.attempt += 1
      frame.earlierTries[step.id, default: 0] += report.tries
      events.append(.retrying(id: id, outcome: report.outcome, attempt: frame.attempt, delay: delay))
      return perform(position, .again, delay: delay)
    }
    let own = record(step, report)
    addToPath(step, report.outcome)
    if let claims = report.facts["challenge"], step.action.token != nil { frame.serverClaims[position] = claims }
    do throws(UnresolvedValue) {
      try bindCaptures(step, own)
      let (isHandled, broken) = try judgeExpect(step, report.outcome, own)
      if let broken { return .over(WorkflowResult(step: id, outcome: "violated", reason: .expectation(broken))) }
      return .leave(outcome: report.outcome, isHandled: isHandled)
    } catch {
      return .over(WorkflowResult(step: id, outcome: "violated", reason: .unresolved(error)))
    }
  }

  /// Writes the facts down and returns them.
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
      let value = try capture.value(knowledge(of: frame), own: own)
      frame.capture(capture.name, value)
      events.append(.captured(id: frame.prefix + step.id, name: capture.name, value: value))
    }
  }

  /// `expect` is judged on success, or on the outcome that it names.
  /// - Returns: whether the outcome counts as handled; the judgements where one does not hold.
  mutating func judgeExpect(
    _ step: Step, _ outcome: String, _ own: JSON
  ) throws(UnresolvedValue) -> (isHandled: Bool, broken: [ExpectationResult]?) {
    // In a detour the token is asked for in another way than the step says: its expectations are about the first time.
    guard !step.expect.isEmpty, frame.detour == nil else { return (false, nil) }
    let isNamed = step.expects(outcome: outcome)
    guard isNamed || step.outcome(named: outcome)?.isJudged ?? false else { return (false, nil) }
    if supposition != nil {
      // What else is expected depends on facts; that another outcome is expected does not.
      let isExcluded = step.outcome(named: outcome).map(step.excludes) ?? false
      return isExcluded ? (false, []) : (isNamed, nil)
    }
    let judgements = try judge(step.expect, own: own)
    events.append(.judged(id: frame.prefix + step.id, judgements))
    if judgements.allSatisfy(\.holds) { return (isNamed, nil) }
    return (false, judgements.filter { !$0.holds })
  }

  /// Where to go from here.
  mutating func leave(_ outcome: String, _ isHandled: Bool) -> Move {
    let position = frame.current
    let step = frame.transitions.steps[position]
    if let detour = frame.detour, let move = goOn(detour, from: position, outcome) { return move }
    let (destination, rule) = frame.transitions.leave(position, outcome: outcome, isHandled: isHandled)
    switch destination {
    case .step(let target):
      tellMove(step, outcome, to: target, rule)
      if rule.isJump { return .enter(target, .jump(from: position)) }
      return .enter(target, .next)
    case .fallback(let target):
      tellMove(step, outcome, to: target, rule)
      return .enter(target, .fallback(from: position))
    case .detour(let target):
      guard frame.repeatedCall != position else {
        return fail(step, outcome, rule.adding(", but it was answered once already"))
      }
      tellMove(step, outcome, to: target, rule)
      let facts = self.facts.facts(of: .init(step.id), prefix: frame.prefix)
      frame.detour = .init(call: position, claims: facts?["challenge"])
      return .enter(target, .detour)
    case .success:
      events.append(.moved(from: frame.prefix + step.id, outcome: outcome, to: "success", rule: rule))
      return .over(.success)
    case .failure:
      return fail(step, outcome, rule)
    }
  }

  /// During a detour a success leads back to the call, and what can fall back does; anything else abandons it.
  private mutating func goOn(_ detour: MachineFrame.Detour, from position: Int, _ outcome: String) -> Move? {
    let step = frame.transitions.steps[position]
    guard let known = step.outcome(named: outcome) else {
      frame.detour = nil
      return nil
    }
    if known.sort == .success {
      frame.detour = nil
      let rule = Transitions.Rule(.standard, "the claims challenge is answered: the same call again")
      tellMove(step, outcome, to: detour.call, rule)
      return .enter(detour.call, .again)
    }
    let isSaid = step.on.contains { $0.outcome == outcome }
    if !isSaid, known.standard == .fallback, let target = frame.transitions.fallback(after: position) {
      let rule = frame.transitions.leave(position, outcome: outcome).rule
      tellMove(step, outcome, to: target, rule)
      return .enter(target, .fallback(from: position))
    }
    frame.detour = nil
    return nil
  }

  private mutating func tellMove(_ step: Step, _ outcome: String, to target: Int, _ rule: Transitions.Rule) {
    let to = frame.prefix + frame.transitions.steps[target].id
    events.append(.moved(from: frame.prefix + step.id, outcome: outcome, to: to, rule: rule))
  }

  private mutating func fail(_ step: Step, _ outcome: String, _ rule: Transitions.Rule) -> Move {
    let id = frame.prefix + step.id
    events.append(.moved(from: id, outcome: outcome, to: "failure", rule: rule))
    let ending = WorkflowResult(step: id, outcome: outcome, reason: .outcome)
    guard frame.isInFinally else { return .over(ending) }
    // What is there to tidy up is done whatever comes of it.
    if frame.failureInFinally == nil { frame.failureInFinally = ending }
    return .enter(frame.current + 1, .next)
  }

  /// The innermost workflow's list is over: `finally`, then back to the workflow that uses it.
  mutating func over(_ ending: WorkflowResult) -> Move {
    frame.members = nil
    if !frame.isInFinally {
      frame.detour = nil
      guard !frame.workflow.finally.isEmpty else { return close(ending) }
      frame.isInFinally = true
      frame.endingBeforeFinally = ending
      frame.asked = [:]
      frame.serverClaims = [:]
      return .enter(0, .next)
    }
    if !ending.succeeded {
      if frame.failureInFinally == nil { frame.failureInFinally = ending }
      // A broken expectation ends its step, not the tidying up; only the bound on steps does.
      if case .tooManySteps = ending.reason {} else { return .enter(frame.current + 1, .next) }
    }
    let before = frame.endingBeforeFinally ?? .success
    return close(before.succeeded ? frame.failureInFinally ?? .success : before)
  }

  private mutating func close(_ ending: WorkflowResult) -> Move {
    guard frames.count > 1 else { return .act(.finish(ending)) }
    let inner = frames.removeLast()
    // What another workflow captured is the caller's from now on.
    for (name, value) in inner.captures { frame.capture(name, value) }
    switch ending.reason {
    case .succeeded, .outcome:
      return .complete(StepReport(ending.outcome, facts: ["$": .object(inner.captures)]))
    case .expectation, .tooManySteps, .unresolved:
      return .over(ending)
    }
  }
}

extension Step {
  /// How long to wait before the step is tried again; nil where it is not.
  func delay(beforeRetrying report: StepReport, attempt: Int) -> Duration? {
    guard let retry, attempt < retry.attempts, let outcome = self.outcome(named: report.outcome), !outcome.isJudged
    else {
      return nil
    }
    let isMeant =
      if let on = retry.on?.map(\.value) {
        on.contains(outcome.name) || (outcome.isInternal && on.contains("internal"))
          || (outcome.standard == .fail && on.contains("error"))
      } else {
        Retry.passing.contains(outcome.name)
      }
    guard isMeant else { return nil }
    if let wait = retry.wait { return wait }
    if let seconds = report.facts["retryAfter"]?.number, seconds >= 0, seconds <= 86_400 {
      return .milliseconds(Int64(seconds * 1_000))
    }
    // One second, doubling, at most an hour.
    return .seconds(min(3_600, 1 << min(attempt - 1, 12)))
  }
}
