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
  package struct Way: Sendable {
    package var step: Step
    package var isFinally: Bool
    package var outcome: Outcome
    /// The entries of the path, up to and including this one: `silent.success`.
    package var entries: [String]
    /// A step's id, `success` or `failure`.
    package var to: String
    package var source: Transitions.Rule.Source
    /// The step that is performed next, past those that are skipped; nil at the end.
    package var next: String?

    /// The entry of the arrow itself: `silent.offline`.
    package var entry: String { "\(step.id).\(outcome.name)" }

    /// How many entries before the last are anything but a step's success.
    package var detours: Int
  }

  /// Outcomes of a step that end in failure without the author having said so.
  package struct Unhandled: Sendable {
    package var step: Step
    /// Those that people meet every day, the most frequent first.
    package var common: [String]
    package var rare: [String]
  }

  package let workflow: Workflow
  package private(set) var ways: [Way] = []
  /// Conditions that the ways decide, with what they came to.
  private(set) var decided: [String: Set<Bool>] = [:]
  /// How many places were expanded.
  package private(set) var places = 0
  /// Whether every place was expanded; otherwise the workflow has more than `mostPlaces`.
  package private(set) var isWhole = true

  package static let mostPlaces = 20_000
  package static let mostWays = 20_000
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

  /// - Parameter depth: how many outcomes that are no success a way may have, beyond the shortest for each arrow: 1 is
  ///   each arrow once.
  package init(_ workflow: Workflow, depth: Int = 1) {
    self.workflow = workflow
    let graphs = [StepGraph(workflow.steps), StepGraph(workflow.finally)]
    let outcomes = graphs.map { graph in graph.steps.indices.map { graph.possibleOutcomes($0) } }
    let bounded = (workflow.steps + workflow.finally).filter { $0.atMost != nil }
    let deciding = (workflow.steps + workflow.finally).filter { $0.asksOnlyForOutcomes(of: workflow.stepIDs) }.map(\.id)
    let own = workflow.ownSteps
    let watched = Array(Set((workflow.steps + workflow.finally).flatMap(\.askedSteps))).sorted()
    var seenPlaces: Set<String> = []
    var seenArrows: Set<String> = []
    /// By how much went wrong on the way.
    var waiting: [[Place]] = [[]]
    var next = 0

    func signature(_ machine: WorkflowMachine) -> String {
      let frame = machine.frame
      var text =
        "\(frame.isInFinally)/\(frame.current)/\(frame.repeatedCall == frame.current)/\(frame.detour?.call ?? -1)"
      for step in bounded { text += "/\(min(frame.runs[step.id] ?? 0, step.atMost ?? 0))" }
      for id in watched { text += "/\(machine.facts.facts(of: .init(id))?["outcome"]?.string ?? "")" }
      return text
    }

    /// Goes on from a machine in every way that its conditions and asserts allow.
    func follow(_ from: WorkflowMachine, _ unusual: [String], _ go: (inout WorkflowMachine) -> Action) {
      var answers: [[Bool]] = [[]]
      var tried = 0
      while tried < answers.count {
        guard tried < Self.mostForks else {
          isWhole = false
          break
        }
        let answer = answers[tried]
        tried += 1
        var machine = from
        machine.supposition = Supposition(answer)
        let action = go(&machine)
        answers += machine.supposition?.alternatives ?? []
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
            ways.append(
              Way(
                step: step, isFinally: isFinally, outcome: outcome, entries: Array(machine.path[...entry]), to: to,
                source: rule.source, next: nextStep, detours: before.count))
          }
        }
        for id in deciding where machine.path.count > from.path.count {
          for text in machine.path[from.path.count...] where text.hasPrefix("\(id).") {
            decided[id, default: []].insert(text != "\(id).skipped")
          }
        }
        guard nextStep != nil else { continue }
        let place = Place(machine: machine, unusual: unusual, signature: signature(machine))
        guard !place.isKnown(among: seenPlaces, depth) else { continue }
        while waiting.count <= unusual.count { waiting.append([]) }
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
      guard next < Self.mostPlaces, ways.count < Self.mostWays else {
        isWhole = false
        break
      }
      let place = waiting[bucket][index]
      index += 1
      // Who came here first may have come by a way on which more went wrong: a place is known once it is expanded.
      guard !place.isKnown(among: seenPlaces, depth) else { continue }
      place.note(in: &seenPlaces, depth)
      next += 1
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
