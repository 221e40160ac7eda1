/// The progress of a validation, shown as a terminal line that is updated in place.
package struct ValidatingProgress: Sendable {
  private var files = 0
  private var read = 0
  private var checked = 0

  package init() {}

  /// Starts a pass over all files. `--fix` makes several passes.
  package mutating func begin(_ files: Int) {
    self.files = files
    (read, checked) = (0, 0)
  }

  package mutating func readFile() { read += 1 }

  package mutating func checkedFile() { checked += 1 }

  /// The progress line, short enough for any terminal.
  package var line: String {
    // `read` and `checked` also count files that other files refer to, so they can exceed `files`.
    let all = max(files, read, checked)
    return checked == 0 ? "\(read) of \(all) files read" : "\(checked) of \(all) files checked"
  }
}
