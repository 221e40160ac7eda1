import Documents
import OrderedCollections
import Synchronization
import WorkflowModel
import WorkflowRunner

/// Creates scenarios that repeat an earlier run up to a step and then force an outcome.
extension Explorer {
  func candidates(for index: Int, _ proofs: PathProofs, _ own: [ScenarioAttempt]) -> [Candidate] {
    let path = proofs.paths[index].explored
    var bases = Array(own.filter { $0.performs(path.step.id) != nil }.sorted { $0.length < $1.length }.prefix(2))
    for other in [proofs.performing[path.step.id], proofs.succeeding[path.step.id]].compactMap(\.self)
    where !bases.contains(where: { $0.scenario == other.scenario }) {
      bases.append(other)
    }
    let recipes =
      OutcomeStrategies.recipes(for: path.step, outcome: path.outcome.name)
      + surroundings.recipes(for: path.step, outcome: path.outcome.name)
    var candidates: [Candidate] = []
    for base in bases {
      guard let position = base.performs(path.step.id) else { continue }
      let undoing = undoing(in: base.path[..<position])
      for recipe in recipes {
        var scenarios = [scenario(from: base, [(path.step.id, recipe)], next: path.next)]
        for undo in undoing {
          let undone = recipe.after(undo.events)
          scenarios.append(scenario(from: base, [(path.step.id, undone)], next: path.next))
          // Undo the events immediately after their step, because later steps can depend on the restored state.
          if let next = undo.next, next != path.step.id {
            let soon = (step: next, events: undo.events)
            scenarios.append(scenario(from: base, [(path.step.id, recipe)], next: path.next, first: soon))
          }
        }
        candidates += scenarios.compactMap(\.self).map { Candidate(pathIndex: index, recipe: recipe, scenario: $0) }
      }
    }
    return candidates + detours(for: index, proofs)
  }

  /// Returns scenarios for a path that repeats a call, based on an earlier run that made the call.
  private func detours(for index: Int, _ proofs: PathProofs) -> [Candidate] {
    let path = proofs.paths[index].explored
    let entries = path.entries
    guard let turn = entries.dropLast().lastIndex(where: { PathEntry($0)?.outcome == .claimsChallenge }),
      let call = PathEntry(entries[turn]).map({ String($0.step) }), let base = proofs.performing[call]
    else { return [] }
    let known = memory.known.withLock { $0 }
    var plain: [(step: String, recipe: OutcomeStrategy)] = []
    var others: [(position: Int, recipe: OutcomeStrategy)] = []
    for entry in entries[turn...] {
      guard let parts = PathEntry(entry), parts.isPerformed, let step = steps[String(parts.step)] else { continue }
      let all = OutcomeStrategies.recipes(for: step, outcome: parts.outcome)
      others += all.prefix(6).map { (plain.count, $0) }
      plain.append((step.id, known[entry] ?? all.first ?? OutcomeStrategy()))
    }
    var variants = [plain]
    for other in others {
      var varied = plain
      varied[other.position].recipe = other.recipe
      variants.append(varied)
    }
    return variants.compactMap { steps in
      scenario(from: base, steps, next: path.next)
        .map { Candidate(pathIndex: index, recipe: steps.last?.recipe ?? OutcomeStrategy(), scenario: $0) }
    }
  }

  /// Returns the events that undo the workflow's own events on a path, first for each step separately, and then for all
  /// steps together.
  private func undoing(in path: ArraySlice<String>) -> [(events: [JSON], next: String?)] {
    var found: [(events: [JSON], next: String?)] = []
    for (position, entry) in zip(path.indices, path) {
      guard let step = PathEntry(entry)?.step, let events = surroundings.undoing[String(step)] else { continue }
      let next = path.index(after: position)
      found.append((events, path.indices.contains(next) ? PathEntry(path[next]).map { String($0.step) } : nil))
    }
    // Use only the last three steps, because they are closest to the end of the path.
    found = found.suffix(3)
    return found.count > 1 ? found + [(found.flatMap(\.events), nil)] : found
  }

  /// Creates a scenario that repeats an earlier run up to the given steps and then forces their outcomes.
  /// - Parameters:
  ///   - steps: Consecutive steps, with the strategies that force their outcomes.
  ///   - next: The step after these steps, or nil at the end of the path.
  ///   - first: Additional events before a step, or nil.
  /// - Returns: The scenario, or nil if the user behavior of the base cannot be changed.
  private func scenario(
    from base: ScenarioAttempt, _ steps: [(step: String, recipe: OutcomeStrategy)], next: String?,
    first: (step: String, events: [JSON])? = nil
  ) -> JSON? {
    guard let position = steps.first.flatMap({ base.performs($0.step) }) else { return nil }
    var scenario = base.scenario
    var before = scenario["before"] ?? [:]
    func simulate(_ events: [JSON], before step: String) {
      guard !events.isEmpty else { return }
      let already = before[step].map { $0.array ?? [$0] } ?? []
      before[step] = .array(already + events)
    }
    var runs: [String: Int] = [:]
    var sittings = 0
    for entry in base.path[..<position] {
      guard let parts = PathEntry(entry), parts.isPerformed, let step = self.steps[String(parts.step)] else { continue }
      runs[step.id, default: 0] += 1
      if step.seatsUser { sittings += 1 }
    }
    func place(_ step: String) -> String { runs[step].map { "\(step)[\($0 + 1)]" } ?? step }
    if let first { simulate(first.events, before: first.step) }
    var undo: [JSON] = []
    for (id, recipe) in steps {
      guard let step = self.steps[id] else { return nil }
      if !recipe.given.isEmpty { scenario["given"] = .array((scenario["given"]?.array ?? []) + recipe.given) }
      simulate(undo + recipe.before, before: place(id))
      undo = recipe.undo
      recipe.settle(&scenario, for: step, of: loaded.workflow)
      if let user = recipe.user {
        guard let all = Self.sittings(scenario["user"], with: user, at: sittings) else { return nil }
        scenario["user"] = all
      }
      runs[id, default: 0] += 1
      if step.seatsUser { sittings += 1 }
    }
    // After a failure, there is no next step before which an event can occur.
    if let next { simulate(undo, before: place(next)) }
    if before != [:] { scenario["before"] = before }
    return scenario
  }

  /// Returns the user behavior for each interaction, with the behavior for one interaction replaced.
  private static func sittings(_ all: JSON?, with user: JSON, at position: Int) -> JSON? {
    guard var list = all == nil ? [] : all?.array, list.allSatisfy({ $0.object != nil }) else { return nil }
    let rest = list.last ?? [:]
    while list.count <= position { list.append(rest) }
    guard var members = list[position].object else { return nil }
    for (key, value) in user.object ?? [:] { members[key] = value }
    if position == list.count - 1 { list.append(rest) }
    list[position] = .object(members)
    return .array(list)
  }
}
