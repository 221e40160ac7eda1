/// How far exploring has come, as one line of a terminal that is written over and over.
package struct ExplorationProgress: Sendable {
  private var places = 0
  private var ways = 0
  private var isProving = false
  /// How many of the ways are proven, and how many scenarios were run for that.
  package var proven = 0
  package var runs = 0

  package init() {}

  package mutating func walked(places: Int, ways: Int) {
    self.places = places
    self.ways = ways
  }

  package mutating func proves(_ ways: Int) {
    self.ways = ways
    isProving = true
  }

  /// Narrower than any terminal.
  package var line: String {
    isProving ? "\(proven) of \(ways) paths proven, \(runs) runs" : "\(ways) paths found, \(places) places walked"
  }
}
