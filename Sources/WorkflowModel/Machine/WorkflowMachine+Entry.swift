import Documents
import OrderedCollections

extension WorkflowMachine {
  /// Enters a step. The machine performs the step or skips it. After `maxRuns` runs, the outcome is `exhausted`.
  mutating func enter(_ position: Int, _ entry: MachineFrame.Entry) -> Move {
    guard position < frame.transitions.steps.count else { return .end(.success) }
    frame.current = position
    frame.attempt = 1
    if let result = countStep() { return .end(result) }
    let step = frame.transitions.steps[position]
    if case .repeated = entry { frame.repeatedCall = position } else { frame.repeatedCall = nil }
    do throws(UnresolvedValue) {
      if let holds = assumedCondition(step, entry) {
        if !holds { return skip(step, "assumed") }
      } else if let reason = try reasonToSkip(step, entry) {
        return skip(step, reason)
      }
    } catch {
      return .end(WorkflowResult(step: frame.fullID(of: step), unresolved: error))
    }
    if let limit = step.maxRuns, frame.runs[step.id, default: 0] >= limit {
      record(step, StepReport(.exhausted))
      addToPath(step, .exhausted)
      return .leave(outcome: .exhausted, isHandled: false)
    }
    return perform(position, entry, delay: nil)
  }

  /// Returns the reason to skip the step, or nil if the step runs.
  func reasonToSkip(_ step: Step, _ entry: MachineFrame.Entry) throws(UnresolvedValue) -> String? {
    switch step.when {
    case .always: return nil
    case .fallback: return entry.runsFallback ? nil : "no step fell back to it"
    case .holds(let expectations):
      // The condition does not apply in a detour, because the detour requires this step.
      if case .detour = entry { return nil }
      let context = context(of: frame)
      for expectation in expectations {
        let result = try expectation.evaluate(context, own: nil)
        if !result.holds {
          return "\(result.subject) is \(result.result.actual), not \(result.result.expected)"
        }
      }
      return nil
    }
  }

  private mutating func skip(_ step: Step, _ reason: String) -> Move {
    events.append(.skipped(id: frame.fullID(of: step), reason: reason))
    facts.record(frame.fullID(of: step), ["outcome": .string(OutcomeName.skipped.rawValue)])
    addToPath(step, .skipped)
    return .leave(outcome: .skipped, isHandled: false)
  }

  /// Starts a step, or retries it after `delay`.
  mutating func perform(_ position: Int, _ entry: MachineFrame.Entry, delay: Duration?) -> Move {
    var step = frame.transitions.steps[position]
    if frame.attempt == 1 { frame.runs[step.id, default: 0] += 1 }
    switch step.action {
    case .assert where assumption != nil:
      events.append(.started(id: frame.fullID(of: step), attempt: frame.attempt))
      let holds = assumption?.result(ExplorationAssumption.Subject.assert, of: step.id) ?? true
      return .complete(StepReport(holds ? .holds : .violated))
    case .parallel where assumption != nil, .use where assumption != nil: break
    case .assert(let expectations): return evaluateAssert(step, expectations)
    case .parallel(let members): return start(members, of: step, delay: delay)
    case .use(let use): return start(use, of: step)
    default: break
    }
    var inheritedFrom: String?
    if let (parameters, source) = frame.inheritedTokenParameters(of: position, entry) {
      step.action.token = parameters
      inheritedFrom = frame.fullID(of: frame.transitions.steps[source])
    } else if frame.attempt > 1, let parameters = frame.tokenParameters[position] {
      step.action.token = parameters
    }
    frame.tokenParameters[position] = step.action.token
    var claims: JSON?
    if step.action.token != nil {
      claims = frame.detour?.claims
      if claims == nil, case .fallback(let from) = entry { claims = frame.serverClaims[from] }
    }
    events.append(.started(id: frame.fullID(of: step), attempt: frame.attempt))
    return .act(
      .perform([
        StepInvocation(
          id: frame.fullID(of: step), step: step, attempt: frame.attempt, delay: delay, challengeClaims: claims,
          inheritedFrom: inheritedFrom, scope: scope(of: frame), workflow: frame.workflow)
      ]))
  }

  private mutating func evaluateAssert(_ step: Step, _ expectations: [Expectation]) -> Move {
    events.append(.started(id: frame.fullID(of: step), attempt: frame.attempt))
    do throws(UnresolvedValue) {
      let results = try evaluate(expectations, own: nil)
      events.append(.evaluated(id: frame.fullID(of: step), results))
      return .complete(StepReport(results.allSatisfy(\.holds) ? .holds : .violated))
    } catch {
      return .end(WorkflowResult(step: frame.fullID(of: step), unresolved: error))
    }
  }

  /// Evaluates expectations in the current frame.
  /// - Parameter own: The result of the step that contains the expectations, if any.
  func evaluate(_ expectations: [Expectation], own: JSON?) throws(UnresolvedValue) -> [ExpectationResult] {
    let context = context(of: frame)
    var results: [ExpectationResult] = []
    for expectation in expectations { results.append(try expectation.evaluate(context, own: own)) }
    return results
  }

  /// Starts a nested workflow.
  private mutating func start(_ use: Use, of step: Step) -> Move {
    let id = frame.fullID(of: step)
    events.append(.started(id: id, attempt: frame.attempt))
    guard let workflow = use.workflow else {
      // The decoder reports an invalid nested workflow before the run.
      return .end(WorkflowResult(step: id, outcome: .invalidParameter, reason: .outcome))
    }
    var values: OrderedDictionary<String, JSON> = [:]
    let scope = scope(of: frame)
    do throws(UnresolvedValue) {
      for (name, value) in use.with {
        guard let json = try value.resolved(in: scope) else { continue }
        if let input = workflow.inputs[name], !input.accepts(json) {
          throw UnresolvedValue(
            "input `\(name)` expects type \(input.type.rawValue), found \(Matcher.show(json))", at: value.place)
        }
        values[name] = json
      }
    } catch {
      return .end(WorkflowResult(step: id, unresolved: error))
    }
    frames.append(MachineFrame(workflow, prefix: id + "/", inputs: workflow.inputValues(values)))
    return .enter(0, .next)
  }
}
