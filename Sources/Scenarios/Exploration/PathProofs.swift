import Documents
import WorkflowModel
import WorkflowRunner

/// A scenario that was run, with as much of what came of it as another may begin with.
struct ScenarioAttempt: Sendable {
  let scenario: JSON
  /// How much there is to read of the scenario, in bytes: counted once, since runs are compared often.
  let length: Int
  let outcome: String
  let succeeded: Bool
  let path: [String]
  let transitions: [TakenTransition]
  /// Whether nothing stood in the way of it.
  let isClean: Bool
  /// Where each step was performed for the first time: it is asked for every way and run.
  private let firsts: [String: Int]

  init(_ scenario: JSON, _ result: ScenarioResult, isClean: Bool) {
    self.scenario = scenario
    length = scenario.text().utf8.count
    outcome = result.outcome
    succeeded = result.succeeded
    path = result.path
    transitions = result.transitions
    self.isClean = isClean
    var firsts: [String: Int] = [:]
    for (position, entry) in path.enumerated() {
      guard let parts = PathEntry(entry), parts.isPerformed else { continue }
      if firsts[String(parts.step)] == nil { firsts[String(parts.step)] = position }
    }
    self.firsts = firsts
  }

  /// Where a step was performed for the first time.
  func performs(_ step: String) -> Int? { firsts[step] }

  /// The scenario with what came as what must come.
  var expecting: JSON {
    var expect: JSON = [:]
    // Where a success is what the workflow takes for a failure, its name alone would say the opposite.
    if !succeeded { expect["outcome"] = .string(outcome == "success" ? "failed" : outcome) }
    expect["path"] = .array(path.map { .string($0) })
    var whole = scenario
    whole["expect"] = expect
    return whole
  }
}

/// How far the ways of an exploration are proven, and the plainest run that took a way without being made for it.
struct PathProofs: Sendable {
  private struct Arrow: Hashable {
    var step: String
    var outcome: String
    var to: String
  }

  private(set) var paths: [ExplorationResult.Path]
  private(set) var proven = 0
  /// Of the ways over an arrow the first: others stand for combinations of mishaps, which no other run proves.
  private let firsts: [Arrow: Int]
  private var plainest: [Int: ScenarioAttempt] = [:]
  /// For each step the plainest run that came so far.
  private(set) var performing: [String: ScenarioAttempt] = [:]
  /// The same where the step succeeded: whatever is to go wrong later in it has all that it takes to come so far.
  private(set) var succeeding: [String: ScenarioAttempt] = [:]

  init(_ paths: [ExplorationResult.Path]) {
    self.paths = paths
    firsts = Dictionary(
      paths.enumerated().map { index, path in
        (Arrow(step: path.way.step.id, outcome: path.way.outcome.name, to: path.way.to), index)
      }, uniquingKeysWith: min)
  }

  /// What a run says about the way that it was made for, and about every other that it took.
  mutating func judge(_ candidate: Explorer.Candidate, _ report: ScenarioReport, _ result: ScenarioResult) {
    let tried = ScenarioAttempt(candidate.scenario, result, isClean: report.troubles.isEmpty)
    let way = paths[candidate.way].way
    let agrees = result.path.starts(with: way.entries)
    guard agrees, tried.isClean else {
      if case .notForced(let reason, let path) = paths[candidate.way].proof, path.isEmpty {
        paths[candidate.way].proof = .notForced(reason: reason, path: result.path)
      }
      return learn(from: tried)
    }
    let taken = result.transitions.filter { $0.step == way.step.id && $0.outcome == way.outcome.name }
    if taken.contains(where: { $0.to == way.to }) {
      prove(candidate.way, by: tried)
    } else if result.transitions.contains(where: { $0.step == way.step.id && $0.to == nil }) {
      // A step whose expectation does not hold goes nowhere, whatever the machine has for its outcome.
      paths[candidate.way].proof = .notForced(reason: "what the step expects did not hold", path: result.path)
    } else {
      paths[candidate.way].proof = .differs(path: result.path)
    }
    learn(from: tried)
  }

  /// Remembers a run for the ways that it took by the way.
  mutating func learn(from tried: ScenarioAttempt) {
    guard tried.isClean else { return }
    for entry in tried.path {
      guard let parts = PathEntry(entry), parts.isPerformed else { continue }
      let step = String(parts.step)
      if performing[step].map({ $0.length > tried.length }) ?? true { performing[step] = tried }
      guard parts.outcome == "success" else { continue }
      if succeeding[step].map({ $0.length > tried.length }) ?? true { succeeding[step] = tried }
    }
    for taken in Set(tried.transitions) {
      guard let to = taken.to, let index = firsts[Arrow(step: taken.step, outcome: taken.outcome, to: to)],
        case .notForced = paths[index].proof
      else { continue }
      if let other = plainest[index], other.length <= tried.length { continue }
      plainest[index] = tried
    }
  }

  /// Takes the plainest runs that are known for what was not proven by a run of its own.
  mutating func takeOthers() {
    for (index, other) in plainest.sorted(by: { $0.key < $1.key }) {
      if case .notForced = paths[index].proof { prove(index, by: other) }
    }
    plainest = [:]
  }

  /// The ways that are left, each arrow once.
  var left: [Int] {
    paths.indices.filter { index in
      guard case .notForced = paths[index].proof else { return false }
      let way = paths[index].way
      return firsts[Arrow(step: way.step.id, outcome: way.outcome.name, to: way.to)] == index
    }
  }

  private mutating func prove(_ index: Int, by tried: ScenarioAttempt) {
    let way = paths[index].way
    if paths[index].proof != .proven { proven += 1 }
    paths[index].proof = .proven
    paths[index].scenario = tried.expecting
    paths[index].transitions = Set(tried.transitions).sorted { ($0.step, $0.outcome) < ($1.step, $1.outcome) }
    if !tried.path.starts(with: way.entries), let end = tried.path.firstIndex(of: way.entry) {
      paths[index].way.entries = Array(tried.path[...end])
    }
  }

  /// - Parameters:
  ///   - isWhole: whether everything was tried.
  ///   - event: the steps by which the workflow itself changes the world.
  func finished(isWhole: Bool, event: Set<String>) -> [ExplorationResult.Path] {
    paths.map { path in
      var path = path
      guard case .notForced(let reason, let actual) = path.proof else { return path }
      guard isWhole else {
        path.proof = .notTried
        return path
      }
      let comesFirst = path.way.entries.dropLast().contains { entry in
        PathEntry(entry).map { event.contains(String($0.step)) } ?? false
      }
      if reason == OutcomeStrategies.nothing, comesFirst {
        path.proof = .notForced(reason: OutcomeStrategies.happensFirst, path: actual)
      } else if reason == OutcomeStrategies.nothing, path.way.outcome.name == "serverDeclinedScopes" {
        path.proof = .notForced(reason: OutcomeStrategies.nothingGranted, path: actual)
      }
      return path
    }
  }
}

/// `silent ends in offline`; where several ways end so, with where this one goes or what came before.
struct PathNames {
  private var places: [String: [String]] = [:]

  mutating func name(_ way: Exploration.Path) -> String {
    let plain =
      way.outcome.name == "skipped" ? "\(way.step.id) is skipped" : "\(way.step.id) ends in \(way.outcome.name)"
    let same = places[way.entry] ?? []
    places[way.entry, default: []].append(way.to)
    if same.isEmpty { return plain }
    let longer = "\(plain), then \(way.to)"
    return same.count > 1 || same.contains(way.to) ? "\(longer) (\(same.count + 1))" : longer
  }
}
