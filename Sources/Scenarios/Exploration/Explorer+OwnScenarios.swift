import AppRegistration
import Documents
import OrderedCollections
import Synchronization
import WorkflowModel
import WorkflowRunner

/// Where the plainest way to an arrow cannot be gone, another may: one that some run took by the way, or one that begins as
/// a scenario of the workflow's own does, whose author knows what it takes to come so far.
extension Explorer {
  /// Proves what is left. A way that stands for a combination of mishaps is proven by no other.
  func proveOtherwise(_ proofs: inout PathProofs) async {
    proofs.takeOthers()
    guard !proofs.left.isEmpty, !Task.isCancelled, !isExhausted else { return }
    let own = await ownRuns().filter(\.isClean)
    for run in own { proofs.learn(from: run) }
    proofs.takeOthers()
    await comeFurther(&proofs)
    // What is learnt by the way opens more.
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
  ///   - left: the ways that are tried.
  ///   - seen: the scenarios that were tried, by way.
  private func proveFromOthers(
    _ proofs: inout PathProofs, _ left: ArraySlice<Int>, _ own: [ScenarioAttempt], _ seen: inout Set<String>
  ) async {
    let attempts = left.map { index in
      candidates(for: index, proofs, own).filter { seen.insert("\(index) \($0.scenario.text())").inserted }
    }
    // One of each way at a time: most are proven by the first.
    var number = 0
    while attempts.contains(where: { number < $0.count }), !Task.isCancelled {
      let candidates = attempts.compactMap { $0.indices.contains(number) ? $0[number] : nil }
        .filter { proofs.paths[$0.way].proof != .proven }
      if candidates.isEmpty { return }
      number += 1
      let before = memory.performed.withLock { $0 }
      await run(candidates) { candidate, report in
        guard let result = report.result else { return }
        proofs.learn(from: ScenarioAttempt(candidate.scenario, result, isClean: report.troubles.isEmpty))
      }
      proofs.takeOthers()
      tell(.proven(proofs.proven))
      if memory.performed.withLock({ $0 }) == before { return }
    }
  }

  /// Steps that no run performed so far may be behind a condition that asks how an earlier step ended: there are other
  /// ways to end so than the plainest.
  private func comeFurther(_ proofs: inout PathProofs) async {
    var seen: Set<String> = []
    var candidates: [Candidate] = []
    for index in proofs.left {
      let way = proofs.paths[index].way
      guard way.outcome.name != "skipped", proofs.performing[way.step.id] == nil, seen.insert(way.step.id).inserted
      else { continue }
      for entry in way.entries.dropLast().suffix(6).reversed() {
        for recipe in otherRecipes(entry).prefix(6) {
          candidates.append(
            Candidate(way: index, recipe: recipe, scenario: scenario(way, OutcomeStrategy(), with: [entry: recipe])))
        }
      }
    }
    await run(candidates) { candidate, report in
      guard let result = report.result else { return }
      proofs.learn(from: ScenarioAttempt(candidate.scenario, result, isClean: report.troubles.isEmpty))
    }
    proofs.takeOthers()
  }

  /// What else than the plainest recipe makes a step end so.
  func otherRecipes(_ entry: String) -> [OutcomeStrategy] {
    guard let parts = PathEntry(entry), let step = steps[String(parts.step)] else { return [] }
    return Array(OutcomeStrategies.recipes(for: step, outcome: String(parts.outcome)).dropFirst())
  }

  /// What the workflow's own scenarios took, a list for each.
  package func ownTransitions() async -> [[TakenTransition]] { await ownRuns().map(\.transitions) }

  /// The workflow's own scenarios, rows of matrices one by one, as far as they come about. They are run once.
  private func ownRuns() async -> [ScenarioAttempt] {
    if let known = memory.own.withLock({ $0 }) { return known }
    var seen: Set<String> = []
    let cases = loaded.cases().cases.map { ($0, $0.scenario.circumstances) }
      .filter { seen.insert($0.1.text()).inserted }
    var runs: [ScenarioAttempt] = []
    await run(cases.map(\.0), mostSteps: nil) { number, report in
      guard let result = report.result else { return }
      runs.append(ScenarioAttempt(cases[number].1, result, isClean: report.troubles.isEmpty))
    }
    if !Task.isCancelled { memory.own.withLock { $0 = runs } }
    return runs
  }
}
