import Documents

/// A location in a workflow file.
package struct TracedLocation: Hashable, Sendable {
  /// The path to the file, relative to the working directory or to the workflow's folder.
  package var file: String
  /// The line, starting at 1.
  package var line: Int
  /// The column in Unicode code points, starting at 1.
  package var column: Int

  package init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// Creates a location. Returns nil if the trace does not contain locations, as in golden files.
  init?(_ json: JSON?) {
    guard let file = json?["file"]?.string, let line = json?["line"]?.integer, line > 0 else { return nil }
    self.init(
      file: file, line: Int(clamping: line), column: Int(clamping: max(1, json?["column"]?.integer ?? 1)))
  }
}
