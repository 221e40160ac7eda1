/// The graph of a step list: its reachable places, and the edges between them.
struct StepGraph: Sendable {
  struct Edge: Sendable {
    var outcome: Outcome
    var destination: Transitions.Destination
    var rule: Transitions.Rule

    /// The target step, and whether it runs even if it is a fallback. Nil at the end of the list.
    var target: (position: Int, enters: Bool)? {
      switch destination {
      case .step(let position): return (position, rule.isJump)
      case .fallback(let position), .detour(let position): return (position, true)
      case .success, .failure: return nil
      }
    }
  }

  /// A step and whether it was entered directly or reached in list order.
  struct Place: Hashable, Sendable {
    var position: Int
    /// Whether the step is the target of an `on`, a fallback, or a detour. A fallback that is reached in list order is
    /// skipped.
    var entered: Bool
  }

  /// Returns the two places of a step: entered directly, and reached in list order.
  static func places(of position: Int) -> [Place] {
    [Place(position: position, entered: true), Place(position: position, entered: false)]
  }

  let transitions: Transitions
  let steps: [Step]
  /// All reachable places with the edges that leave them.
  private let edgesByPlace: [Place: [Edge]]
  /// The calls that are repeated after a claims challenge, by the step that handles the challenge.
  let challengedCalls: [Int: [Int]]

  init(_ steps: [Step]) {
    self.steps = steps
    transitions = Transitions(steps)
    var edgesByPlace: [Place: [Edge]] = [:]
    var waiting = steps.isEmpty ? [] : [Place(position: 0, entered: false)]
    while let place = waiting.popLast() {
      guard edgesByPlace[place] == nil else { continue }
      let edges = Self.edges(from: place, steps, transitions)
      edgesByPlace[place] = edges
      for edge in edges {
        guard let (position, enters) = edge.target else { continue }
        waiting.append(Place(position: position, entered: enters))
      }
    }
    self.edgesByPlace = edgesByPlace
    challengedCalls = Self.findChallengedCalls(edgesByPlace, transitions)
  }

  /// Returns the calls, keyed by the step that handles their claims challenge: a `silent` step or a fallback after it.
  private static func findChallengedCalls(_ edgesByPlace: [Place: [Edge]], _ transitions: Transitions) -> [Int: [Int]] {
    var calls: [Int: Set<Int>] = [:]
    for (place, edges) in edgesByPlace {
      for case .detour(let silent) in edges.map(\.destination) {
        var handling: Int? = silent
        while let position = handling, calls[position]?.contains(place.position) != true {
          calls[position, default: []].insert(place.position)
          handling = transitions.fallback(after: position)
        }
      }
    }
    return calls.mapValues { $0.sorted() }
  }

  /// All reachable places.
  var reached: some Collection<Place> { edgesByPlace.keys }

  /// Returns the edges from a place.
  func edges(from place: Place) -> [Edge] { edgesByPlace[place] ?? [] }

  private static func edges(from place: Place, _ steps: [Step], _ transitions: Transitions) -> [Edge] {
    let step = steps[place.position]
    return step.outcomes.compactMap { outcome in
      switch outcome.name {
      case .skipped:
        switch step.when {
        case .always: return nil
        case .fallback where place.entered: return nil
        case .fallback, .holds: break
        }
      case .exhausted:
        guard step.maxRuns != nil else { return nil }
      default: break
      }
      // A fallback that is reached in list order is always skipped.
      if step.isFallback, !place.entered, outcome.name != .skipped { return nil }
      let (destination, rule) = transitions.leave(place.position, outcome: outcome.name)
      return Edge(outcome: outcome, destination: destination, rule: rule)
    }
  }

  /// Returns whether the step runs on any path.
  func isPerformed(_ position: Int) -> Bool {
    edgesByPlace[Place(position: position, entered: true)] != nil
      || (!steps[position].isFallback && edgesByPlace[Place(position: position, entered: false)] != nil)
  }

  /// Returns whether any path leads to the step, even if the step is then skipped.
  func isReached(_ position: Int) -> Bool {
    Self.places(of: position).contains { edgesByPlace[$0] != nil }
  }
}
