import Documents

/// A breadth-first exploration of all states that a state machine can reach.
struct ExplorationWalk {
  private(set) var exploration: Exploration
  private let depth: Int
  private let limit: Int
  private let onProgress: (_ states: Int, _ paths: Int) -> Void

  /// The outcomes of each step in the main list and in `finally`.
  private let outcomes: [[[Outcome]]]
  /// The steps with `maxRuns`.
  private let limitedSteps: [Step]
  /// The IDs of the steps whose conditions depend only on outcomes.
  private let determinedConditions: Set<String>
  private let stepsByID: [String: (step: Step, isFinally: Bool)]
  /// The IDs of the steps to which conditions refer.
  private let referencedSteps: [String]

  /// The keys of the expanded states.
  private var expandedStates: Set<String> = []
  /// The keys of the transitions to which a path was found.
  private var foundTransitions: Set<String> = []
  /// The states to expand, by the number of failures on their path.
  private var waiting: [[Place?]] = [[]]
  /// The keys of the states in each list of `waiting`. Of several equivalent states, only the first is added.
  private var queued: [Set<String>] = [[]]
  /// The total number of entries in all paths.
  private var entryCount = 0
  private var nextProgress = Exploration.interval

  init(_ workflow: Workflow, depth: Int, limit: Int, onProgress: @escaping (_ states: Int, _ paths: Int) -> Void) {
    exploration = Exploration(of: workflow)
    self.depth = depth
    self.limit = limit
    self.onProgress = onProgress
    let steps = workflow.steps + workflow.finally
    outcomes = [StepGraph(workflow.steps), StepGraph(workflow.finally)].map { graph in
      graph.steps.indices.map { graph.possibleOutcomes($0) }
    }
    limitedSteps = steps.filter { $0.maxRuns != nil }
    let ids = workflow.stepIDs
    determinedConditions = Set(steps.filter { $0.dependsOnlyOnOutcomes(of: ids) }.map(\.id))
    stepsByID = workflow.ownSteps
    referencedSteps = Array(Set(steps.flatMap(\.referencedSteps))).sorted()
  }

  mutating func run() {
    follow(WorkflowMachine(exploration.workflow), []) { $0.start() }
    var failureCount = 0
    var index = 0
    while failureCount < waiting.count {
      guard index < waiting[failureCount].count else {
        waiting[failureCount] = []
        failureCount += 1
        index = 0
        continue
      }
      guard exploration.states < Exploration.maxStates, isWithinLimits(), exploration.paths.count < Exploration.maxPaths
      else {
        exploration.isComplete = false
        break
      }
      // `take()` releases the memory of the place.
      let next = waiting[failureCount][index].take()
      index += 1
      // An equivalent place with fewer failures may have been added later and expanded earlier.
      guard let place = next, !place.isExpanded(among: expandedStates, depth) else { continue }
      expand(place)
    }
  }

  private mutating func expand(_ place: Place) {
    place.markExpanded(in: &expandedStates, depth)
    exploration.states += 1
    exploration.length += place.machine.path.count
    let frame = place.machine.frame
    let step = frame.transitions.steps[frame.current]
    for outcome in outcomes[frame.isInFinally ? 1 : 0][frame.current] {
      // The machine determines these outcomes when it enters the step.
      if !outcome.name.isPerformed { continue }
      let report = StepReport(
        outcome.name, json: outcome.standard == .detour ? ["challenge": ["access_token": [:]]] : [:])
      follow(place.machine, place.failures) { $0.finished(step.id, report) }
    }
  }

  /// Reports progress, and returns whether the exploration can continue.
  private mutating func isWithinLimits() -> Bool {
    if exploration.length >= nextProgress {
      nextProgress = exploration.length + Exploration.interval
      onProgress(exploration.states, exploration.paths.count)
      // Cancellation has the same effect as reaching the limit.
      if Task.isCancelled { exploration.length = limit }
    }
    return exploration.length < limit && entryCount < Exploration.maxEntries
  }

  /// Continues from a machine with all combinations of assumed results for conditions and asserts.
  /// - Parameter failures: The failures on the path to the start.
  private mutating func follow(
    _ start: WorkflowMachine, _ failures: [String], _ resume: (inout WorkflowMachine) -> Action
  ) {
    var combinations: [[Bool]] = [[]]
    var index = 0
    while index < combinations.count {
      guard index < Exploration.maxForks, isWithinLimits() else {
        exploration.isComplete = false
        break
      }
      var machine = start
      machine.assumption = ExplorationAssumption(combinations[index])
      index += 1
      let action = resume(&machine)
      exploration.length += machine.path.count - start.path.count + start.path.count / Exploration.entriesPerStep
      // One combination above the limit shows that the exploration is incomplete.
      machine.assumption?.addAlternatives(to: &combinations, most: Exploration.maxForks + 1)
      var nextStep: String?
      if case .perform(let invocations) = action { nextStep = invocations.first?.id }
      let newFailures = recordTransitions(of: &machine, after: start.path, failures, next: nextStep)
      recordConditions(machine.path[start.path.count...])
      if nextStep != nil { enqueue(machine, newFailures) }
    }
  }

  /// Records the new transitions of a machine.
  /// - Parameter earlierEntries: The path before these transitions.
  /// - Returns: The failures on the path so far.
  private mutating func recordTransitions(
    of machine: inout WorkflowMachine, after earlierEntries: [String], _ failures: [String], next: String?
  ) -> [String] {
    var failures = failures
    var entry = earlierEntries.count
    for event in machine.takeEvents() {
      guard case .moved(let id, let name, let to, let rule) = event else { continue }
      defer { entry += 1 }
      guard entry < machine.path.count else { continue }
      let earlierFailures = failures
      guard let (step, isFinally) = stepsByID[id] else { continue }
      let outcome = step.outcome(named: name) ?? Outcome(name, .failure, .fail, "")
      if outcome.isFailure { failures.append("\(id).\(name)") }
      let key = "\(id).\(name)→\(to)"
      let isNew = foundTransitions.insert(key).inserted
      let isNewCombination =
        depth > 1 && failures.count <= depth && foundTransitions.insert("\(earlierFailures)\(key)").inserted
      guard isNew || isNewCombination, exploration.paths.count < Exploration.maxPaths else { continue }
      entryCount += entry + 1
      exploration.paths.append(
        Exploration.Path(
          step: step, isFinally: isFinally, outcome: outcome, earlierEntries: earlierEntries,
          newEntries: Array(machine.path[earlierEntries.count...entry]), to: to, source: rule.source, next: next,
          detours: earlierFailures.count))
    }
    return failures
  }

  /// Records the results of conditions that the path determines.
  private mutating func recordConditions(_ entries: ArraySlice<String>) {
    guard !determinedConditions.isEmpty else { return }
    for entry in entries {
      // Step IDs do not contain dots.
      let id = String(entry.prefix { $0 != "." })
      if determinedConditions.contains(id) {
        exploration.conditionResults[id, default: []].insert(!entry.hasSuffix(".skipped"))
      }
    }
  }

  /// Adds a place to the list for its number of failures.
  private mutating func enqueue(_ machine: WorkflowMachine, _ failures: [String]) {
    let place = Place(machine: machine, failures: failures, signature: signature(machine))
    guard !place.isExpanded(among: expandedStates, depth) else { return }
    while waiting.count <= failures.count {
      waiting.append([])
      queued.append([])
    }
    guard queued[failures.count].insert(place.key(depth)).inserted else { return }
    waiting[failures.count].append(place)
  }

  /// Returns a string that is equal for machines with the same possible transitions.
  private mutating func signature(_ machine: WorkflowMachine) -> String {
    let frame = machine.frame
    var text =
      "\(frame.isInFinally)/\(frame.current)/\(frame.repeatedCall == frame.current)/\(frame.detour?.call ?? -1)"
    // Omit steps that have not run or are not referenced, which are most steps of a long workflow.
    for (number, step) in limitedSteps.enumerated() {
      if let runs = frame.runs[step.id] { text += "/\(number):\(min(runs, step.maxRuns ?? 0))" }
    }
    for (number, id) in referencedSteps.enumerated() {
      if let outcome = machine.facts.facts(of: .init(id))?["outcome"]?.string { text += "/\(number)=\(outcome)" }
    }
    exploration.length += (limitedSteps.count + referencedSteps.count) / Exploration.entriesPerStep
    return text
  }
}

private struct Place {
  var machine: WorkflowMachine
  /// The failures on the path to the place.
  var failures: [String]
  /// The state on which further transitions depend.
  var signature: String

  /// A key that also distinguishes the failures on the path to the place.
  private var keyWithFailures: String { "\(failures)\(signature)" }

  /// Returns the place's key. Equivalent states have equal keys. With a depth above 1, states after different failures
  /// are not equivalent.
  func key(_ depth: Int) -> String { depth > 1 && failures.count < depth ? keyWithFailures : signature }

  /// Returns whether an equivalent place was expanded.
  func isExpanded(among expanded: Set<String>, _ depth: Int) -> Bool { expanded.contains(key(depth)) }

  /// Marks the place as expanded.
  func markExpanded(in expanded: inout Set<String>, _ depth: Int) {
    expanded.insert(signature)
    if depth > 1 { expanded.insert(keyWithFailures) }
  }
}
