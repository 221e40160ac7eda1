import Documents

/// Determines whether any run of a workflow can match a path pattern, and the longest prefix that can match.
///
/// The search explores all outcomes of all steps. A state consists of a step and the number of matched pattern
/// elements, so the number of states is at most the number of steps times the number of elements. Conditions that
/// depend on values can be true or false. Every path reported as impossible is impossible, but the search does not find
/// all impossible paths.
package struct PathReachability {
  /// The result of a run: success, or the first failure.
  package enum Termination: Hashable {
    case success
    case failure(OutcomeName)

    var outcomeName: OutcomeName {
      switch self {
      case .success: .success
      case .failure(let outcome): outcome
      }
    }
  }

  private struct State: Hashable {
    var isInFinally = false
    var place: StepGraph.Place
    /// The number of matched pattern elements.
    var matched = 0
    /// The result of the main steps. While `finally` runs, this is the first failure so far.
    var termination: Termination = .success
  }

  private let checked: CheckedWorkflow
  private let pattern: [PathPattern.Element]
  /// Whether the pattern contains `...`.
  private let isOpen: Bool
  /// The number of elements before the trailing `...`.
  private let requiredCount: Int
  /// The length of the longest prefix of the pattern that matches.
  private(set) var furthest = 0
  /// The steps that can follow the longest matching prefix.
  private(set) var next: [String] = []
  private var nextIDs: Set<String> = []
  /// The results of all runs that match the complete pattern.
  package private(set) var terminations: Set<Termination> = []
  /// Whether all states were explored. False if the search reached its limit.
  package private(set) var isComplete = true
  /// The number of explored states.
  package private(set) var states = 0

  /// - Parameters:
  ///   - pattern: The pattern, or nil to match any path.
  ///   - limit: The maximum number of states to explore.
  package init(_ pattern: PathPattern?, in checked: CheckedWorkflow, limit: Int = .max) {
    self.checked = checked
    let pattern = pattern?.elements.map(\.value) ?? [.anything]
    self.pattern = pattern
    isOpen = pattern.contains(.anything)
    requiredCount = pattern.lastIndex { $0 != .anything }.map { $0 + 1 } ?? 0
    search(limit)
  }

  private mutating func search(_ limit: Int) {
    var seen: Set<State> = []
    var waiting: [State] = []
    func add(_ state: State, isDetour: Bool = false) {
      // The return from a detour to the call is implied, so it is not listed as a next step.
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
      let graph = graph(of: state)
      guard graph.steps.indices.contains(state.place.position) else { continue }
      let step = graph.steps[state.place.position]
      // An unresolved value or a failed expectation in a nested workflow ends the run with `violated`. The step limit
      // ends the run with `exhausted`.
      let canAbort = state.isInFinally ? checked.canAbortInFinally : checked.canAbort
      if canAbort[state.place.position] || canReachStepLimit(state) {
        for next in end(state, .failure(.violated)) + end(state, .failure(.exhausted)) { add(next) }
      }
      let edges = graph.edges(from: state.place)
      for (number, edge) in (edges + graph.edgesAfterDetours(from: state.place)).enumerated() {
        for matched in advance(state.matched, step.id, edge.outcome.name) {
          var nextState = state
          nextState.matched = matched
          if let (position, enters) = edge.target {
            nextState.place = .init(position: position, entered: enters)
            add(nextState, isDetour: number >= edges.count)
            // A second claims challenge for the same call is a failure.
            if case .detour = edge.destination {
              for next in end(nextState, .failure(edge.outcome.name), at: state.place.position) { add(next) }
            }
          } else {
            let termination: Termination = edge.destination == .success ? .success : .failure(edge.outcome.name)
            for next in end(nextState, termination, at: state.place.position) { add(next) }
          }
          if edge.outcome.evaluatesExpect || step.expects(outcome: edge.outcome.name), !step.expect.isEmpty {
            for next in end(nextState, .failure(.violated), at: state.place.position) { add(next) }
          }
        }
      }
    }
  }

  /// Starts `finally` after the main steps, continues `finally` after a failed step, or ends the run.
  /// - Returns: The next state, if the run continues.
  private mutating func end(_ state: State, _ termination: Termination, at position: Int = 0) -> [State] {
    var nextState = state
    updateFurthest(state)
    if !state.isInFinally {
      nextState.termination = termination
      guard checked.finally.steps.isEmpty else {
        nextState.isInFinally = true
        nextState.place = .init(position: 0, entered: false)
        return [nextState]
      }
    } else {
      if case .success = state.termination { nextState.termination = termination }
      if case .failure = termination, position + 1 < checked.finally.steps.count {
        nextState.place = .init(position: position + 1, entered: false)
        return [nextState]
      }
    }
    if nextState.matched >= requiredCount { terminations.insert(nextState.termination) }
    return []
  }

  /// Updates the longest matching prefix if the state matches more elements.
  private mutating func updateFurthest(_ state: State) {
    guard state.matched > furthest else { return }
    furthest = state.matched
    next = []
    nextIDs = []
  }

  /// Returns the pattern positions that are reachable from a position without matching a path entry: before and after
  /// `...`.
  private func positions(_ start: Int) -> [Int] {
    // Several consecutive `...` are equivalent to the last one.
    var last = start
    while last + 1 < pattern.count, pattern[last] == .anything, pattern[last + 1] == .anything { last += 1 }
    return last < pattern.count && pattern[last] == .anything ? [last, last + 1] : [last]
  }

  /// Returns the pattern positions after matching a path entry.
  private func advance(_ matched: Int, _ step: String, _ outcome: OutcomeName) -> [Int] {
    guard matched < pattern.count else { return [] }
    switch pattern[matched] {
    case .anything: return positions(matched)
    case .entry(let expectedStep, let expectedOutcome):
      guard expectedStep == step, expectedOutcome == .outcome(outcome) else { return [] }
      return positions(matched + 1)
    }
  }

  /// Returns whether the run can reach the step limit. With `...`, a path can have any length.
  private func canReachStepLimit(_ state: State) -> Bool {
    isOpen || state.matched >= checked.workflow.maxSteps
  }

  private func graph(of state: State) -> StepGraph { state.isInFinally ? checked.finally : checked.main }

  /// Records the next step after the longest matching prefix.
  private mutating func recordNext(_ state: State) {
    let steps = graph(of: state).steps
    guard steps.indices.contains(state.place.position) else { return }
    updateFurthest(state)
    let id = steps[state.place.position].id
    if state.matched == furthest, nextIDs.insert(id).inserted { next.append(id) }
  }
}

extension Step {
  /// Whether the step can end the run regardless of its outcome, because of an unresolved value or an inner step.
  var canAbort: Bool {
    switch action {
    case .use, .parallel: true
    default: node.containsTemplates
    }
  }
}

extension StepGraph {
  /// Returns additional edges from a step that handles a claims challenge to the challenged calls.
  func edgesAfterDetours(from place: Place) -> [Edge] {
    let calls = challengedCalls[place.position] ?? []
    guard !calls.isEmpty else { return [] }
    return edges(from: place).filter { $0.outcome.sort == .success }.flatMap { edge in
      calls.map { call in
        // Entering the repeated call follows the rules for the first call.
        let isEntered = !edges(from: Place(position: call, entered: true)).isEmpty
        return Edge(outcome: edge.outcome, destination: .step(call), rule: .init(.standard, "", isJump: isEntered))
      }
    }
  }
}
