/// The progress of an exploration, shown as a line that is updated in place.
package struct ExplorationProgress: Sendable {
  private var states = 0
  private var paths = 0
  private var isProving = false
  /// The number of proven paths.
  package var proven = 0
  package var runs = 0

  package init() {}

  package mutating func walked(states: Int, paths: Int) {
    self.states = states
    self.paths = paths
  }

  package mutating func proves(_ paths: Int) {
    self.paths = paths
    isProving = true
  }

  /// The progress line, which fits in any terminal.
  package var line: String {
    guard isProving else { return "\(paths) paths found, \(states) states explored" }
    return paths == 0 ? "\(runs) runs" : "\(proven) of \(paths) paths proven, \(runs) runs"
  }
}
