/// The ways through a list of steps, as the checks walk them.
struct StepGraph: Sendable {
  struct Edge: Sendable {
    var outcome: Outcome
    var destination: Transitions.Destination
    var rule: Transitions.Rule

    /// The step it leads to, and whether it is entered there even where it is a fallback.
    var target: (position: Int, enters: Bool)? {
      switch destination {
      case .step(let position):
        return (position, rule.isJump)
      case .fallback(let position), .detour(let position): return (position, true)
      case .success, .failure: return nil
      }
    }
  }

  /// A step as it is reached: in passing (then a fallback is skipped), or entered.
  struct Place: Hashable, Sendable {
    var position: Int
    var entered: Bool
  }

  let transitions: Transitions
  let steps: [Step]
  /// Every place that some way from the start reaches, with everything that can come of the step there.
  private let ways: [Place: [Edge]]
  /// For each step that can answer a claims challenge, the calls that it leads back to.
  let callsAnswered: [Int: [Int]]

  init(_ steps: [Step]) {
    self.steps = steps
    transitions = Transitions(steps)
    var ways: [Place: [Edge]] = [:]
    var waiting = steps.isEmpty ? [] : [Place(position: 0, entered: false)]
    while let place = waiting.popLast() {
      guard ways[place] == nil else { continue }
      let edges = Self.edges(from: place, steps, transitions)
      ways[place] = edges
      for edge in edges {
        guard let (position, enters) = edge.target else { continue }
        waiting.append(Place(position: position, entered: enters))
      }
    }
    self.ways = ways
    callsAnswered = Self.callsAnswered(ways, transitions)
  }

  /// A challenge leads to a `silent`, which may fall back, and so may the fallback.
  private static func callsAnswered(_ ways: [Place: [Edge]], _ transitions: Transitions) -> [Int: [Int]] {
    var calls: [Int: Set<Int>] = [:]
    for (place, edges) in ways {
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

  var reached: some Collection<Place> { ways.keys }

  /// Everything that can come of a step that is reached so.
  func edges(from place: Place) -> [Edge] { ways[place] ?? [] }

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
      // A fallback that nothing fell back on can only be skipped.
      if step.isFallback, !place.entered, outcome.name != "skipped" { return nil }
      let (destination, rule) = transitions.leave(place.position, outcome: outcome.name)
      return Edge(outcome: outcome, destination: destination, rule: rule)
    }
  }

  /// Whether the step is performed on some way.
  func isPerformed(_ position: Int) -> Bool {
    ways[Place(position: position, entered: true)] != nil
      || (!steps[position].isFallback && ways[Place(position: position, entered: false)] != nil)
  }

  func isReached(_ position: Int) -> Bool {
    ways[Place(position: position, entered: true)] != nil || ways[Place(position: position, entered: false)] != nil
  }
}
