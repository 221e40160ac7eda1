/// A forward data-flow analysis: the names that are available when each step starts.
struct StepDataflow {
  /// How to join the names of several paths to a step.
  enum Join {
    /// The names that are available on all paths.
    case always
    /// The names that are available on at least one path.
    case ever
  }

  private let numbers: [String: Int]
  /// The available names as bits, by place; nil if no path leads there.
  private let entryBits: [[UInt64]?]

  /// - Parameter gain: The names that a step adds if it has an outcome.
  init(_ graph: StepGraph, _ join: Join, gain: (Step, Outcome) -> Set<String>) {
    var numbers: [String: Int] = [:]
    // Bit sets keep the analysis fast for workflows with thousands of steps and captures.
    var arrows: [[(target: Int, gain: Set<Int>)]] = Array(repeating: [], count: graph.steps.count * 2)
    for place in graph.reached {
      for edge in graph.edges(from: place) {
        guard let (position, enters) = edge.target else { continue }
        var bits: Set<Int> = []
        for name in gain(graph.steps[place.position], edge.outcome) {
          let number = numbers[name] ?? numbers.count
          numbers[name] = number
          bits.insert(number)
        }
        let target = Self.index(.init(position: position, entered: enters))
        let from = Self.index(place)
        if !arrows[from].contains(where: { $0.target == target && $0.gain == bits }) {
          arrows[from].append((target, bits))
        }
      }
    }
    self.numbers = numbers
    let wordCount = (numbers.count + 63) / 64
    var entryBits = [[UInt64]?](repeating: nil, count: arrows.count)
    guard !arrows.isEmpty else {
      self.entryBits = entryBits
      return
    }
    entryBits[0] = Array(repeating: 0, count: wordCount)
    // Places are visited in list order until nothing changes. Most edges lead forward, so the predecessors of a place
    // are usually complete. In order of discovery, each jump would repeat everything after its target.
    var isWaiting = [Bool](repeating: false, count: arrows.count)
    isWaiting[0] = true
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for from in arrows.indices where isWaiting[from] {
        isWaiting[from] = false
        guard let here = entryBits[from] else { continue }
        for arrow in arrows[from] {
          var arriving = here
          for bit in arrow.gain { arriving[bit / 64] |= 1 << UInt64(bit % 64) }
          if let before = entryBits[arrow.target] {
            for word in 0..<wordCount {
              arriving[word] = join == .ever ? arriving[word] | before[word] : arriving[word] & before[word]
            }
            if arriving == before { continue }
          }
          entryBits[arrow.target] = arriving
          isWaiting[arrow.target] = true
          if arrow.target <= from { hasChanged = true }
        }
      }
    }
    self.entryBits = entryBits
  }

  /// Whether a name is available when a place is entered, or nil if no path leads there.
  func has(_ name: String, at place: StepGraph.Place) -> Bool? {
    guard let bits = entryBits[Self.index(place)] else { return nil }
    guard let number = numbers[name] else { return false }
    return bits[number / 64] & (1 << UInt64(number % 64)) != 0
  }

  /// Whether a name is available on any path to a step, or nil if no path leads there.
  func hasEver(_ name: String, at position: Int) -> Bool? {
    let results = [true, false].compactMap { has(name, at: .init(position: position, entered: $0)) }
    return results.isEmpty ? nil : results.contains(true)
  }

  private static func index(_ place: StepGraph.Place) -> Int { place.position * 2 + (place.entered ? 1 : 0) }
}
