/// A forward data-flow analysis that determines the names that are available when each step starts.
struct StepDataflow {
  /// The condition for a name to be available if several paths lead to a step.
  enum Join {
    /// The name is available only if every path to the step adds it.
    case allPaths
    /// The name is available if at least one path to the step adds it.
    case anyPath
  }

  /// A graph edge and the numbers of the names that it adds.
  private struct Edge: Equatable {
    var target: Int
    var added: Set<Int>
  }

  private let numbers: [String: Int]
  /// The available names as a bit set, by place. Nil if the place is unreachable.
  private let available: [[UInt64]?]

  /// - Parameter addedNames: A closure that returns the names that a step adds for an outcome.
  init(_ graph: StepGraph, _ join: Join, adding addedNames: (Step, Outcome) -> Set<String>) {
    var numbers: [String: Int] = [:]
    var edges: [[Edge]] = Array(repeating: [], count: graph.steps.count * 2)
    for place in graph.reached {
      for edge in graph.edges(from: place) {
        guard let (position, enters) = edge.target else { continue }
        var added: Set<Int> = []
        for name in addedNames(graph.steps[place.position], edge.outcome) {
          let number = numbers[name] ?? numbers.count
          numbers[name] = number
          added.insert(number)
        }
        let edge = Edge(target: Self.index(.init(position: position, entered: enters)), added: added)
        let source = Self.index(place)
        if !edges[source].contains(edge) { edges[source].append(edge) }
      }
    }
    self.numbers = numbers
    available = Self.availableNames(edges, join, count: numbers.count)
  }

  /// Propagates names along the edges until the available names no longer change.
  private static func availableNames(_ edges: [[Edge]], _ join: Join, count: Int) -> [[UInt64]?] {
    // Bit sets keep the analysis fast for workflows with thousands of steps and captures.
    let elementCount = (count + 63) / 64
    var available = [[UInt64]?](repeating: nil, count: edges.count)
    guard !edges.isEmpty else { return available }
    available[0] = Array(repeating: 0, count: elementCount)
    // Places are visited in list order. Most edges lead forward, so the predecessors of a place are usually complete.
    // Visiting them in order of discovery would repeat the analysis of all places after the target of each jump.
    var isWaiting = [Bool](repeating: false, count: edges.count)
    isWaiting[0] = true
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for source in edges.indices where isWaiting[source] {
        isWaiting[source] = false
        guard let names = available[source] else { continue }
        for edge in edges[source] {
          var joined = names
          for number in edge.added { joined[number / 64] |= 1 << UInt64(number % 64) }
          if let earlier = available[edge.target] {
            for element in 0..<elementCount {
              joined[element] =
                join == .anyPath ? joined[element] | earlier[element] : joined[element] & earlier[element]
            }
            if joined == earlier { continue }
          }
          available[edge.target] = joined
          isWaiting[edge.target] = true
          if edge.target <= source { hasChanged = true }
        }
      }
    }
    return available
  }

  /// Returns whether a name is available at a place, or nil if the place is unreachable.
  func has(_ name: String, at place: StepGraph.Place) -> Bool? {
    guard let names = available[Self.index(place)] else { return nil }
    guard let number = numbers[name] else { return false }
    return names[number / 64] & (1 << UInt64(number % 64)) != 0
  }

  /// Returns whether a name is available at any place of a step, or nil if the step is unreachable.
  func has(_ name: String, at position: Int) -> Bool? {
    let results = StepGraph.places(of: position).compactMap { has(name, at: $0) }
    return results.isEmpty ? nil : results.contains(true)
  }

  private static func index(_ place: StepGraph.Place) -> Int { place.position * 2 + (place.entered ? 1 : 0) }
}
