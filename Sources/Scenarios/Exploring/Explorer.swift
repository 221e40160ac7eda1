import AppRegistration
import Diagnostics
import Documents
import Effects
import OrderedCollections
import WorkflowModel
import WorkflowRunner

/// Forces the ways of an exploration on the emulated platform: writes a scenario for each, runs it, and keeps the first
/// that takes the way.
package struct Explorer: Sendable {
  let path: String
  let load: DocumentLoad
  private let world: World
  private let jobs: Int
  private let tool: String
  /// Told of every scenario that was run, and of how many ways are proven by now.
  package var tell: @Sendable (Progress) -> Void = { _ in }

  package enum Progress: Sendable {
    case ran
    case proven(Int)
  }

  /// - Parameters:
  ///   - load: reads documents by their paths, the workflow's own too.
  ///   - world: the real one: files are read there and never written.
  ///   - jobs: how many scenarios run at the same time.
  package init(_ path: String, load: @escaping DocumentLoad, world: World, jobs: Int, tool: String) {
    self.path = path
    self.load = load
    self.world = world
    self.jobs = max(1, jobs)
    self.tool = tool
  }

  /// A scenario to try for a way.
  struct Candidate: Sendable {
    var way: Int
    var recipe: Recipe
    var scenario: JSON
  }

  struct Ran: Sendable {
    var way: Int
    var report: ScenarioReport
  }

  /// Runs scenarios until each way is proven or nothing is left to try.
  ///
  /// Cancelling ends it: what is proven by then stays, and every other way was not tried to its end.
  package func prove(_ exploration: Exploration) async -> [ExplorationRecord.Path] {
    let ways = exploration.ways
    var paths = ways.enumerated().map { index, way in
      ExplorationRecord.Path(
        way: way, name: Self.name(way, among: ways[..<index]),
        proof: .notForced(why: Forcing.reason(for: way.step, outcome: way.outcome.name), path: []), scenario: nil,
        transitions: [])
    }
    // What forces an entry, for the ways that lead over it.
    var known: [String: Recipe] = [:]
    var tried: [Tried] = []
    let counts = Set(ways.map(\.detours)).sorted()
    for count in counts {
      var waiting = ways.indices.filter { ways[$0].detours == count }
      var attempt = 0
      while !waiting.isEmpty, !Task.isCancelled {
        var candidates: [Candidate] = []
        for index in waiting {
          let all = Self.candidates(for: index, ways[index], exploration.workflow, known)
          if attempt < all.count { candidates.append(all[attempt]) }
        }
        if candidates.isEmpty { break }
        attempt += 1
        for (candidate, ran) in await run(candidates) {
          let way = ways[candidate.way]
          guard let result = ran.report.result else { continue }
          let agrees =
            result.path.count >= way.entries.count && Array(result.path.prefix(way.entries.count)) == way.entries
          let isClean = ran.report.troubles.isEmpty
          let took = Self.takes(result, way)
          if isClean { tried.append(Tried(scenario: candidate.scenario, result: result)) }
          // A step whose expectation does not hold goes nowhere, whatever the machine has for its outcome.
          let isBroken = result.transitions.contains { $0.step == way.step.id && $0.to == nil }
          if agrees, isClean, took {
            paths[candidate.way].proof = .proven
            paths[candidate.way].scenario = Self.expecting(candidate.scenario, result)
            paths[candidate.way].transitions = result.transitions
            if known[way.entry] == nil { known[way.entry] = candidate.recipe }
          } else if agrees, isClean, isBroken {
            paths[candidate.way].proof = .notForced(why: "what the step expects did not hold", path: result.path)
          } else if agrees, isClean {
            paths[candidate.way].proof = .differs(path: result.path)
          } else if case .notForced(let why, let path) = paths[candidate.way].proof, path.isEmpty {
            paths[candidate.way].proof = .notForced(why: why, path: result.path)
          }
        }
        let answered = Set(candidates.map(\.way))
        waiting.removeAll { index in
          paths[index].proof == .proven || !answered.contains(index)
        }
        tell(.proven(paths.count { $0.proof == .proven }))
      }
    }
    await proveOtherwise(&paths, tried)
    guard Task.isCancelled else { return paths }
    for index in paths.indices {
      if case .notForced = paths[index].proof { paths[index].proof = .notTried }
    }
    return paths
  }

  // MARK: Scenarios

  /// `silent ends in offline`; where several ways end so, with where this one goes or what came before.
  private static func name(_ way: Exploration.Way, among others: ArraySlice<Exploration.Way>) -> String {
    let plain =
      switch way.outcome.name {
      case "skipped": "\(way.step.id) is skipped"
      default: "\(way.step.id) ends in \(way.outcome.name)"
      }
    let same = others.filter { $0.entry == way.entry }
    if same.isEmpty { return plain }
    let longer = "\(plain), then \(way.to)"
    return same.contains { $0.to == way.to } || same.count > 1 ? "\(longer) (\(same.count + 1))" : longer
  }

  private static func candidates(
    for index: Int, _ way: Exploration.Way, _ workflow: Workflow, _ known: [String: Recipe]
  ) -> [Candidate] {
    let finds = way.entries.contains { $0.hasSuffix(".found") }
    let nobody: [JSON] = []
    let somebody: [JSON] = ["signedIn"]
    let starts = finds ? [somebody] : [nobody, somebody]
    var candidates: [Candidate] = []
    for recipe in Forcing.recipes(for: way.step, outcome: way.outcome.name) {
      // Who is signed in is then the recipe's own business.
      let own = recipe.given.isEmpty ? starts : [nobody]
      for start in own {
        let scenario = scenario(way, workflow, start, recipe, known)
        candidates.append(Candidate(way: index, recipe: recipe, scenario: scenario))
      }
    }
    return candidates
  }

  /// The scenario that forces every entry of a way.
  private static func scenario(
    _ way: Exploration.Way, _ workflow: Workflow, _ start: [JSON], _ recipe: Recipe, _ known: [String: Recipe]
  ) -> JSON {
    var given = start
    var before: [(step: String, happenings: [JSON])] = []
    var sittings: [JSON] = []
    var undo: [JSON] = []
    var runs: [String: Int] = [:]
    func happens(_ happenings: [JSON], before step: String) {
      guard !happenings.isEmpty else { return }
      if let index = before.firstIndex(where: { $0.step == step }) {
        before[index].happenings += happenings
      } else {
        before.append((step, happenings))
      }
    }
    for (position, entry) in way.entries.enumerated() {
      let dot = entry.lastIndex(of: ".") ?? entry.startIndex
      let id = String(entry[..<dot])
      let outcome = String(entry[entry.index(after: dot)...])
      if outcome == "skipped" || outcome == "exhausted" { continue }
      runs[id, default: 0] += 1
      let place = runs[id] == 1 ? id : "\(id)[\(runs[id] ?? 1)]"
      let isLast = position == way.entries.count - 1
      let own = isLast ? recipe : known[entry] ?? Recipe()
      given += own.given
      happens(undo, before: place)
      undo = own.undo
      happens(own.before, before: place)
      if let step = workflow.ownSteps[id]?.step, step.seatsPerson { sittings.append(own.user ?? [:]) }
    }
    if let next = way.next, !undo.isEmpty { happens(undo, before: runs[next].map { "\(next)[\($0 + 1)]" } ?? next) }
    var scenario: JSON = [:]
    if !given.isEmpty { scenario["given"] = .array(given) }
    if !before.isEmpty {
      var steps: JSON = [:]
      for (step, happenings) in before { steps[step] = .array(happenings) }
      scenario["before"] = steps
    }
    if sittings.contains(where: { $0.object?.isEmpty == false }) {
      // The last repeats: whoever sits down after the way behaves.
      scenario["user"] = .array(sittings + [[:]])
    }
    var inputs: JSON = [:]
    for input in workflow.inputs.values where input.isRequired { inputs[input.name] = input.plausibleValue }
    if inputs != [:] { scenario["inputs"] = inputs }
    return scenario
  }

  /// The scenario with what came as what must come.
  static func expecting(_ scenario: JSON, _ result: ScenarioResult) -> JSON {
    var expect: JSON = [:]
    if !result.succeeded { expect["outcome"] = .string(result.outcome) }
    expect["path"] = .array(result.path.map { .string($0) })
    var whole = scenario
    whole["expect"] = expect
    return whole
  }

  // MARK: Running

  /// Reads the workflow with these scenarios in place of its own, and runs them.
  func run(_ candidates: [Candidate]) async -> [(Candidate, Ran)] {
    var scenarios: JSON = [:]
    for (number, candidate) in candidates.enumerated() { scenarios["way \(number)"] = candidate.scenario }
    let original = load(path, ReadingOptions())
    guard let document = original.document else { return [] }
    var root = document.root.json
    root["scenarios"] = scenarios
    // In its own order: the first of several apps is the one that counts where none is named.
    let text = Array(root.text(sortedKeys: false).utf8)
    let (load, path) = (self.load, self.path)
    let (loaded, _) = LoadedWorkflow.read(path) { name, options in
      name == path ? DocumentReader.read(text, named: path, options: options) : load(name, options)
    }
    guard let loaded else { return [] }
    let cases = Dictionary(loaded.cases().cases.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return await withTaskGroup(of: (Int, Ran).self) { group in
      var ran: [(Int, Ran)] = []
      var next = 0
      func add() {
        while next < candidates.count, !Task.isCancelled {
          let number = next
          next += 1
          guard let test = cases["way \(number)"] else { continue }
          let way = candidates[number].way
          group.addTask { [world, tool] in (number, Ran(way: way, report: await test.run(in: world, tool: tool))) }
          return
        }
      }
      for _ in 0..<jobs { add() }
      while let one = await group.next() {
        ran.append(one)
        tell(.ran)
        add()
      }
      return ran.sorted { $0.0 < $1.0 }.map { (candidates[$0.0], $0.1) }
    }
  }
}

extension Step {
  /// Whether a person sits down during it.
  var seatsPerson: Bool {
    switch kind.key {
    case "interactive", "deviceCode": return true
    default: break
    }
    switch action {
    case .signout(let signout): return signout.signoutFromBrowser != nil
    case .together(let members): return members.contains(where: \.seatsPerson)
    case .use: return true
    default: return false
    }
  }
}

extension InputDeclaration {
  /// A value of its type, for those that must be set.
  fileprivate var plausibleValue: JSON {
    switch type {
    case .string: "text"
    case .integer: 1
    case .number: 1.5
    case .boolean: true
    case .array: []
    case .duration: "1s"
    }
  }
}
