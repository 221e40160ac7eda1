import Diagnostics

extension Exploration {
  /// The rules of the static checks whose findings an exploration reports.
  private static let reportedRules: Set<String> = [
    "unreachable-step", "fallback-never-entered", "missing-fallback", "endless-loop", "call-before-token",
    "interactive-before-silent", "timeout-without-effect",
  ]

  /// The rules that make an exploration fail.
  package static let failing: Set<String> = [
    "unreachable-step", "fallback-never-entered", "endless-loop", "no-successful-path", "beyond-max-steps",
  ]

  /// The problems in the state machine, in document order.
  package var findings: [Diagnostic] {
    let checks = WorkflowChecks.run(workflow).filter { Self.reportedRules.contains($0.rule) }
    return (checks + deadEnds + beyondMaxSteps + constantConditions).inReadingOrder()
  }

  /// Steps after which the workflow always fails.
  private var deadEnds: [Diagnostic] {
    let graph = StepGraph(workflow.steps)
    var predecessors: [Int: Set<Int>] = [:]
    var canSucceed: Set<Int> = []
    for place in graph.reached {
      for edge in graph.edges(from: place) {
        if let target = edge.target {
          predecessors[target.position, default: []].insert(place.position)
        } else if edge.destination == .success {
          canSucceed.insert(place.position)
        }
      }
    }
    var waiting = Array(canSucceed)
    while let position = waiting.popLast() {
      for predecessor in predecessors[position] ?? [] where canSucceed.insert(predecessor).inserted {
        waiting.append(predecessor)
      }
    }
    return workflow.steps.indices.compactMap { position in
      guard graph.isPerformed(position), !canSucceed.contains(position) else { return nil }
      let step = workflow.steps[position]
      return Diagnostic(
        .error, rule: "no-successful-path", "workflow always fails after step `\(step.id)`",
        help: "add a path to the end of the list, or an `on` with target `end`", at: step.place)
    }
  }

  /// Reachable steps that do not complete on any path of at most `maxSteps` steps.
  private var beyondMaxSteps: [Diagnostic] {
    guard isComplete else { return [] }
    let graph = StepGraph(workflow.steps)
    let completed = Set(paths.map(\.step.id))
    return workflow.steps.indices.compactMap { position in
      let step = workflow.steps[position]
      guard graph.isPerformed(position), !completed.contains(step.id), conditionResults[step.id] != [false] else {
        return nil
      }
      return Diagnostic(
        .error, rule: "beyond-max-steps", "step `\(step.id)` is not reachable within \(workflow.maxSteps) steps",
        help: "increase `maxSteps`, which also counts skipped steps", at: step.place)
    }
  }

  /// Conditions with the same result on all paths.
  private var constantConditions: [Diagnostic] {
    guard isComplete else { return [] }
    return (workflow.steps + workflow.finally).compactMap { step in
      guard let results = conditionResults[step.id], results.count == 1, let holds = results.first else { return nil }
      return Diagnostic(
        .warning, rule: holds ? "condition-always-holds" : "condition-never-holds",
        "the `when` condition of step `\(step.id)` \(holds ? "always" : "never") holds",
        help: holds ? "remove the condition" : "remove the step, or change the condition", at: step.place)
    }
  }

  /// Outcomes that are common in practice, most frequent first.
  private static let commonOutcomes: [OutcomeName] = [
    .offline, .userCanceled, .interactionRequired, .serverDeclinedScopes, .authorizationDeclined, .expiredToken,
    .unauthorized, .forbidden, .notFound, .throttled, .serviceUnavailable, .claimsChallenge, .timedOut,
    .ambiguousAccount, .exhausted, .violated,
  ]

  /// For each step, the outcomes that fail by default.
  package var unhandled: [Unhandled] {
    [StepGraph(workflow.steps), StepGraph(workflow.finally)].flatMap { graph in
      graph.steps.indices.compactMap { position -> Unhandled? in
        guard graph.isPerformed(position) else { return nil }
        let names = graph.possibleOutcomes(position).map(\.name).filter { name in
          let (destination, rule) = graph.transitions.leave(position, outcome: name)
          return destination == .failure && rule.source == .standard
        }
        guard !names.isEmpty else { return nil }
        return Unhandled(
          step: graph.steps[position], common: Self.commonOutcomes.filter(names.contains),
          rare: names.filter { !Self.commonOutcomes.contains($0) })
      }
    }
  }
}
