import Documents

/// A breadth-first exploration of all places that a state machine can reach.
struct ExplorationWalk {
  private(set) var exploration: Exploration
  private let depth: Int
  private let limit: Int
  private let onProgress: (_ places: Int, _ paths: Int) -> Void

  /// The outcomes of each step of the main list and of `finally`.
  private let outcomes: [[[Outcome]]]
  private let bounded: [Step]
  /// The steps whose conditions depend only on outcomes.
  private let deciding: Set<String>
  private let own: [String: (step: Step, isFinally: Bool)]
  /// The steps whose outcomes are used by conditions and asserts.
  private let watched: [String]

  private var seenPlaces: Set<String> = []
  private var seenArrows: Set<String> = []
  /// The places to expand, by the number of failures on their path.
  private var waiting: [[Place?]] = [[]]
  /// The keys of the places in each list of `waiting`. Of equivalent places, only the nearest is added.
  private var queued: [Set<String>] = [[]]
  private var entries = 0
  private var nextProgress = Exploration.interval

  init(_ workflow: Workflow, depth: Int, limit: Int, onProgress: @escaping (_ places: Int, _ paths: Int) -> Void) {
    exploration = Exploration(of: workflow)
    self.depth = depth
    self.limit = limit
    self.onProgress = onProgress
    let steps = workflow.steps + workflow.finally
    outcomes = [StepGraph(workflow.steps), StepGraph(workflow.finally)].map { graph in
      graph.steps.indices.map { graph.possibleOutcomes($0) }
    }
    bounded = steps.filter { $0.maxRuns != nil }
    let ids = workflow.stepIDs
    deciding = Set(steps.filter { $0.dependsOnlyOnOutcomes(of: ids) }.map(\.id))
    own = workflow.ownSteps
    watched = Array(Set(steps.flatMap(\.referencedSteps))).sorted()
  }

  mutating func run() {
    follow(WorkflowMachine(exploration.workflow), []) { $0.start() }
    var bucket = 0
    var index = 0
    while bucket < waiting.count {
      guard index < waiting[bucket].count else {
        waiting[bucket] = []
        bucket += 1
        index = 0
        continue
      }
      guard exploration.places < Exploration.maxPlaces, isWithinLimits(), exploration.paths.count < Exploration.maxPaths
      else {
        exploration.isComplete = false
        break
      }
      // Release the memory of expanded places.
      let expanded = waiting[bucket][index].take()
      index += 1
      guard let place = expanded else { continue }
      // The first path to a place may have more failures, so a place counts as seen only once it is expanded.
      guard !place.isExpanded(among: seenPlaces, depth) else { continue }
      expand(place)
    }
  }

  private mutating func expand(_ place: Place) {
    place.markExpanded(in: &seenPlaces, depth)
    exploration.places += 1
    exploration.length += place.machine.path.count
    let frame = place.machine.frame
    let step = frame.transitions.steps[frame.current]
    for outcome in outcomes[frame.isInFinally ? 1 : 0][frame.current] {
      // These occur when the step is entered.
      if outcome.name == Outcome.skipped.name || outcome.name == Outcome.exhausted.name { continue }
      let report = StepReport(
        outcome.name, json: outcome.standard == .detour ? ["challenge": ["access_token": [:]]] : [:])
      follow(place.machine, place.failures) { $0.finished(step.id, report) }
    }
  }

  /// Whether the exploration may continue.
  private mutating func isWithinLimits() -> Bool {
    if exploration.length >= nextProgress {
      nextProgress = exploration.length + Exploration.interval
      onProgress(exploration.places, exploration.paths.count)
      // After cancellation, stop as if the limit were reached.
      if Task.isCancelled { exploration.length = limit }
    }
    return exploration.length < limit && entries < Exploration.maxEntries
  }

  /// Continues from a machine with all combinations of assumed conditions and asserts.
  private mutating func follow(
    _ from: WorkflowMachine, _ failures: [String], _ resume: (inout WorkflowMachine) -> Action
  ) {
    var combinations: [[Bool]] = [[]]
    var tried = 0
    while tried < combinations.count {
      guard tried < Exploration.maxForks, isWithinLimits() else {
        exploration.isComplete = false
        break
      }
      var machine = from
      machine.assumption = ExplorationAssumption(combinations[tried])
      tried += 1
      let action = resume(&machine)
      exploration.length += machine.path.count - from.path.count + from.path.count / Exploration.entriesPerStep
      // One more than is tried, to detect that the list is incomplete.
      machine.assumption?.addAlternatives(to: &combinations, most: Exploration.maxForks + 1)
      var nextStep: String?
      if case .perform(let performances) = action { nextStep = performances.first?.id }
      let failed = recordTransitions(machine.takeEvents(), of: machine, from: from.path, failures, next: nextStep)
      recordDecisions(machine.path[from.path.count...])
      if nextStep != nil { enqueue(machine, failed) }
    }
  }

  /// Records the transitions of the machine.
  /// - Returns: The failures on the path so far.
  private mutating func recordTransitions(
    _ events: [MachineEvent], of machine: WorkflowMachine, from earlier: [String], _ failures: [String], next: String?
  ) -> [String] {
    var failures = failures
    var entry = earlier.count
    for event in events {
      guard case .moved(let id, let name, let to, let rule) = event else { continue }
      defer { entry += 1 }
      guard entry < machine.path.count else { continue }
      let before = failures
      guard let (step, isFinally) = own[id] else { continue }
      let outcome = step.outcome(named: name) ?? Outcome(name, .failure, .fail, "")
      if outcome.sort == .failure || outcome.sort == .internalFailure { failures.append("\(id).\(name)") }
      let key = "\(id).\(name)→\(to)"
      let isNew = seenArrows.insert(key).inserted
      let isCombination = depth > 1 && failures.count <= depth && seenArrows.insert("\(before)\(key)").inserted
      guard isNew || isCombination, exploration.paths.count < Exploration.maxPaths else { continue }
      entries += entry + 1
      exploration.paths.append(
        Exploration.Path(
          step: step, isFinally: isFinally, outcome: outcome, before: earlier,
          own: Array(machine.path[earlier.count...entry]), to: to, source: rule.source, next: next,
          detours: before.count))
    }
    return failures
  }

  private mutating func recordDecisions(_ entries: ArraySlice<String>) {
    guard !deciding.isEmpty else { return }
    for text in entries {
      // Step IDs do not contain dots.
      let id = String(text.prefix { $0 != "." })
      if deciding.contains(id) { exploration.decided[id, default: []].insert(!text.hasSuffix(".skipped")) }
    }
  }

  /// Adds a place to the list for its number of failures.
  private mutating func enqueue(_ machine: WorkflowMachine, _ failures: [String]) {
    let place = Place(machine: machine, failures: failures, signature: signature(machine))
    guard !place.isExpanded(among: seenPlaces, depth) else { return }
    while waiting.count <= failures.count {
      waiting.append([])
      queued.append([])
    }
    guard queued[failures.count].insert(place.key(depth)).inserted else { return }
    waiting[failures.count].append(place)
  }

  private mutating func signature(_ machine: WorkflowMachine) -> String {
    let frame = machine.frame
    var text =
      "\(frame.isInFinally)/\(frame.current)/\(frame.repeatedCall == frame.current)/\(frame.detour?.call ?? -1)"
    // Omit steps that have not run or are not used, which are most of them in long workflows.
    for (number, step) in bounded.enumerated() {
      if let runs = frame.runs[step.id] { text += "/\(number):\(min(runs, step.maxRuns ?? 0))" }
    }
    for (number, id) in watched.enumerated() {
      if let outcome = machine.facts.facts(of: .init(id))?["outcome"]?.string { text += "/\(number)=\(outcome)" }
    }
    exploration.length += (bounded.count + watched.count) / Exploration.entriesPerStep
    return text
  }
}

private struct Place {
  var machine: WorkflowMachine
  /// The failures on the path to the place.
  var failures: [String]
  /// The state on which further transitions depend.
  var signature: String

  /// The place after exactly these failures.
  private var combination: String { "\(failures)\(signature)" }

  /// The key that is equal for equivalent places.
  func key(_ depth: Int) -> String { depth > 1 && failures.count < depth ? combination : signature }

  /// Whether an equivalent place was expanded. With a depth above 1, places after different failures are not
  /// equivalent.
  func isExpanded(among seen: Set<String>, _ depth: Int) -> Bool {
    seen.contains(depth > 1 && failures.count < depth ? combination : signature)
  }

  /// Marks the place as expanded.
  func markExpanded(in seen: inout Set<String>, _ depth: Int) {
    seen.insert(signature)
    if depth > 1 { seen.insert(combination) }
  }
}
