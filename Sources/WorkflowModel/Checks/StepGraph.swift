/// The graph of a list of steps, for the checks.
struct StepGraph: Sendable {
  struct Edge: Sendable {
    var outcome: Outcome
    var destination: Transitions.Destination
    var rule: Transitions.Rule

    /// The target step, and whether it runs even if it is a fallback.
    var target: (position: Int, enters: Bool)? {
      switch destination {
      case .step(let position):
        return (position, rule.isJump)
      case .fallback(let position), .detour(let position): return (position, true)
      case .success, .failure: return nil
      }
    }
  }

  /// A step and how it is reached: in list order, in which case a fallback is skipped, or as a target.
  struct Place: Hashable, Sendable {
    var position: Int
    var entered: Bool
  }

  let transitions: Transitions
  let steps: [Step]
  /// All reachable places with the edges that leave them.
  private let edgesByPlace: [Place: [Edge]]
  /// For each step that can handle a claims challenge, the calls to which it returns.
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

  /// A claims challenge leads to a `silent`. This step can fall back, and so can its fallback.
  private static func findChallengedCalls(_ edgesByPlace: [Place: [Edge]], _ transitions: Transitions) -> [Int: [Int]] {
    var calls: [Int: Set<Int>] = [:]
    for (place, edges) in edgesByPlace {
      for case .detour(let silent) in edges.map(\.destination) {
        var answering: Int? = silent
        while let position = answering, calls[position]?.contains(place.position) != true {
          calls[position, default: []].insert(place.position)
          answering = transitions.fallback(after: position)
        }
      }
    }
    return calls.mapValues { $0.sorted() }
  }

  var reached: some Collection<Place> { edgesByPlace.keys }

  /// The edges that leave a place.
  func edges(from place: Place) -> [Edge] { edgesByPlace[place] ?? [] }

  private static func edges(from place: Place, _ steps: [Step], _ transitions: Transitions) -> [Edge] {
    let step = steps[place.position]
    return step.outcomes.compactMap { outcome in
      switch outcome.name {
      case "skipped":
        switch step.when {
        case .always: return nil
        case .fallback where place.entered: return nil
        case .fallback, .holds: break
        }
      case "exhausted":
        guard step.maxRuns != nil else { return nil }
      default: break
      }
      // A fallback in list order is always skipped.
      if step.isFallback, !place.entered, outcome.name != "skipped" { return nil }
      let (destination, rule) = transitions.leave(place.position, outcome: outcome.name)
      return Edge(outcome: outcome, destination: destination, rule: rule)
    }
  }

  /// Whether the step runs on any path.
  func isPerformed(_ position: Int) -> Bool {
    edgesByPlace[Place(position: position, entered: true)] != nil
      || (!steps[position].isFallback && edgesByPlace[Place(position: position, entered: false)] != nil)
  }

  func isReached(_ position: Int) -> Bool {
    edgesByPlace[Place(position: position, entered: true)] != nil
      || edgesByPlace[Place(position: position, entered: false)] != nil
  }
}
