import AppRegistration
import Documents
import OrderedCollections
import Synchronization
import WorkflowModel
import WorkflowRunner

/// If no scenario takes the simplest path to a transition, a scenario can be based on another run that took the
/// transition or reached the step. The workflow's own scenarios provide useful runs, because they already contain
/// the required preconditions.
extension Explorer {
  /// Proves the remaining paths, except paths for combinations of failures, which require their own runs.
  func proveOtherwise(_ proofs: inout PathProofs) async {
    proofs.takeOthers()
    guard !proofs.left.isEmpty, !Task.isCancelled, !isExhausted else { return }
    let own = await ownRuns().filter(\.isClean)
    for run in own { proofs.learn(from: run) }
    proofs.takeOthers()
    await extendProofs(&proofs)
    // Each proof can make other paths reachable.
    var seen: Set<String> = []
    for _ in 0..<3 {
      let (proven, performed) = (proofs.proven, memory.performed.withLock { $0 })
      let left = proofs.left
      for start in stride(from: 0, to: left.count, by: Self.mostAtATime) where !isExhausted && !Task.isCancelled {
        await proveFromOthers(&proofs, left[start...].prefix(Self.mostAtATime), own, &seen)
      }
      if proofs.left.isEmpty || proofs.proven == proven || Task.isCancelled { return }
      if memory.performed.withLock({ $0 }) == performed { return }
    }
  }

  /// - Parameters:
  ///   - left: The remaining paths.
  ///   - seen: The scenarios that were already tried, by path.
  private func proveFromOthers(
    _ proofs: inout PathProofs, _ left: ArraySlice<Int>, _ own: [ScenarioAttempt], _ seen: inout Set<String>
  ) async {
    let attempts = left.map { index in
      candidates(for: index, proofs, own).filter { seen.insert("\(index) \($0.scenario.text())").inserted }
    }
    // Try only one scenario per path at a time, because for most paths the first scenario is sufficient.
    var number = 0
    while attempts.contains(where: { number < $0.count }), !Task.isCancelled {
      let candidates = attempts.compactMap { $0.indices.contains(number) ? $0[number] : nil }
        .filter { proofs.paths[$0.pathIndex].proof != .proven }
      if candidates.isEmpty { return }
      number += 1
      let before = memory.performed.withLock { $0 }
      await run(candidates) { candidate, report in
        guard let result = report.result else { return }
        proofs.learn(from: ScenarioAttempt(candidate.scenario, result, isClean: report.problems.isEmpty))
      }
      proofs.takeOthers()
      onProgress(.proven(proofs.proven))
      if memory.performed.withLock({ $0 }) == before { return }
    }
  }

  /// Tries other strategies for earlier outcomes on a path. The strategy for an earlier outcome can determine whether a
  /// run reaches a step.
  private func extendProofs(_ proofs: inout PathProofs) async {
    var seen: Set<String> = []
    var candidates: [Candidate] = []
    for index in proofs.left {
      let path = proofs.paths[index].explored
      guard path.outcome.name != .skipped, proofs.performing[path.step.id] == nil, seen.insert(path.step.id).inserted
      else { continue }
      for entry in path.entries.dropLast().suffix(6).reversed() {
        for recipe in otherRecipes(entry).prefix(6) {
          candidates.append(
            Candidate(
              pathIndex: index, recipe: recipe, scenario: scenario(path, OutcomeStrategy(), with: [entry: recipe])))
        }
      }
    }
    await run(candidates) { candidate, report in
      guard let result = report.result else { return }
      proofs.learn(from: ScenarioAttempt(candidate.scenario, result, isClean: report.problems.isEmpty))
    }
    proofs.takeOthers()
  }

  /// Returns all strategies for an outcome except the simplest one.
  func otherRecipes(_ entry: String) -> [OutcomeStrategy] {
    guard let parts = PathEntry(entry), let step = steps[String(parts.step)] else { return [] }
    return Array(OutcomeStrategies.recipes(for: step, outcome: parts.outcome).dropFirst())
  }

  /// Returns the transitions of each of the workflow's own scenarios.
  package func ownTransitions() async -> [[TakenTransition]] { await ownRuns().map(\.transitions) }

  /// Runs the workflow's own scenarios once, including all matrix rows.
  private func ownRuns() async -> [ScenarioAttempt] {
    if let known = memory.own.withLock({ $0 }) { return known }
    var seen: Set<String> = []
    let cases = loaded.cases().cases.map { ($0, $0.scenario.overrides) }
      .filter { seen.insert($0.1.text()).inserted }
    var runs: [ScenarioAttempt] = []
    await run(cases.map(\.0), mostSteps: nil) { number, report in
      guard let result = report.result else { return }
      runs.append(ScenarioAttempt(cases[number].1, result, isClean: report.problems.isEmpty))
    }
    if !Task.isCancelled { memory.own.withLock { $0 = runs } }
    return runs
  }
}
