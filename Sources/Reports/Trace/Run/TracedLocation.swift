import Documents

/// A place in a workflow file, as the trace tells it.
package struct TracedLocation: Hashable, Sendable {
  /// The file as the trace names it: relative to where the run was started, or to the workflow's own folder.
  package var file: String
  /// From 1.
  package var line: Int
  /// From 1, in Unicode code points.
  package var column: Int

  package init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// Nil where the trace tells no place: goldens leave places out.
  init?(_ json: JSON?) {
    guard let file = json?["file"]?.string, let line = json?["line"]?.integer, line > 0 else { return nil }
    self.init(
      file: file, line: Int(clamping: line), column: Int(clamping: max(1, json?["column"]?.integer ?? 1)))
  }
}
