/// How far exploring has come, as one line of a terminal that is written over and over.
package struct ExploringProgress: Sendable {
  /// How many ways there are, how many of them are proven, and how many scenarios were run for that.
  private let ways: Int
  package var proven = 0
  package var runs = 0

  package init(ways: Int) {
    self.ways = ways
  }

  /// Narrower than any terminal.
  package var line: String { "\(proven) of \(ways) paths proven, \(runs) runs" }
}
