import AppRegistration
import Diagnostics
import Documents
import Effects
import OrderedCollections
import Synchronization
import WorkflowModel
import WorkflowRunner

/// Forces a workflow to take the explored paths. For each path, the explorer creates scenarios, runs them on the
/// emulator, and keeps the first scenario that takes the path.
package struct Explorer: Sendable {
  let loaded: LoadedWorkflow
  private let load: DocumentLoader
  private let world: World
  private let jobs: Int
  private let tool: String
  let memory = Memory()
  /// The steps of the workflow and of `finally`, by ID.
  let steps: [String: Step]
  let surroundings: WorkflowContext
  /// A closure that receives each scenario that ran and the number of proven paths.
  package var onProgress: @Sendable (Progress) -> Void = { _ in }

  package enum Progress: Sendable {
    case ran
    case proven(Int)
  }

  /// The maximum total number of steps in all runs, which limits the duration of the exploration. Steps in the
  /// workflow's own scenarios do not count.
  package var mostSteps = 100_000
  /// Values for references in the settings.
  package var definitions = Definitions.none

  /// - Parameters:
  ///   - loaded: The workflow, as read with `load`.
  ///   - load: A closure that reads documents by path.
  ///   - world: The environment of the process. Files are read but never written.
  ///   - jobs: The number of concurrent scenarios.
  package init(_ loaded: LoadedWorkflow, load: @escaping DocumentLoader, world: World, jobs: Int, tool: String) {
    self.loaded = loaded
    self.load = load
    self.world = world
    self.jobs = max(1, jobs)
    self.tool = tool
    steps = loaded.workflow.ownSteps.mapValues(\.step)
    surroundings = WorkflowContext(of: loaded.workflow)
  }

  /// A scenario to try for a path.
  struct Candidate: Sendable {
    var pathIndex: Int
    var recipe: OutcomeStrategy
    var scenario: JSON
  }

  /// Runs scenarios until each path is proven or no strategies remain.
  ///
  /// Cancellation and the step limit end the exploration early. Proven paths remain proven. All other paths are marked
  /// as not fully tried.
  package func prove(_ exploration: Exploration) async -> [ExplorationResult.Path] {
    let paths = exploration.paths
    var names = PathNames()
    var proofs = PathProofs(
      paths.map { path in
        ExplorationResult.Path(
          explored: path, name: names.name(path),
          proof: .unproven(reason: reason(for: path), path: []), scenario: nil,
          transitions: [])
      })
    // The strategy that forced each path entry. Other paths that contain the entry use this strategy.
    var known: [String: OutcomeStrategy] = [:]
    let counts = Set(paths.map(\.detours)).sorted()
    for count in counts {
      var waiting = paths.indices.filter { paths[$0].detours == count }
      var attempt = 0
      while !waiting.isEmpty, !Task.isCancelled, !isExhausted {
        var completed: Set<Int> = []
        // Create and run the scenarios in batches, to avoid creating scenarios that never run.
        for start in stride(from: 0, to: waiting.count, by: Self.mostAtATime) where !isExhausted && !Task.isCancelled {
          let candidates = waiting[start...].prefix(Self.mostAtATime)
            .compactMap { candidate(attempt, for: $0, paths[$0], known) }
          completed.formUnion(candidates.map(\.pathIndex))
          let done = proofs.proven
          await run(candidates) { candidate, report in
            guard let result = report.result else { return }
            proofs.evaluate(candidate, report, result)
            if proofs.paths[candidate.pathIndex].proof == .proven, known[paths[candidate.pathIndex].entry] == nil {
              known[paths[candidate.pathIndex].entry] = candidate.recipe
            }
            if proofs.proven > done { onProgress(.proven(proofs.proven)) }
          }
        }
        if completed.isEmpty { break }
        attempt += 1
        waiting.removeAll { proofs.paths[$0].proof == .proven || !completed.contains($0) }
      }
    }
    memory.known.withLock { $0 = known }
    await proveOtherwise(&proofs)
    let event = Set(steps.values.filter { $0.kind.key == "simulate" }.map(\.id))
    return proofs.finished(isWhole: !Task.isCancelled && !isExhausted, event: event)
  }

  private func reason(for path: Exploration.Path) -> String {
    let (step, outcome) = (path.step, path.outcome.name)
    // A fallback requests the scopes of the preceding step.
    if outcome == .serverDeclinedScopes, step.isFallback, step.namedScopes == nil,
      let before = loaded.workflow.steps.prefix(while: { $0.id != step.id }).last(where: { $0.kind.key == "silent" }),
      before.asksForDefault
    {
      return OutcomeStrategies.reason(for: before, outcome: outcome)
    }
    return OutcomeStrategies.reason(for: step, outcome: outcome)
  }

  var isExhausted: Bool { memory.performed.withLock { $0 } >= mostSteps }

  // MARK: Scenarios

  /// Returns the scenario for an attempt to take a path, or nil if there are no more scenarios.
  private func candidate(
    _ attempt: Int, for index: Int, _ path: Exploration.Path, _ known: [String: OutcomeStrategy]
  ) -> Candidate? {
    let finds = path.entries.contains { PathEntry($0)?.outcome == .found }
    let signedOut: [JSON] = []
    let signedIn: [JSON] = ["signedIn"]
    let starts = finds ? [signedIn] : [signedOut, signedIn]
    var number = 0
    for recipe in OutcomeStrategies.recipes(for: path.step, outcome: path.outcome.name) {
      var variants = [recipe]
      // If the next step is skipped, the events before it do not occur. Therefore, also try the strategy without them.
      if !recipe.undo.isEmpty, path.next != nil {
        variants.append(recipe)
        variants[1].undo = []
      }
      // If a strategy has preconditions, they determine which users are signed in.
      for start in recipe.given.isEmpty ? starts : [signedOut] {
        for variant in variants {
          if number == attempt {
            return Candidate(pathIndex: index, recipe: recipe, scenario: scenario(path, start, variant, known))
          }
          number += 1
        }
      }
    }
    return nil
  }

  /// Creates the scenario for a path in which some outcomes use other strategies.
  func scenario(_ path: Exploration.Path, _ recipe: OutcomeStrategy, with others: [String: OutcomeStrategy]) -> JSON {
    let known = memory.known.withLock { $0 }.merging(others) { _, other in other }
    let start: [JSON] = path.entries.contains { PathEntry($0)?.outcome == .found } ? ["signedIn"] : []
    return scenario(path, start, recipe, known)
  }

  /// Creates the scenario that forces every outcome of a path.
  private func scenario(
    _ path: Exploration.Path, _ start: [JSON], _ recipe: OutcomeStrategy, _ known: [String: OutcomeStrategy]
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
    for (position, entry) in path.entries.enumerated() {
      guard let parts = PathEntry(entry), parts.isPerformed else { continue }
      let id = String(parts.step)
      runs[id, default: 0] += 1
      let place = runs[id] == 1 ? id : "\(id)[\(runs[id] ?? 1)]"
      let isLast = position == path.entries.count - 1
      let own = isLast ? recipe : known[entry] ?? OutcomeStrategy()
      given += own.given
      simulate(undo, before: place)
      undo = own.undo
      simulate(own.before, before: place)
      guard let step = steps[id] else { continue }
      if step.seatsUser { sittings.append(own.user ?? [:]) }
      own.settle(&scenario, for: step, of: workflow)
    }
    if let next = path.next, !undo.isEmpty { simulate(undo, before: runs[next].map { "\(next)[\($0 + 1)]" } ?? next) }
    if !given.isEmpty { scenario["given"] = .array(given) }
    if !before.isEmpty {
      var steps: JSON = [:]
      for (step, events) in before { steps[step] = .array(events) }
      scenario["before"] = steps
    }
    if sittings.contains(where: { $0.object?.isEmpty == false }) {
      // The last behavior repeats, so later interactions succeed.
      scenario["user"] = .array(sittings + [[:]])
    }
    var inputs: JSON = [:]
    for input in workflow.inputs.values where input.isRequired { inputs[input.name] = input.plausibleValue }
    if inputs != [:] { scenario["inputs"] = inputs }
    return scenario
  }

  // MARK: Running

  /// Runs the workflow with the given scenarios instead of its own scenarios. Reports the results in order.
  ///
  /// The scenarios run in batches, so that the document stays small.
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
    for (number, candidate) in candidates.enumerated() { scenarios["path \(number)"] = candidate.scenario }
    // Paths in scenarios are relative to this file.
    let path = loaded.workflow.scenarioFileName
    let workflow = loaded.workflow.document
    var root = (loaded.workflow.scenarioSource ?? loaded.workflow.document).root.json
    root["scenarios"] = scenarios
    // Do not sort the keys, because the first of several apps is the default.
    let text = Array(root.text(sortedKeys: false).utf8)
    let load = self.load
    let (loaded, _) = LoadedWorkflow.read(path, definitions: definitions) { name, options in
      if name == path { return DocumentReader.read(text, named: path, options: options) }
      return name == workflow.source.name ? ReadResult(document: workflow, diagnostics: []) : load(name, options)
    }
    guard let loaded else { return }
    let cases = Dictionary(loaded.cases().cases.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    await run(candidates.indices.map { cases["path \($0)"] }, mostSteps: mostSteps) { number, report in
      take(candidates[number], report)
    }
  }

  /// Runs cases concurrently, and reports the results in order.
  /// - Parameter mostSteps: The step limit, which is checked before each case starts, or nil for no limit.
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
        onProgress(.ran)
        while told < next, cases[told] == nil || finished[told] != nil {
          if let report = finished.removeValue(forKey: told) { take(told, report) }
          told += 1
        }
      }
    }
  }

  /// The state that several calls share.
  final class Memory: Sendable {
    /// The number of steps that have been performed.
    let performed = Mutex(0)
    /// The strategy that forced each path entry. An entry is a step and its outcome.
    let known = Mutex<[String: OutcomeStrategy]>([:])
    /// The runs of the workflow's own scenarios.
    let own = Mutex<[ScenarioAttempt]?>(nil)
  }
}

extension Step {
  /// Whether the step opens a sign-in page.
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
  /// A sample value of the declared type, for a required input.
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
