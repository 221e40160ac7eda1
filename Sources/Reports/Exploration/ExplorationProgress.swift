/// The progress of an exploration, shown as a line that is updated in place.
package struct ExplorationProgress: Sendable {
  private var states = 0
  private var ways = 0
  private var isProving = false
  /// The number of proven paths.
  package var proven = 0
  package var runs = 0

  package init() {}

  package mutating func walked(states: Int, ways: Int) {
    self.states = states
    self.ways = ways
  }

  package mutating func proves(_ ways: Int) {
    self.ways = ways
    isProving = true
  }

  /// The progress line, which fits in any terminal.
  package var line: String {
    isProving ? "\(proven) of \(ways) paths proven, \(runs) runs" : "\(ways) paths found, \(states) states explored"
  }
}
