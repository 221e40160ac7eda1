/// What is known on entering each step: the classic forward analysis over the ways through the steps.
struct StepDataflow {
  /// How what several ways bring along is joined.
  enum Join {
    /// What every way brings.
    case always
    /// What some way brings.
    case ever
  }

  private let numbers: [String: Int]
  /// By place; nil where no way leads.
  private let known: [[UInt64]?]

  /// - Parameter gain: what a step adds when it ends with an outcome.
  init(_ graph: StepGraph, _ join: Join, gain: (Step, Outcome) -> Set<String>) {
    var numbers: [String: Int] = [:]
    // Names as bits: a workflow of two thousand steps that each capture something is still done at once.
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
    let words = (numbers.count + 63) / 64
    var known = [[UInt64]?](repeating: nil, count: arrows.count)
    guard !arrows.isEmpty else {
      self.known = known
      return
    }
    known[0] = Array(repeating: 0, count: words)
    // In the order of the list, again and again while something changes: most ways lead on, so that a place has its turn
    // when all before it is known. In the order of discovery, each jump would repeat everything behind it.
    var isWaiting = [Bool](repeating: false, count: arrows.count)
    isWaiting[0] = true
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for from in arrows.indices where isWaiting[from] {
        isWaiting[from] = false
        guard let here = known[from] else { continue }
        for arrow in arrows[from] {
          var arriving = here
          for bit in arrow.gain { arriving[bit / 64] |= 1 << UInt64(bit % 64) }
          if let before = known[arrow.target] {
            for word in 0..<words {
              arriving[word] = join == .ever ? arriving[word] | before[word] : arriving[word] & before[word]
            }
            if arriving == before { continue }
          }
          known[arrow.target] = arriving
          isWaiting[arrow.target] = true
          if arrow.target <= from { hasChanged = true }
        }
      }
    }
    self.known = known
  }

  /// Whether a name is known on entering a place; nil where no way leads there.
  func has(_ name: String, at place: StepGraph.Place) -> Bool? {
    guard let bits = known[Self.index(place)] else { return nil }
    guard let number = numbers[name] else { return false }
    return bits[number / 64] & (1 << UInt64(number % 64)) != 0
  }

  /// Whether a name is known on some way into a step; nil where none leads there.
  func hasEver(_ name: String, at position: Int) -> Bool? {
    let ways = [true, false].compactMap { has(name, at: .init(position: position, entered: $0)) }
    return ways.isEmpty ? nil : ways.contains(true)
  }

  private static func index(_ place: StepGraph.Place) -> Int { place.position * 2 + (place.entered ? 1 : 0) }
}
