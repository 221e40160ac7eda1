import Documents

/// A walk through all places that a machine can come to, the nearest first.
struct ExplorationWalk {
  private(set) var found: Exploration
  private let depth: Int
  private let limit: Int
  private let tell: (_ places: Int, _ ways: Int) -> Void

  /// The outcomes of each step, of the main list and of `finally`.
  private let outcomes: [[[Outcome]]]
  private let bounded: [Step]
  /// Steps whose conditions ask only for outcomes.
  private let deciding: Set<String>
  private let own: [String: (step: Step, isFinally: Bool)]
  /// Steps whose outcomes conditions and asserts ask for.
  private let watched: [String]

  private var seenPlaces: Set<String> = []
  private var seenArrows: Set<String> = []
  /// By how much went wrong on the way.
  private var waiting: [[Place?]] = [[]]
  /// What waits in each row: of those that are alike the first is the nearest.
  private var queued: [Set<String>] = [[]]
  private var entries = 0
  private var nextLook = Exploration.interval

  init(_ workflow: Workflow, depth: Int, limit: Int, tell: @escaping (_ places: Int, _ ways: Int) -> Void) {
    found = Exploration(of: workflow)
    self.depth = depth
    self.limit = limit
    self.tell = tell
    let steps = workflow.steps + workflow.finally
    outcomes = [StepGraph(workflow.steps), StepGraph(workflow.finally)].map { graph in
      graph.steps.indices.map { graph.possibleOutcomes($0) }
    }
    bounded = steps.filter { $0.maxRuns != nil }
    let ids = workflow.stepIDs
    deciding = Set(steps.filter { $0.asksOnlyForOutcomes(of: ids) }.map(\.id))
    own = workflow.ownSteps
    watched = Array(Set(steps.flatMap(\.askedSteps))).sorted()
  }

  mutating func run() {
    follow(WorkflowMachine(found.workflow), []) { $0.start() }
    var bucket = 0
    var index = 0
    while bucket < waiting.count {
      guard index < waiting[bucket].count else {
        waiting[bucket] = []
        bucket += 1
        index = 0
        continue
      }
      guard found.places < Exploration.mostPlaces, isWithinLimits(), found.ways.count < Exploration.mostWays else {
        found.isWhole = false
        break
      }
      // What was expanded is kept no longer.
      let expanded = waiting[bucket][index].take()
      index += 1
      guard let place = expanded else { continue }
      // Who came here first may have come by a way on which more went wrong: a place is known once it is expanded.
      guard !place.isKnown(among: seenPlaces, depth) else { continue }
      expand(place)
    }
  }

  private mutating func expand(_ place: Place) {
    place.note(in: &seenPlaces, depth)
    found.places += 1
    found.length += place.machine.path.count
    let frame = place.machine.frame
    let step = frame.transitions.steps[frame.current]
    for outcome in outcomes[frame.isInFinally ? 1 : 0][frame.current] {
      // Those come on entering.
      if outcome.name == Outcome.skipped.name || outcome.name == Outcome.exhausted.name { continue }
      let report = StepReport(
        outcome.name, json: outcome.standard == .detour ? ["challenge": ["access_token": [:]]] : [:])
      follow(place.machine, place.unusual) { $0.finished(step.id, report) }
    }
  }

  /// Whether the walk may go on.
  private mutating func isWithinLimits() -> Bool {
    if found.length >= nextLook {
      nextLook = found.length + Exploration.interval
      tell(found.places, found.ways.count)
      // The walk is not worth going on with.
      if Task.isCancelled { found.length = limit }
    }
    return found.length < limit && entries < Exploration.mostEntries
  }

  /// Goes on from a machine in every way that its conditions and asserts allow.
  private mutating func follow(
    _ from: WorkflowMachine, _ unusual: [String], _ go: (inout WorkflowMachine) -> Action
  ) {
    var answers: [[Bool]] = [[]]
    var tried = 0
    while tried < answers.count {
      guard tried < Exploration.mostForks, isWithinLimits() else {
        found.isWhole = false
        break
      }
      var machine = from
      machine.supposition = ExplorationAssumption(answers[tried])
      tried += 1
      let action = go(&machine)
      found.length += machine.path.count - from.path.count + from.path.count / Exploration.entriesPerStep
      // One more than are tried, which tells that they are not all.
      machine.supposition?.addAlternatives(to: &answers, most: Exploration.mostForks + 1)
      var nextStep: String?
      if case .perform(let performances) = action { nextStep = performances.first?.id }
      let unusual = note(machine.takeEvents(), of: machine, from: from.path, unusual, next: nextStep)
      noteDecisions(machine.path[from.path.count...])
      if nextStep != nil { wait(machine, unusual) }
    }
  }

  /// Notes the arrows that the machine has taken.
  /// - Returns: what went wrong on the way until now.
  private mutating func note(
    _ events: [MachineEvent], of machine: WorkflowMachine, from earlier: [String], _ unusual: [String], next: String?
  ) -> [String] {
    var unusual = unusual
    var entry = earlier.count
    for event in events {
      guard case .moved(let id, let name, let to, let rule) = event else { continue }
      defer { entry += 1 }
      guard entry < machine.path.count else { continue }
      let before = unusual
      guard let (step, isFinally) = own[id] else { continue }
      let outcome = step.outcome(named: name) ?? Outcome(name, .failure, .fail, "")
      if outcome.sort == .failure || outcome.sort == .internalFailure { unusual.append("\(id).\(name)") }
      let key = "\(id).\(name)→\(to)"
      let isNew = seenArrows.insert(key).inserted
      let isCombination = depth > 1 && unusual.count <= depth && seenArrows.insert("\(before)\(key)").inserted
      guard isNew || isCombination, found.ways.count < Exploration.mostWays else { continue }
      entries += entry + 1
      found.ways.append(
        Exploration.Path(
          step: step, isFinally: isFinally, outcome: outcome, before: earlier,
          own: Array(machine.path[earlier.count...entry]), to: to, source: rule.source, next: next,
          detours: before.count))
    }
    return unusual
  }

  private mutating func noteDecisions(_ entries: ArraySlice<String>) {
    guard !deciding.isEmpty else { return }
    for text in entries {
      // No id has a dot.
      let id = String(text.prefix { $0 != "." })
      if deciding.contains(id) { found.decided[id, default: []].insert(!text.hasSuffix(".skipped")) }
    }
  }

  /// Puts a place into the row of what went wrong on the way to it.
  private mutating func wait(_ machine: WorkflowMachine, _ unusual: [String]) {
    let place = Place(machine: machine, unusual: unusual, signature: signature(machine))
    guard !place.isKnown(among: seenPlaces, depth) else { return }
    while waiting.count <= unusual.count {
      waiting.append([])
      queued.append([])
    }
    guard queued[unusual.count].insert(place.key(depth)).inserted else { return }
    waiting[unusual.count].append(place)
  }

  private mutating func signature(_ machine: WorkflowMachine) -> String {
    let frame = machine.frame
    var text =
      "\(frame.isInFinally)/\(frame.current)/\(frame.repeatedCall == frame.current)/\(frame.detour?.call ?? -1)"
    // Of many steps most have not run, and of most nothing is asked.
    for (number, step) in bounded.enumerated() {
      if let runs = frame.runs[step.id] { text += "/\(number):\(min(runs, step.maxRuns ?? 0))" }
    }
    for (number, id) in watched.enumerated() {
      if let outcome = machine.facts.facts(of: .init(id))?["outcome"]?.string { text += "/\(number)=\(outcome)" }
    }
    found.length += (bounded.count + watched.count) / Exploration.entriesPerStep
    return text
  }
}

private struct Place {
  var machine: WorkflowMachine
  /// What went wrong on the way here.
  var unusual: [String]
  /// What the machine's further ways depend on.
  var signature: String

  /// The place after just these mishaps.
  private var combination: String { "\(unusual)\(signature)" }

  /// What no other place need wait for in the same row.
  func key(_ depth: Int) -> String { depth > 1 && unusual.count < depth ? combination : signature }

  /// Whether it was expanded before; with more depth, after the same mishaps where they are few enough.
  func isKnown(among seen: Set<String>, _ depth: Int) -> Bool {
    seen.contains(depth > 1 && unusual.count < depth ? combination : signature)
  }

  /// Remembers that it is expanded.
  func note(in seen: inout Set<String>, _ depth: Int) {
    seen.insert(signature)
    if depth > 1 { seen.insert(combination) }
  }
}
