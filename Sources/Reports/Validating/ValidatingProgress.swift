/// The progress of a validation, as one line of a terminal that is written over and over.
package struct ValidatingProgress: Sendable {
  private var files = 0
  private var read = 0
  private var checked = 0

  package init() {}

  /// A pass over all files begins; `--fix` makes several.
  package mutating func begin(_ files: Int) {
    self.files = files
    (read, checked) = (0, 0)
  }

  package mutating func readFile() { read += 1 }

  package mutating func checkedFile() { checked += 1 }

  /// Narrower than any terminal.
  package var line: String {
    // Files that others name are read and checked as well.
    let all = max(files, read, checked)
    return checked == 0 ? "\(read) of \(all) files read" : "\(checked) of \(all) files checked"
  }
}
