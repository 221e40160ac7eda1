import Documents
import WorkflowModel
import WorkflowRunner

/// A scenario that ran, with its result. Other scenarios can be based on it.
struct ScenarioAttempt: Sendable {
  let scenario: JSON
  /// The size of the scenario in bytes, for comparing runs.
  let length: Int
  let outcome: OutcomeName
  let succeeded: Bool
  let path: [String]
  let transitions: [TakenTransition]
  /// Whether the run had no problems.
  let isClean: Bool
  /// The index of each step's first execution. The indices are computed once, because every combination of a path and a
  /// run needs them.
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

  /// Returns the index of the first execution of a step, or nil if the step was not executed.
  func performs(_ step: String) -> Int? { firsts[step] }

  /// The scenario with its result as the expectation.
  var expecting: JSON {
    var expect: JSON = [:]
    // If the workflow treats a success as a failure, the outcome name `success` would be misleading.
    if !succeeded {
      expect["outcome"] = .string((outcome == .success ? OutcomeSelector.failed : .outcome(outcome)).text)
    }
    expect["path"] = .array(path.map { .string($0) })
    var whole = scenario
    whole["expect"] = expect
    return whole
  }
}

/// The proof status of each path, and for unproven paths the simplest other run that took the same transition.
struct PathProofs: Sendable {
  private struct Arrow: Hashable {
    var step: String
    var outcome: OutcomeName
    var to: String
  }

  private(set) var paths: [ExplorationResult.Path]
  private(set) var proven = 0
  /// The first path that contains each transition. Other paths represent combinations of failures, which require their
  /// own runs.
  private let firsts: [Arrow: Int]
  private var plainest: [Int: ScenarioAttempt] = [:]
  /// The simplest run that executed each step.
  private(set) var performing: [String: ScenarioAttempt] = [:]
  /// The simplest run in which each step succeeded. A scenario in which a later request of the step fails can be based
  /// on this run.
  private(set) var succeeding: [String: ScenarioAttempt] = [:]

  init(_ paths: [ExplorationResult.Path]) {
    self.paths = paths
    firsts = Dictionary(
      paths.enumerated().map { index, path in
        (Arrow(step: path.explored.step.id, outcome: path.explored.outcome.name, to: path.explored.to), index)
      }, uniquingKeysWith: min)
  }

  /// Updates the paths with the result of a run.
  mutating func evaluate(_ candidate: Explorer.Candidate, _ report: ScenarioReport, _ result: ScenarioResult) {
    let tried = ScenarioAttempt(candidate.scenario, result, isClean: report.problems.isEmpty)
    let path = paths[candidate.pathIndex].explored
    let agrees = result.path.starts(with: path.entries)
    guard agrees, tried.isClean else {
      if case .unproven(let reason, let path) = paths[candidate.pathIndex].proof, path.isEmpty {
        paths[candidate.pathIndex].proof = .unproven(reason: reason, path: result.path)
      }
      return learn(from: tried)
    }
    let taken = result.transitions.filter { $0.step == path.step.id && $0.outcome == path.outcome.name }
    if taken.contains(where: { $0.to == path.to }) {
      prove(candidate.pathIndex, by: tried)
    } else if result.transitions.contains(where: { $0.step == path.step.id && $0.to == nil }) {
      // After a failed expectation, no other step follows.
      paths[candidate.pathIndex].proof = .unproven(reason: "the step's expectation failed", path: result.path)
    } else {
      paths[candidate.pathIndex].proof = .differs(path: result.path)
    }
    learn(from: tried)
  }

  /// Records the run for each path whose transition the run took.
  mutating func learn(from tried: ScenarioAttempt) {
    guard tried.isClean else { return }
    for entry in tried.path {
      guard let parts = PathEntry(entry), parts.isPerformed else { continue }
      let step = String(parts.step)
      if performing[step].map({ $0.length > tried.length }) ?? true { performing[step] = tried }
      guard parts.outcome == .success else { continue }
      if succeeding[step].map({ $0.length > tried.length }) ?? true { succeeding[step] = tried }
    }
    for taken in Set(tried.transitions) {
      guard let to = taken.to, let index = firsts[Arrow(step: taken.step, outcome: taken.outcome, to: to)],
        case .unproven = paths[index].proof
      else { continue }
      if let other = plainest[index], other.length <= tried.length { continue }
      plainest[index] = tried
    }
  }

  /// Proves the remaining paths with the simplest known runs.
  mutating func takeOthers() {
    for (index, other) in plainest.sorted(by: { $0.key < $1.key }) {
      if case .unproven = paths[index].proof { prove(index, by: other) }
    }
    plainest = [:]
  }

  /// The paths that are not proven yet, with one path for each transition.
  var left: [Int] {
    paths.indices.filter { index in
      guard case .unproven = paths[index].proof else { return false }
      let path = paths[index].explored
      return firsts[Arrow(step: path.step.id, outcome: path.outcome.name, to: path.to)] == index
    }
  }

  private mutating func prove(_ index: Int, by tried: ScenarioAttempt) {
    let path = paths[index].explored
    if paths[index].proof != .proven { proven += 1 }
    paths[index].proof = .proven
    paths[index].scenario = tried.expecting
    paths[index].transitions = Set(tried.transitions).sorted {
      ($0.step, $0.outcome.rawValue) < ($1.step, $1.outcome.rawValue)
    }
    if !tried.path.starts(with: path.entries), let end = tried.path.firstIndex(of: path.entry) {
      paths[index].explored.entries = Array(tried.path[...end])
    }
  }

  /// - Parameters:
  ///   - isWhole: Whether all strategies were tried.
  ///   - event: The IDs of the steps that execute the workflow's own events.
  func finished(isWhole: Bool, event: Set<String>) -> [ExplorationResult.Path] {
    paths.map { path in
      var path = path
      guard case .unproven(let reason, let actual) = path.proof else { return path }
      guard isWhole else {
        path.proof = .notTried
        return path
      }
      let comesFirst = path.explored.entries.dropLast().contains { entry in
        PathEntry(entry).map { event.contains(String($0.step)) } ?? false
      }
      if reason == OutcomeStrategies.nothing, comesFirst {
        path.proof = .unproven(reason: OutcomeStrategies.determinedByOwnEvents, path: actual)
      } else if reason == OutcomeStrategies.nothing, path.explored.outcome.name == .serverDeclinedScopes {
        path.proof = .unproven(reason: OutcomeStrategies.nothingGranted, path: actual)
      }
      return path
    }
  }
}

/// Creates names of paths, such as `silent ends in offline`. If this name is ambiguous, it also contains the target or
/// an earlier step.
struct PathNames {
  private var places: [String: [String]] = [:]

  mutating func name(_ path: Exploration.Path) -> String {
    let plain =
      path.outcome.name == .skipped ? "\(path.step.id) is skipped" : "\(path.step.id) ends in \(path.outcome.name)"
    let same = places[path.entry] ?? []
    places[path.entry, default: []].append(path.to)
    if same.isEmpty { return plain }
    let longer = "\(plain), then \(path.to)"
    return same.count > 1 || same.contains(path.to) ? "\(longer) (\(same.count + 1))" : longer
  }
}
