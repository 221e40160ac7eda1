import Documents
import OrderedCollections

/// Every outcome of every step of a workflow, walked by the machine that also runs it.
///
/// The walk ends: a place is what the machine's further ways depend on (the step, whether a call is being repeated, an
/// open detour, how often bounded steps ran, the outcomes that conditions ask for), of which there are finitely many;
/// each is expanded once, with finitely many outcomes; no way is longer than `maxSteps`; and no more than `mostPlaces`
/// are expanded. Places on whose way less went wrong come first, and of those the nearest, so that the first way over an
/// arrow is the plainest.
package struct Exploration: Sendable {
  /// A way over one arrow: how to get there, and what is there.
  package struct Path: Sendable {
    package var step: Step
    package var isFinally: Bool
    package var outcome: Outcome
    /// The entries of the path, up to and including this one: `silent.success`. Ways from one place share those before it.
    package var entries: [String] {
      get { before + own }
      set { (before, own) = ([], newValue) }
    }
    private var before: [String]
    private var own: [String]
    /// A step's id, `success` or `failure`.
    package var to: String
    package var source: Transitions.Rule.Source
    /// The step that is performed next, past those that are skipped; nil at the end.
    package var next: String?

    /// The entry of the arrow itself: `silent.offline`.
    package var entry: String { "\(step.id).\(outcome.name)" }

    /// How many entries before the last are anything but a step's success.
    package var detours: Int

    init(
      step: Step, isFinally: Bool, outcome: Outcome, before: [String], own: [String], to: String,
      source: Transitions.Rule.Source, next: String?, detours: Int
    ) {
      self.step = step
      self.isFinally = isFinally
      self.outcome = outcome
      self.before = before
      self.own = own
      self.to = to
      self.source = source
      self.next = next
      self.detours = detours
    }
  }

  /// Outcomes of a step that end in failure without the author having said so.
  package struct Unhandled: Sendable {
    package var step: Step
    /// Those that people meet every day, the most frequent first.
    package var common: [String]
    package var rare: [String]
  }

  package let workflow: Workflow
  package var ways: [Path] = []
  /// Conditions that the ways decide, with what they came to.
  private(set) var decided: [String: Set<Bool>] = [:]
  /// How many places were expanded.
  package private(set) var places = 0
  /// Whether every place was expanded; otherwise the walk exceeded one of the limits below, or the task was canceled.
  package private(set) var isWhole = true
  /// What the walk cost, in the unit of `mostLength`.
  package private(set) var length = 0

  package static let mostPlaces = 20_000
  package static let mostWays = 20_000
  /// How many steps the walk may come past, all ways together: that bounds time and memory for long workflows.
  package static let mostLength = 2_000_000
  /// How many entries all ways may have together: that bounds the report.
  package static let mostEntries = 5_000_000
  /// Copying an entry of the path and naming an outcome cost this part of a step.
  private static let entriesPerStep = 16
  /// How many steps the walk comes past between two looks at the task, and how many places between two reports.
  private static let interval = 4_096
  /// Conditions and asserts that follow on each other double the ways each time; of one go these are walked, those
  /// where the fewest of them fail first.
  private static let mostForks = 1_000

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

  /// - Parameters:
  ///   - depth: how many outcomes that are no success a way may have, beyond the shortest for each arrow: 1 is each
  ///     arrow once.
  ///   - limit: how many steps the walk may come past.
  ///   - tell: is called with the number of places and ways from time to time.
  package init(
    _ workflow: Workflow, depth: Int = 1, limit: Int = Exploration.mostLength,
    tell: (_ places: Int, _ ways: Int) -> Void = { _, _ in }
  ) {
    self.workflow = workflow
    let graphs = [StepGraph(workflow.steps), StepGraph(workflow.finally)]
    let outcomes = graphs.map { graph in graph.steps.indices.map { graph.possibleOutcomes($0) } }
    let bounded = (workflow.steps + workflow.finally).filter { $0.maxRuns != nil }
    let ids = workflow.stepIDs
    let deciding = Set((workflow.steps + workflow.finally).filter { $0.asksOnlyForOutcomes(of: ids) }.map(\.id))
    let own = workflow.ownSteps
    let watched = Array(Set((workflow.steps + workflow.finally).flatMap(\.askedSteps))).sorted()
    var seenPlaces: Set<String> = []
    var seenArrows: Set<String> = []
    /// By how much went wrong on the way.
    var waiting: [[Place?]] = [[]]
    /// What waits in each row: of those that are alike the first is the nearest.
    var queued: [Set<String>] = [[]]
    var next = 0
    var entries = 0
    var nextLook = Self.interval

    /// Whether the walk may go on.
    func isWithinLimits() -> Bool {
      if length >= nextLook {
        nextLook = length + Self.interval
        tell(next, ways.count)
        // The walk is not worth going on with.
        if Task.isCancelled { length = limit }
      }
      return length < limit && entries < Self.mostEntries
    }

    func signature(_ machine: WorkflowMachine) -> String {
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
      length += (bounded.count + watched.count) / Self.entriesPerStep
      return text
    }

    /// Goes on from a machine in every way that its conditions and asserts allow.
    func follow(_ from: WorkflowMachine, _ unusual: [String], _ go: (inout WorkflowMachine) -> Action) {
      var answers: [[Bool]] = [[]]
      var tried = 0
      while tried < answers.count {
        guard tried < Self.mostForks, isWithinLimits() else {
          isWhole = false
          break
        }
        let answer = answers[tried]
        tried += 1
        var machine = from
        machine.supposition = ExplorationAssumption(answer)
        let action = go(&machine)
        length += machine.path.count - from.path.count + from.path.count / Self.entriesPerStep
        // One more than are tried, which tells that they are not all.
        machine.supposition?.addAlternatives(to: &answers, most: Self.mostForks + 1)
        let events = machine.takeEvents()
        var unusual = unusual
        var entry = from.path.count
        var nextStep: String?
        if case .perform(let performances) = action { nextStep = performances.first?.id }
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
          if isNew || isCombination, ways.count < Self.mostWays {
            entries += entry + 1
            ways.append(
              Path(
                step: step, isFinally: isFinally, outcome: outcome, before: from.path,
                own: Array(machine.path[from.path.count...entry]), to: to, source: rule.source, next: nextStep,
                detours: before.count))
          }
        }
        if !deciding.isEmpty {
          for text in machine.path[from.path.count...] {
            // No id has a dot.
            let id = String(text.prefix { $0 != "." })
            if deciding.contains(id) { decided[id, default: []].insert(!text.hasSuffix(".skipped")) }
          }
        }
        guard nextStep != nil else { continue }
        let place = Place(machine: machine, unusual: unusual, signature: signature(machine))
        guard !place.isKnown(among: seenPlaces, depth) else { continue }
        while waiting.count <= unusual.count {
          waiting.append([])
          queued.append([])
        }
        guard queued[unusual.count].insert(place.key(depth)).inserted else { continue }
        waiting[unusual.count].append(place)
      }
    }

    follow(WorkflowMachine(workflow), []) { $0.start() }
    var bucket = 0
    var index = 0
    while bucket < waiting.count {
      guard index < waiting[bucket].count else {
        waiting[bucket] = []
        bucket += 1
        index = 0
        continue
      }
      guard next < Self.mostPlaces, isWithinLimits(), ways.count < Self.mostWays else {
        isWhole = false
        break
      }
      // What was expanded is kept no longer.
      let expanded = waiting[bucket][index].take()
      index += 1
      guard let place = expanded else { continue }
      // Who came here first may have come by a way on which more went wrong: a place is known once it is expanded.
      guard !place.isKnown(among: seenPlaces, depth) else { continue }
      place.note(in: &seenPlaces, depth)
      next += 1
      length += place.machine.path.count
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
    places = next
  }
}

extension Workflow {
  /// The steps of its own list and of `finally`, by their ids.
  package var ownSteps: [String: (step: Step, isFinally: Bool)] {
    let own = steps.map { ($0.id, (step: $0, isFinally: false)) }
    return Dictionary(own + finally.map { ($0.id, (step: $0, isFinally: true)) }) { first, _ in first }
  }
}
