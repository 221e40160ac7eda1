import AppRegistration
import Diagnostics
import Documents
import Effects
import OrderedCollections
import Synchronization
import WorkflowModel
import WorkflowRunner

/// Forces the ways of an exploration on the emulated platform: writes a scenario for each, runs it, and keeps the first
/// that takes the way.
package struct Explorer: Sendable {
  let loaded: LoadedWorkflow
  private let load: DocumentLoader
  private let world: World
  private let jobs: Int
  private let tool: String
  let memory = Memory()
  /// Its steps, and those behind `finally`, by their ids.
  let steps: [String: Step]
  let surroundings: WorkflowContext
  /// Told of every scenario that was run, and of how many ways are proven by now.
  package var tell: @Sendable (Progress) -> Void = { _ in }

  package enum Progress: Sendable {
    case ran
    case proven(Int)
  }

  /// How many steps are performed at the most to prove the ways of one workflow: that bounds the time, whatever the
  /// workflow. Its own scenarios do not count.
  package var mostSteps = 100_000
  /// Values for references in the settings, as for the workflow itself.
  package var definitions = Definitions.none

  /// - Parameters:
  ///   - loaded: the workflow, as `load` reads it.
  ///   - load: reads documents by their paths, the workflow's own too.
  ///   - world: the real one: files are read there and never written.
  ///   - jobs: how many scenarios run at the same time.
  package init(_ loaded: LoadedWorkflow, load: @escaping DocumentLoader, world: World, jobs: Int, tool: String) {
    self.loaded = loaded
    self.load = load
    self.world = world
    self.jobs = max(1, jobs)
    self.tool = tool
    steps = loaded.workflow.ownSteps.mapValues(\.step)
    surroundings = WorkflowContext(of: loaded.workflow)
  }

  /// A scenario to try for a way.
  struct Candidate: Sendable {
    var way: Int
    var recipe: OutcomeStrategy
    var scenario: JSON
  }

  /// Runs scenarios until each way is proven or nothing is left to try.
  ///
  /// Canceling ends it: what is proven by then stays, and every other way was not tried to its end. So does the bound
  /// of performed steps.
  package func prove(_ exploration: Exploration) async -> [ExplorationResult.Path] {
    let ways = exploration.ways
    var names = PathNames()
    var proofs = PathProofs(
      ways.map { way in
        ExplorationResult.Path(
          way: way, name: names.name(way),
          proof: .notForced(reason: reason(for: way), path: []), scenario: nil,
          transitions: [])
      })
    // What forces an entry, for the ways that lead over it.
    var known: [String: OutcomeStrategy] = [:]
    let counts = Set(ways.map(\.detours)).sorted()
    for count in counts {
      var waiting = ways.indices.filter { ways[$0].detours == count }
      var attempt = 0
      while !waiting.isEmpty, !Task.isCancelled, !isExhausted {
        var answered: Set<Int> = []
        // So many at a time: what no run will come to is not written.
        for start in stride(from: 0, to: waiting.count, by: Self.mostAtATime) where !isExhausted && !Task.isCancelled {
          let candidates = waiting[start...].prefix(Self.mostAtATime)
            .compactMap { candidate(attempt, for: $0, ways[$0], known) }
          answered.formUnion(candidates.map(\.way))
          let done = proofs.proven
          await run(candidates) { candidate, report in
            guard let result = report.result else { return }
            proofs.judge(candidate, report, result)
            if proofs.paths[candidate.way].proof == .proven, known[ways[candidate.way].entry] == nil {
              known[ways[candidate.way].entry] = candidate.recipe
            }
            if proofs.proven > done { tell(.proven(proofs.proven)) }
          }
        }
        if answered.isEmpty { break }
        attempt += 1
        waiting.removeAll { proofs.paths[$0].proof == .proven || !answered.contains($0) }
      }
    }
    memory.known.withLock { $0 = known }
    await proveOtherwise(&proofs)
    let event = Set(steps.values.filter { $0.kind.key == "simulate" }.map(\.id))
    return proofs.finished(isWhole: !Task.isCancelled && !isExhausted, event: event)
  }

  private func reason(for way: Exploration.Path) -> String {
    let (step, outcome) = (way.step, way.outcome.name)
    // A fallback asks for what the step before it asked for.
    if outcome == "serverDeclinedScopes", step.isFallback, step.namedScopes == nil,
      let before = loaded.workflow.steps.prefix(while: { $0.id != step.id }).last(where: { $0.kind.key == "silent" }),
      before.asksForDefault
    {
      return OutcomeStrategies.reason(for: before, outcome: outcome)
    }
    return OutcomeStrategies.reason(for: step, outcome: outcome)
  }

  var isExhausted: Bool { memory.performed.withLock { $0 } >= mostSteps }

  // MARK: Scenarios

  /// What is tried for a way, one after the other.
  private func candidate(
    _ attempt: Int, for index: Int, _ way: Exploration.Path, _ known: [String: OutcomeStrategy]
  ) -> Candidate? {
    let finds = way.entries.contains { $0.hasSuffix(".found") }
    let nobody: [JSON] = []
    let somebody: [JSON] = ["signedIn"]
    let starts = finds ? [somebody] : [nobody, somebody]
    var number = 0
    for recipe in OutcomeStrategies.recipes(for: way.step, outcome: way.outcome.name) {
      var variants = [recipe]
      // What would be undone before a step that is then skipped is left alone.
      if !recipe.undo.isEmpty, way.next != nil {
        variants.append(recipe)
        variants[1].undo = []
      }
      // Who is signed in is the recipe's own business where it gives anything.
      for start in recipe.given.isEmpty ? starts : [nobody] {
        for variant in variants {
          if number == attempt {
            return Candidate(way: index, recipe: recipe, scenario: scenario(way, start, variant, known))
          }
          number += 1
        }
      }
    }
    return nil
  }

  /// The scenario for a way on which some entries come about by other recipes than the plainest.
  func scenario(_ way: Exploration.Path, _ recipe: OutcomeStrategy, with others: [String: OutcomeStrategy]) -> JSON {
    let known = memory.known.withLock { $0 }.merging(others) { _, other in other }
    let start: [JSON] = way.entries.contains { $0.hasSuffix(".found") } ? ["signedIn"] : []
    return scenario(way, start, recipe, known)
  }

  /// The scenario that forces every entry of a way.
  private func scenario(
    _ way: Exploration.Path, _ start: [JSON], _ recipe: OutcomeStrategy, _ known: [String: OutcomeStrategy]
  ) -> JSON {
    let workflow = loaded.workflow
    var given = start
    var before: OrderedDictionary<String, [JSON]> = [:]
    var sittings: [JSON] = []
    var undo: [JSON] = []
    var runs: [String: Int] = [:]
    var scenario: JSON = [:]
    func simulate(_ events: [JSON], before step: String) {
      if !events.isEmpty { before[step, default: []] += events }
    }
    for (position, entry) in way.entries.enumerated() {
      guard let parts = PathEntry(entry), parts.isPerformed else { continue }
      let id = String(parts.step)
      runs[id, default: 0] += 1
      let place = runs[id] == 1 ? id : "\(id)[\(runs[id] ?? 1)]"
      let isLast = position == way.entries.count - 1
      let own = isLast ? recipe : known[entry] ?? OutcomeStrategy()
      given += own.given
      simulate(undo, before: place)
      undo = own.undo
      simulate(own.before, before: place)
      guard let step = steps[id] else { continue }
      if step.seatsUser { sittings.append(own.user ?? [:]) }
      own.settle(&scenario, for: step, of: workflow)
    }
    if let next = way.next, !undo.isEmpty { simulate(undo, before: runs[next].map { "\(next)[\($0 + 1)]" } ?? next) }
    if !given.isEmpty { scenario["given"] = .array(given) }
    if !before.isEmpty {
      var steps: JSON = [:]
      for (step, events) in before { steps[step] = .array(events) }
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

  // MARK: Running

  /// Reads the workflow with these scenarios in place of its own, runs them, and tells of each as soon as its turn comes.
  ///
  /// So many at a time that the document stays small.
  func run(_ candidates: [Candidate], _ take: (Candidate, ScenarioReport) -> Void) async {
    var rest = candidates[...]
    while !rest.isEmpty, !Task.isCancelled, !isExhausted {
      await run(some: Array(rest.prefix(Self.mostAtATime)), take)
      rest = rest.dropFirst(Self.mostAtATime)
    }
  }

  static let mostAtATime = 256

  private func run(some candidates: [Candidate], _ take: (Candidate, ScenarioReport) -> Void) async {
    var scenarios: JSON = [:]
    for (number, candidate) in candidates.enumerated() { scenarios["way \(number)"] = candidate.scenario }
    // Where the scenarios are written: paths in them are relative to that file.
    let path = loaded.workflow.scenarioFileName
    let workflow = loaded.workflow.document
    var root = (loaded.workflow.scenarioSource ?? loaded.workflow.document).root.json
    root["scenarios"] = scenarios
    // In its own order: the first of several apps is the one that counts where none is named.
    let text = Array(root.text(sortedKeys: false).utf8)
    let load = self.load
    let (loaded, _) = LoadedWorkflow.read(path, definitions: definitions) { name, options in
      if name == path { return DocumentReader.read(text, named: path, options: options) }
      return name == workflow.source.name ? ReadResult(document: workflow, diagnostics: []) : load(name, options)
    }
    guard let loaded else { return }
    let cases = Dictionary(loaded.cases().cases.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    await run(candidates.indices.map { cases["way \($0)"] }, mostSteps: mostSteps) { number, report in
      take(candidates[number], report)
    }
  }

  /// Runs cases side by side and tells of each in their order; no more than a handful waits for its turn.
  /// - Parameter mostSteps: how many steps may have been performed before the next is begun; nil for any number.
  func run(_ cases: [ScenarioCase?], mostSteps: Int?, _ take: (Int, ScenarioReport) -> Void) async {
    await withTaskGroup(of: (Int, ScenarioReport).self) { group in
      var finished: [Int: ScenarioReport] = [:]
      var (next, told, running) = (0, 0, 0)
      while true {
        while running < jobs, next < cases.count, next - told < 16 * jobs, !Task.isCancelled {
          if let mostSteps, memory.performed.withLock({ $0 }) >= mostSteps { break }
          let number = next
          next += 1
          guard let test = cases[number] else { continue }
          running += 1
          group.addTask { [world, tool] in (number, await test.run(in: world, tool: tool)) }
        }
        guard let (number, report) = await group.next() else { break }
        running -= 1
        finished[number] = report
        if mostSteps != nil { memory.performed.withLock { $0 += max(1, report.result?.path.count ?? 1) } }
        tell(.ran)
        while told < next, cases[told] == nil || finished[told] != nil {
          if let report = finished.removeValue(forKey: told) { take(told, report) }
          told += 1
        }
      }
    }
  }

  /// What is remembered over several calls.
  final class Memory: Sendable {
    /// How many steps were performed so far.
    let performed = Mutex(0)
    /// What forces an entry, as far as it is known.
    let known = Mutex<[String: OutcomeStrategy]>([:])
    /// The workflow's own scenarios, once they were run.
    let own = Mutex<[ScenarioAttempt]?>(nil)
  }
}

extension Step {
  /// Whether a user sits down during it.
  var seatsUser: Bool {
    switch kind.key {
    case "interactive", "deviceCode": return true
    default: break
    }
    switch action {
    case .signout(let signout): return signout.signoutFromBrowser != nil
    case .parallel(let members): return members.contains(where: \.seatsUser)
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
