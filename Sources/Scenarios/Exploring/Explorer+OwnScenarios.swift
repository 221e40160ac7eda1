import AppRegistration
import Documents
import OrderedCollections
import WorkflowModel
import WorkflowRunner

/// Where the plainest way to an arrow cannot be gone, another may: one that some run took by the way, or one that begins as
/// a scenario of the workflow's own does, whose author knows what it takes to come so far.
extension Explorer {
  /// A scenario that was run, with what came of it.
  struct Tried: Sendable {
    var scenario: JSON
    var result: ScenarioResult
  }

  static func takes(_ result: ScenarioResult, _ way: Exploration.Way) -> Bool {
    result.transitions.contains { taken in
      taken.step == way.step.id && taken.outcome == way.outcome.name && taken.to == way.to
    }
  }

  /// Proves what is left. A way that stands for a combination of mishaps is proven by no other.
  func proveOtherwise(_ paths: inout [ExplorationRecord.Path], _ tried: [Tried]) async {
    func left() -> [Int] {
      paths.indices.filter { index in
        guard case .notForced = paths[index].proof else { return false }
        let way = paths[index].way
        return !paths[..<index].contains { $0.way.entry == way.entry && $0.way.to == way.to }
      }
    }
    func look(among runs: [Tried]) {
      for index in left() {
        let found = runs.filter { Self.takes($0.result, paths[index].way) }
        if let plainest = found.min(by: { Self.length($0) < Self.length($1) }) { take(plainest, for: index) }
      }
    }
    func take(_ run: Tried, for index: Int) {
      let way = paths[index].way
      paths[index].proof = .proven
      paths[index].scenario = Self.expecting(run.scenario, run.result)
      paths[index].transitions = run.result.transitions
      if let end = run.result.path.firstIndex(of: way.entry) {
        paths[index].way.entries = Array(run.result.path[...end])
      }
    }
    look(among: tried)
    guard !left().isEmpty, !Task.isCancelled else { return }
    let own = await ownRuns()
    look(among: own)
    let waiting = left()
    var attempts: [[Candidate]] = []
    for index in waiting {
      let way = paths[index].way
      let bases = own.filter { base in base.result.path.contains { $0.hasPrefix("\(way.step.id).") } }
        .sorted { Self.length($0) < Self.length($1) }.prefix(2)
      var candidates: [Candidate] = []
      for base in bases {
        for recipe in Forcing.recipes(for: way.step, outcome: way.outcome.name) {
          guard let scenario = Self.scenario(from: base, recipe, way, paths.map(\.way.step)) else { continue }
          candidates.append(Candidate(way: index, recipe: recipe, scenario: scenario))
        }
      }
      attempts.append(candidates)
    }
    // One of each way at a time: most are proven by the first.
    var number = 0
    while attempts.contains(where: { number < $0.count }), !Task.isCancelled {
      let candidates = attempts.compactMap { $0.indices.contains(number) ? $0[number] : nil }
        .filter { paths[$0.way].proof != .proven }
      number += 1
      for (candidate, ran) in await run(candidates) {
        guard let result = ran.report.result, ran.report.troubles.isEmpty,
          Self.takes(result, paths[candidate.way].way)
        else { continue }
        take(Tried(scenario: candidate.scenario, result: result), for: candidate.way)
      }
      tell(.proven(paths.count { $0.proof == .proven }))
    }
  }

  private static func length(_ run: Tried) -> Int { run.scenario.text().utf8.count }

  /// The workflow's own scenarios, rows of matrices written out, as far as they come about.
  private func ownRuns() async -> [Tried] {
    guard let root = load(path, ReadingOptions()).document?.root.json else { return [] }
    var scenarios: [JSON] = []
    for scenario in (root["scenarios"]?.object ?? [:]).values {
      var base = scenario
      for key in ["matrix", "expect", "description", "tags"] { base[key] = nil }
      guard let matrix = scenario["matrix"] else {
        scenarios.append(base)
        continue
      }
      for row in matrix.array ?? [] {
        var merged = base
        for (key, value) in row.object ?? [:] where key != "expect" && key != "description" && key != "tags" {
          let isLaidOver = ["before", "inputs"].contains(key)
          if isLaidOver, var under = merged[key]?.object, let over = value.object {
            under.merge(over) { _, new in new }
            merged[key] = .object(under)
          } else {
            merged[key] = value
          }
        }
        scenarios.append(merged)
      }
    }
    var seen: Set<String> = []
    let candidates = scenarios.filter { seen.insert($0.text()).inserted }
      .map { Candidate(way: 0, recipe: Recipe(), scenario: $0) }
    return await run(candidates).compactMap { candidate, ran in
      guard let result = ran.report.result, ran.report.troubles.isEmpty else { return nil }
      return Tried(scenario: candidate.scenario, result: result)
    }
  }

  /// A scenario that goes as another one does, up to a step, and there as a recipe says.
  private static func scenario(
    from base: Tried, _ recipe: Recipe, _ way: Exploration.Way, _ steps: [Step]
  ) -> JSON? {
    guard let position = base.result.path.firstIndex(where: { $0.hasPrefix("\(way.step.id).") }) else { return nil }
    var scenario = base.scenario
    if !recipe.given.isEmpty { scenario["given"] = .array((scenario["given"]?.array ?? []) + recipe.given) }
    var before = scenario["before"] ?? [:]
    func happens(_ happenings: [JSON], before step: String) {
      guard !happenings.isEmpty else { return }
      let already = before[step].map { $0.array ?? [$0] } ?? []
      before[step] = .array(already + happenings)
    }
    happens(recipe.before, before: way.step.id)
    // Behind a failure no step comes before which anything could happen.
    if let next = way.next { happens(recipe.undo, before: next) }
    if before != [:] { scenario["before"] = before }
    if let user = recipe.user {
      guard scenario["user"] == nil else { return nil }
      let seated = Set(steps.filter(\.seatsPerson).map(\.id))
      let sittings = base.result.path[..<position].filter { entry in
        entry.lastIndex(of: ".").map { seated.contains(String(entry[..<$0])) && !entry.hasSuffix(".skipped") } ?? false
      }
      scenario["user"] = .array(sittings.map { _ in [:] } + [user, [:]])
    }
    return scenario
  }
}
