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
  func proveOtherwise(_ proofs: inout Proofs) async {
    proofs.takeOthers()
    guard !proofs.left.isEmpty, !Task.isCancelled else { return }
    let own = await ownRuns().filter(\.isClean)
    for run in own { proofs.learn(from: run) }
    proofs.takeOthers()
    await comeFurther(&proofs)
    let attempts = proofs.left.map { candidates(for: $0, proofs, own) }
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
        proofs.learn(from: Tried(candidate.scenario, result, isClean: report.troubles.isEmpty))
      }
      proofs.takeOthers()
      tell(.proven(proofs.proven))
      if memory.performed.withLock({ $0 }) == before { return }
    }
  }

  /// Steps that no run performed so far may be behind a condition that asks how an earlier step ended: there are other
  /// ways to end so than the plainest.
  private func comeFurther(_ proofs: inout Proofs) async {
    var seen: Set<String> = []
    var candidates: [Candidate] = []
    for index in proofs.left {
      let way = proofs.paths[index].way
      guard way.outcome.name != "skipped", proofs.performing[way.step.id] == nil, seen.insert(way.step.id).inserted
      else { continue }
      for entry in way.entries.dropLast().suffix(6).reversed() {
        for recipe in otherRecipes(entry).prefix(6) {
          candidates.append(
            Candidate(way: index, recipe: recipe, scenario: scenario(way, Recipe(), with: [entry: recipe])))
        }
      }
    }
    await run(candidates) { candidate, report in
      guard let result = report.result else { return }
      proofs.learn(from: Tried(candidate.scenario, result, isClean: report.troubles.isEmpty))
    }
    proofs.takeOthers()
  }

  /// What else than the plainest recipe makes a step end so.
  private func otherRecipes(_ entry: String) -> [Recipe] {
    guard let parts = PathEntry(entry), let step = loaded.workflow.ownSteps[String(parts.step)]?.step else { return [] }
    return Array(Forcing.recipes(for: step, outcome: String(parts.outcome)).dropFirst())
  }

  /// What the workflow's own scenarios took, a list for each.
  package func ownTransitions() async -> [[TakenTransition]] { await ownRuns().map(\.transitions) }

  /// The workflow's own scenarios, rows of matrices one by one, as far as they come about. They are run once.
  private func ownRuns() async -> [Tried] {
    if let known = memory.own.withLock({ $0 }) { return known }
    var seen: Set<String> = []
    let cases = loaded.cases().cases.map { ($0, $0.scenario.circumstances) }
      .filter { seen.insert($0.1.text()).inserted }
    var runs: [Tried] = []
    await run(cases.map(\.0), mostSteps: nil) { number, report in
      guard let result = report.result else { return }
      runs.append(Tried(cases[number].1, result, isClean: report.troubles.isEmpty))
    }
    if !Task.isCancelled { memory.own.withLock { $0 = runs } }
    return runs
  }

  /// Scenarios that go as another run did up to a way's step, and there as its recipes say.
  private func candidates(for index: Int, _ proofs: Proofs, _ own: [Tried]) -> [Candidate] {
    let way = proofs.paths[index].way
    var bases = own.filter { $0.performs(way.step.id) != nil }.sorted { $0.length < $1.length }.prefix(2)
    if let other = proofs.performing[way.step.id], !bases.contains(where: { $0.scenario == other.scenario }) {
      bases.append(other)
    }
    var candidates: [Candidate] = []
    for base in bases {
      // Mended right before the step, or as soon as what broke it has happened.
      let mended = misbehaving.flatMap { base.performs($0) }.map { base.path.index(after: $0) }
      let next = mended.flatMap { base.path.indices.contains($0) ? PathEntry(base.path[$0])?.step : nil }
      for recipe in Forcing.recipes(for: way.step, outcome: way.outcome.name) {
        var scenarios = [scenario(from: base, recipe, way)]
        if misbehaving != nil { scenarios.append(scenario(from: base, recipe.after(["behaves"]), way)) }
        if let next, next != way.step.id {
          scenarios.append(scenario(from: base, recipe, way, first: (String(next), "behaves")))
        }
        candidates += scenarios.compactMap(\.self).map { Candidate(way: index, recipe: recipe, scenario: $0) }
      }
    }
    return candidates
  }

  /// The step that makes the platform misbehave: it has to be mended before anything else can go wrong.
  private var misbehaving: String? {
    loaded.workflow.steps.first { step in
      guard case .happens(let happenings) = step.action else { return false }
      return happenings.contains { $0.said["misbehaves"] != nil }
    }?.id
  }

  /// A scenario that goes as another one does, up to a step, and there as a recipe says.
  /// - Parameter first: what happens before an earlier step.
  private func scenario(
    from base: Tried, _ recipe: Recipe, _ way: Exploration.Way, first: (step: String, happening: JSON)? = nil
  ) -> JSON? {
    guard let position = base.performs(way.step.id) else { return nil }
    var scenario = base.scenario
    if !recipe.given.isEmpty { scenario["given"] = .array((scenario["given"]?.array ?? []) + recipe.given) }
    var before = scenario["before"] ?? [:]
    func happens(_ happenings: [JSON], before step: String) {
      guard !happenings.isEmpty else { return }
      let already = before[step].map { $0.array ?? [$0] } ?? []
      before[step] = .array(already + happenings)
    }
    if let first { happens([first.happening], before: first.step) }
    happens(recipe.before, before: way.step.id)
    // Behind a failure no step comes before which anything could happen.
    if let next = way.next { happens(recipe.undo, before: next) }
    if before != [:] { scenario["before"] = before }
    recipe.settle(&scenario, for: way.step, of: loaded.workflow)
    if let user = recipe.user {
      guard scenario["user"] == nil else { return nil }
      let seated = Set(loaded.workflow.ownSteps.values.filter(\.step.seatsPerson).map(\.step.id))
      let sittings = base.path[..<position].filter { entry in
        PathEntry(entry).map { seated.contains(String($0.step)) && $0.isPerformed } ?? false
      }
      scenario["user"] = .array(sittings.map { _ in [:] } + [user, [:]])
    }
    return scenario
  }
}
