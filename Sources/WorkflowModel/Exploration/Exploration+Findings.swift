import Diagnostics

extension Exploration {
  /// The rules of the static checks that an exploration tells.
  private static let told: Set<String> = [
    "unreachable-step", "fallback-never-entered", "missing-fallback", "endless-loop", "call-before-token",
    "interactive-before-silent", "timeout-without-effect",
  ]

  /// The rules whose findings fail an exploration.
  package static let failing: Set<String> = [
    "unreachable-step", "fallback-never-entered", "endless-loop", "no-successful-path", "beyond-max-steps",
  ]

  /// What is wrong with the machine, in reading order.
  package var findings: [Diagnostic] {
    let checks = WorkflowChecks.run(workflow).filter { Self.told.contains($0.rule) }
    return (checks + deadEnds + beyondBound + decidedConditions).inReadingOrder()
  }

  /// Steps after which the workflow can only fail.
  private var deadEnds: [Diagnostic] {
    let graph = StepGraph(workflow.steps)
    var sources: [Int: Set<Int>] = [:]
    var succeeding: Set<Int> = []
    for place in graph.reached {
      for edge in graph.edges(from: place) {
        if let target = edge.target {
          sources[target.position, default: []].insert(place.position)
        } else if edge.destination == .success {
          succeeding.insert(place.position)
        }
      }
    }
    var waiting = Array(succeeding)
    while let position = waiting.popLast() {
      for source in sources[position] ?? [] where succeeding.insert(source).inserted { waiting.append(source) }
    }
    return workflow.steps.indices.compactMap { position in
      guard graph.isPerformed(position), !succeeding.contains(position) else { return nil }
      let step = workflow.steps[position]
      return Diagnostic(
        .error, rule: "no-successful-path", "from \"\(step.id)\" on the workflow can only fail",
        help: "no way from here comes to the end of the list, nor to an `on` that says end", at: step.place)
    }
  }

  /// Steps that some way leads to, but none within `maxSteps`.
  private var beyondBound: [Diagnostic] {
    guard isWhole else { return [] }
    let graph = StepGraph(workflow.steps)
    let walked = Set(ways.map(\.step.id))
    return workflow.steps.indices.compactMap { position in
      let step = workflow.steps[position]
      guard graph.isPerformed(position), !walked.contains(step.id), decided[step.id] != [false] else { return nil }
      return Diagnostic(
        .error, rule: "beyond-max-steps", "no way of at most \(workflow.maxSteps) steps ends \"\(step.id)\"",
        help: "raise maxSteps, which counts skipped steps too", at: step.place)
    }
  }

  /// Conditions that every way decides alike.
  private var decidedConditions: [Diagnostic] {
    guard isWhole else { return [] }
    return (workflow.steps + workflow.finally).compactMap { step in
      guard let answers = decided[step.id], answers.count == 1, let holds = answers.first else { return nil }
      return Diagnostic(
        .warning, rule: holds ? "condition-always-holds" : "condition-never-holds",
        holds ? "the `when` of \"\(step.id)\" holds on every way" : "the `when` of \"\(step.id)\" holds on no way",
        help: holds ? "it asks nothing: take it away" : "the step is always skipped", at: step.place)
    }
  }

  /// Outcomes that come every day; those of others are rare.
  private static let everyDay = [
    "offline", "userCanceled", "interactionRequired", "serverDeclinedScopes", "authorizationDeclined", "expiredToken",
    "unauthorized", "forbidden", "notFound", "throttled", "serviceUnavailable", "claimsChallenge", "timedOut",
    "ambiguousAccount", "exhausted", "violated",
  ]

  /// For each step the outcomes that end in failure by default.
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
          step: graph.steps[position], common: Self.everyDay.filter(names.contains),
          rare: names.filter { !Self.everyDay.contains($0) })
      }
    }
  }
}
