import Documents
import OrderedCollections

extension WorkflowMachine {
  /// A step's turn has come: it is skipped, has run often enough, or is performed.
  mutating func enter(_ position: Int, _ entry: MachineFrame.Entry) -> Move {
    guard position < frame.transitions.steps.count else { return .over(.success) }
    frame.current = position
    frame.attempt = 1
    if let ending = countStep() { return .over(ending) }
    let step = frame.transitions.steps[position]
    if case .again = entry { frame.repeatedCall = position } else { frame.repeatedCall = nil }
    do throws(UnresolvedValue) {
      if let holds = supposed(step, entry) {
        if !holds { return skip(step, "supposed") }
      } else if let reason = try reasonToSkip(step, entry) {
        return skip(step, reason)
      }
    } catch {
      return .over(WorkflowResult(step: frame.prefix + step.id, outcome: "violated", reason: .unresolved(error)))
    }
    if let limit = step.maxRuns, frame.runs[step.id, default: 0] >= limit {
      record(step, StepReport("exhausted"))
      addToPath(step, "exhausted")
      return .leave(outcome: "exhausted", isHandled: false)
    }
    return perform(position, entry, delay: nil)
  }

  /// Why the step is not done; nil where it is.
  func reasonToSkip(_ step: Step, _ entry: MachineFrame.Entry) throws(UnresolvedValue) -> String? {
    switch step.when {
    case .always: return nil
    case .fallback: return entry.countsAsEntering ? nil : "nothing fell back on it"
    case .holds(let expectations):
      // A detour enters by name, as an `on` enters a fallback.
      if case .detour = entry { return nil }
      let knowledge = knowledge(of: frame)
      for expectation in expectations {
        let judgement = try expectation.judge(knowledge, own: nil)
        if !judgement.holds {
          return "\(judgement.subject) is \(judgement.result.actual), not \(judgement.result.expected)"
        }
      }
      return nil
    }
  }

  private mutating func skip(_ step: Step, _ reason: String) -> Move {
    events.append(.skipped(id: frame.prefix + step.id, reason: reason))
    facts.record(frame.prefix + step.id, ["outcome": "skipped"])
    addToPath(step, "skipped")
    return .leave(outcome: "skipped", isHandled: false)
  }

  /// Starts a step, or starts it again after `delay`.
  mutating func perform(_ position: Int, _ entry: MachineFrame.Entry, delay: Duration?) -> Move {
    var step = frame.transitions.steps[position]
    if frame.attempt == 1 { frame.runs[step.id, default: 0] += 1 }
    switch step.action {
    case .assert where supposition != nil:
      events.append(.started(id: frame.prefix + step.id, attempt: frame.attempt))
      let holds = supposition?.answer(ExplorationAssumption.Question.assert, of: step.id) ?? true
      return .complete(StepReport(holds ? "holds" : "violated"))
    case .parallel where supposition != nil, .use where supposition != nil: break
    case .assert(let expectations): return judgeAssert(step, expectations)
    case .parallel(let members): return start(members, of: step, delay: delay)
    case .use(let use): return start(use, of: step)
    default: break
    }
    var inheritedFrom: String?
    if let (parameters, from) = frame.inheriting(position, entry) {
      step.action.token = parameters
      inheritedFrom = frame.transitions.steps[from].id
    } else if frame.attempt > 1, let parameters = frame.asked[position] {
      step.action.token = parameters
    }
    frame.asked[position] = step.action.token
    var claims: JSON?
    if step.action.token != nil {
      claims = frame.detour?.claims
      if claims == nil, case .fallback(let from) = entry { claims = frame.serverClaims[from] }
    }
    events.append(.started(id: frame.prefix + step.id, attempt: frame.attempt))
    return .act(
      .perform([
        StepInvocation(
          id: frame.prefix + step.id, step: step, attempt: frame.attempt, delay: delay, challengeClaims: claims,
          inheritedFrom: inheritedFrom.map { frame.prefix + $0 },
          scope: ValueScope(names: frame.names, surroundings: surroundings), workflow: frame.workflow)
      ]))
  }

  private mutating func judgeAssert(_ step: Step, _ expectations: [Expectation]) -> Move {
    events.append(.started(id: frame.prefix + step.id, attempt: frame.attempt))
    do throws(UnresolvedValue) {
      let judgements = try judge(expectations, own: nil)
      events.append(.judged(id: frame.prefix + step.id, judgements))
      return .complete(StepReport(judgements.allSatisfy(\.holds) ? "holds" : "violated"))
    } catch {
      return .over(WorkflowResult(step: frame.prefix + step.id, outcome: "violated", reason: .unresolved(error)))
    }
  }

  func judge(_ expectations: [Expectation], own: JSON?) throws(UnresolvedValue) -> [ExpectationResult] {
    let knowledge = knowledge(of: frame)
    var judgements: [ExpectationResult] = []
    for expectation in expectations { judgements.append(try expectation.judge(knowledge, own: own)) }
    return judgements
  }

  /// Begins another workflow inside this one.
  private mutating func start(_ use: Use, of step: Step) -> Move {
    let id = frame.prefix + step.id
    events.append(.started(id: id, attempt: frame.attempt))
    guard let workflow = use.workflow else {
      // The checks refuse such a workflow before it runs.
      return .over(WorkflowResult(step: id, outcome: "invalidParameter", reason: .outcome))
    }
    var values: OrderedDictionary<String, JSON> = [:]
    let scope = ValueScope(names: frame.names, surroundings: surroundings)
    do throws(UnresolvedValue) {
      for (name, value) in use.with {
        guard let json = try value.resolved(in: scope) else { continue }
        if let input = workflow.inputs[name], !input.accepts(json) {
          throw UnresolvedValue(
            "the input \"\(name)\" is of the type \(input.type.rawValue), found \(Matcher.show(json))", at: value.place)
        }
        values[name] = json
      }
    } catch {
      return .over(WorkflowResult(step: id, outcome: "violated", reason: .unresolved(error)))
    }
    frames.append(MachineFrame(workflow, prefix: id + "/", inputs: workflow.inputValues(values)))
    return .enter(0, .next)
  }
}
