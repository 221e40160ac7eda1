import Documents

/// Whether some run of a workflow can take a way that a pattern describes, and how far it gets.
///
/// All ways of all steps are walked at once, each place with the part of the pattern that is still to come: so many
/// places, so many entries, and no more. What a run decides by its facts may come out either way here, so a way that is
/// called impossible is.
package struct PathReachability {
  /// How a run may end.
  package enum Ending: Hashable {
    case success
    case failure(String)

    var words: String {
      switch self {
      case .success: "success"
      case .failure(let outcome): outcome
      }
    }
  }

  private struct State: Hashable {
    var isInFinally = false
    var place: StepGraph.Place
    /// How many elements of the pattern are behind it.
    var behind = 0
    /// How it ended before `finally`; there, its first failure.
    var ending: Ending = .success
  }

  private let checked: CheckedWorkflow
  private let pattern: [PathPattern.Element]
  /// Whether `...` leaves something open.
  private let isOpen: Bool
  /// From where on the pattern is nothing but `...`.
  private let openFrom: Int
  /// The elements that some way comes past, counted from the first.
  private(set) var furthest = 0
  /// The steps that would come where the pattern says something else.
  private(set) var next: [String] = []
  private var nextIDs: Set<String> = []
  /// How the ways end that the whole pattern describes.
  package private(set) var endings: Set<Ending> = []
  /// Whether all states were walked; otherwise there are more than the limit.
  package private(set) var isWhole = true
  /// How many states were found.
  package private(set) var states = 0

  /// - Parameters:
  ///   - pattern: nil for any way at all.
  ///   - limit: how many states may be walked.
  package init(_ pattern: PathPattern?, in checked: CheckedWorkflow, limit: Int = .max) {
    self.checked = checked
    let pattern = pattern?.elements.map(\.value) ?? [.anything]
    self.pattern = pattern
    isOpen = pattern.contains(.anything)
    openFrom = pattern.lastIndex { $0 != .anything }.map { $0 + 1 } ?? 0
    walk(limit)
  }

  private mutating func walk(_ limit: Int) {
    var seen: Set<State> = []
    var waiting: [State] = []
    func add(_ state: State, isDetour: Bool = false) {
      if !isDetour { note(state) }
      guard seen.insert(state).inserted else { return }
      states += 1
      waiting.append(state)
    }
    for behind in positions(0) { add(State(place: .init(position: 0, entered: false), behind: behind)) }
    while let state = waiting.popLast() {
      guard states <= limit else {
        isWhole = false
        return
      }
      let graph = state.isInFinally ? checked.last : checked.main
      guard graph.steps.indices.contains(state.place.position) else { continue }
      let step = graph.steps[state.place.position]
      // What is filled in as a step begins may not fit, what is inside of it may break, and the bound on steps ends a run
      // anywhere.
      let mayBreak = state.isInFinally ? checked.mayBreakLast : checked.mayBreak
      if mayBreak[state.place.position] || isLong(state) {
        for way in end(state, .failure("violated")) + end(state, .failure("exhausted")) { add(way) }
      }
      let usual = graph.edges(from: state.place)
      for (number, edge) in (usual + graph.edgesAfterDetours(from: state.place)).enumerated() {
        for behind in advance(state.behind, step.id, edge.outcome.name) {
          var after = state
          after.behind = behind
          if let (position, enters) = edge.target {
            after.place = .init(position: position, entered: enters)
            add(after, isDetour: number >= usual.count)
            // The same call is challenged once.
            if case .detour = edge.destination {
              for way in end(after, .failure(edge.outcome.name), at: state.place.position) { add(way) }
            }
          } else {
            let ending: Ending = edge.destination == .success ? .success : .failure(edge.outcome.name)
            for way in end(after, ending, at: state.place.position) { add(way) }
          }
          if edge.outcome.isJudged || step.expects(outcome: edge.outcome.name), !step.expect.isEmpty {
            for way in end(after, .failure("violated"), at: state.place.position) { add(way) }
          }
        }
      }
    }
  }

  /// A list of steps is over: on to `finally`, or to its next step where one of it failed, or the run ends.
  private mutating func end(_ state: State, _ ending: Ending, at position: Int = 0) -> [State] {
    var after = state
    if state.behind > furthest {
      furthest = state.behind
      next = []
      nextIDs = []
    }
    if !state.isInFinally {
      after.ending = ending
      guard checked.last.steps.isEmpty else {
        after.isInFinally = true
        after.place = .init(position: 0, entered: false)
        return [after]
      }
    } else {
      if case .success = state.ending { after.ending = ending }
      if case .failure = ending, position + 1 < checked.last.steps.count {
        after.place = .init(position: position + 1, entered: false)
        return [after]
      }
    }
    if after.behind >= openFrom { endings.insert(after.ending) }
    return []
  }

  /// Where one may stand in the pattern without an entry: before each `...`, and behind it.
  private func positions(_ start: Int) -> [Int] {
    // Several in a row say no more than the last of them.
    var last = start
    while last + 1 < pattern.count, pattern[last] == .anything, pattern[last + 1] == .anything { last += 1 }
    return last < pattern.count && pattern[last] == .anything ? [last, last + 1] : [last]
  }

  /// Where one may stand after an entry.
  private mutating func advance(_ behind: Int, _ step: String, _ outcome: String) -> [Int] {
    guard behind < pattern.count else { return [] }
    switch pattern[behind] {
    case .anything: return positions(behind)
    case .entry(let wantedStep, let wantedOutcome):
      guard wantedStep == step, wantedOutcome == outcome else { return [] }
      return positions(behind + 1)
    }
  }

  private func isLong(_ state: State) -> Bool {
    isOpen || state.behind >= checked.workflow.maxSteps
  }

  /// Remembers what comes where the pattern got furthest; coming back from a detour goes without saying.
  private mutating func note(_ state: State) {
    let steps = (state.isInFinally ? checked.last : checked.main).steps
    guard steps.indices.contains(state.place.position) else { return }
    if state.behind > furthest {
      furthest = state.behind
      next = []
      nextIDs = []
    }
    let id = steps[state.place.position].id
    if state.behind == furthest, nextIDs.insert(id).inserted { next.append(id) }
  }
}

extension Step {
  /// Whether it can break apart from its outcomes: a value may not fit, or a step inside of it may break.
  var mayBreak: Bool {
    switch action {
    case .use, .parallel: true
    default: node.holdsTemplates
    }
  }
}

extension StepGraph {
  /// Where a step leads besides, while it answers a claims challenge: back to the call.
  func edgesAfterDetours(from place: Place) -> [Edge] {
    let calls = callsAnswered[place.position] ?? []
    guard !calls.isEmpty else { return [] }
    return edges(from: place).filter { $0.outcome.sort == .success }.flatMap { edge in
      calls.map { call in
        // However the call was come to before, so it is again.
        let isEntered = !edges(from: Place(position: call, entered: true)).isEmpty
        return Edge(outcome: edge.outcome, destination: .step(call), rule: .init(.standard, "", isJump: isEntered))
      }
    }
  }
}
