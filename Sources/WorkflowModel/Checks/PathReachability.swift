import Documents

/// Determines whether any run of a workflow can match a path pattern, and the longest prefix that can match.
///
/// The search explores all steps with all outcomes at once. Each state is a step with the number of matched pattern
/// elements, so their number is at most steps times elements. Decisions that depend on values can go either way. A path
/// that is reported as impossible is therefore really impossible.
package struct PathReachability {
  /// The result of a run.
  package enum Termination: Hashable {
    case success
    case failure(String)

    var outcomeName: String {
      switch self {
      case .success: "success"
      case .failure(let outcome): outcome
      }
    }
  }

  private struct State: Hashable {
    var isInFinally = false
    var place: StepGraph.Place
    /// The number of matched pattern elements.
    var matched = 0
    /// The result before `finally`; in `finally`, the first failure.
    var termination: Termination = .success
  }

  private let checked: CheckedWorkflow
  private let pattern: [PathPattern.Element]
  /// Whether the pattern contains `...`.
  private let isOpen: Bool
  /// The first position from which the pattern consists only of `...`.
  private let openFrom: Int
  /// The length of the longest prefix of the pattern that matches.
  private(set) var furthest = 0
  /// The steps that can follow the longest matching prefix.
  private(set) var next: [String] = []
  private var nextIDs: Set<String> = []
  /// The results of all runs that match the complete pattern.
  package private(set) var terminations: Set<Termination> = []
  /// Whether all states were explored. If not, there are more than the limit.
  package private(set) var isComplete = true
  /// The number of explored states.
  package private(set) var states = 0

  /// - Parameters:
  ///   - pattern: The pattern; nil for any path.
  ///   - limit: The maximum number of states to explore.
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
      if !isDetour { recordNext(state) }
      guard seen.insert(state).inserted else { return }
      states += 1
      waiting.append(state)
    }
    for matched in positions(0) { add(State(place: .init(position: 0, entered: false), matched: matched)) }
    while let state = waiting.popLast() {
      guard states <= limit else {
        isComplete = false
        return
      }
      let graph = state.isInFinally ? checked.last : checked.main
      guard graph.steps.indices.contains(state.place.position) else { continue }
      let step = graph.steps[state.place.position]
      // An unresolved value or a failed expectation inside the step ends the run with `violated`, and the limit on
      // steps can end it anywhere.
      let canBreak = state.isInFinally ? checked.mayBreakLast : checked.mayBreak
      if canBreak[state.place.position] || isLong(state) {
        for next in end(state, .failure("violated")) + end(state, .failure("exhausted")) { add(next) }
      }
      let regular = graph.edges(from: state.place)
      for (number, edge) in (regular + graph.edgesAfterDetours(from: state.place)).enumerated() {
        for matched in advance(state.matched, step.id, edge.outcome.name) {
          var after = state
          after.matched = matched
          if let (position, enters) = edge.target {
            after.place = .init(position: position, entered: enters)
            add(after, isDetour: number >= regular.count)
            // A claims challenge leads to a detour once per call.
            if case .detour = edge.destination {
              for next in end(after, .failure(edge.outcome.name), at: state.place.position) { add(next) }
            }
          } else {
            let result: Termination = edge.destination == .success ? .success : .failure(edge.outcome.name)
            for next in end(after, result, at: state.place.position) { add(next) }
          }
          if edge.outcome.evaluatesExpect || step.expects(outcome: edge.outcome.name), !step.expect.isEmpty {
            for next in end(after, .failure("violated"), at: state.place.position) { add(next) }
          }
        }
      }
    }
  }

  /// Handles the end of a list of steps: starts `finally`, continues after a failed step of `finally`, or ends the run.
  private mutating func end(_ state: State, _ termination: Termination, at position: Int = 0) -> [State] {
    var after = state
    if state.matched > furthest {
      furthest = state.matched
      next = []
      nextIDs = []
    }
    if !state.isInFinally {
      after.termination = termination
      guard checked.last.steps.isEmpty else {
        after.isInFinally = true
        after.place = .init(position: 0, entered: false)
        return [after]
      }
    } else {
      if case .success = state.termination { after.termination = termination }
      if case .failure = termination, position + 1 < checked.last.steps.count {
        after.place = .init(position: position + 1, entered: false)
        return [after]
      }
    }
    if after.matched >= openFrom { terminations.insert(after.termination) }
    return []
  }

  /// The positions in the pattern that are reachable without an entry: before and after each `...`.
  private func positions(_ start: Int) -> [Int] {
    // Several `...` in a row are equivalent to the last one.
    var last = start
    while last + 1 < pattern.count, pattern[last] == .anything, pattern[last + 1] == .anything { last += 1 }
    return last < pattern.count && pattern[last] == .anything ? [last, last + 1] : [last]
  }

  /// The positions in the pattern after an entry.
  private mutating func advance(_ matched: Int, _ step: String, _ outcome: String) -> [Int] {
    guard matched < pattern.count else { return [] }
    switch pattern[matched] {
    case .anything: return positions(matched)
    case .entry(let wantedStep, let wantedOutcome):
      guard wantedStep == step, wantedOutcome == outcome else { return [] }
      return positions(matched + 1)
    }
  }

  private func isLong(_ state: State) -> Bool {
    isOpen || state.matched >= checked.workflow.maxSteps
  }

  /// Records the next step at the longest matching prefix. The return from a detour is omitted because it is implied.
  private mutating func recordNext(_ state: State) {
    let steps = (state.isInFinally ? checked.last : checked.main).steps
    guard steps.indices.contains(state.place.position) else { return }
    if state.matched > furthest {
      furthest = state.matched
      next = []
      nextIDs = []
    }
    let id = steps[state.place.position].id
    if state.matched == furthest, nextIDs.insert(id).inserted { next.append(id) }
  }
}

extension Step {
  /// Whether the step can end the run regardless of its outcome: because of an unresolved value, or a step inside it.
  var mayBreak: Bool {
    switch action {
    case .use, .parallel: true
    default: node.containsTemplates
    }
  }
}

extension StepGraph {
  /// Additional edges of a step that handles a claims challenge: back to the call.
  func edgesAfterDetours(from place: Place) -> [Edge] {
    let calls = challengedCalls[place.position] ?? []
    guard !calls.isEmpty else { return [] }
    return edges(from: place).filter { $0.outcome.sort == .success }.flatMap { edge in
      calls.map { call in
        // The repeated call is entered like the first one.
        let isEntered = !edges(from: Place(position: call, entered: true)).isEmpty
        return Edge(outcome: edge.outcome, destination: .step(call), rule: .init(.standard, "", isJump: isEntered))
      }
    }
  }
}
