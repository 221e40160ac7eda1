/// Files that show what a rule finds: on its page, and in a test.
package struct RuleExample: Sendable {
  package struct File: Sendable {
    package var name: String
    /// The text, with 1️⃣ before each place that a finding points to.
    package var marked: String
  }

  package var files: [File]

  /// Several files, each with its path.
  package init(_ files: [(name: String, text: String)]) {
    self.files = files.map { File(name: $0.name, marked: $0.text) }
  }

  /// One file.
  package init(_ name: String, _ text: String) { self.init([(name, text)]) }

  /// The files of a folder of the module's data.
  init(folder: String) {
    files = EmbeddedData.paths(in: folder).map { path in
      File(name: String(path.dropFirst(folder.count)), marked: EmbeddedData.text(path) ?? "")
    }
  }

  /// The sign that stands before a place.
  package static let mark = "1️⃣"
}

extension RuleExample.File {
  /// The text without its marks.
  package var text: String { marked.split(separator: RuleExample.mark, omittingEmptySubsequences: false).joined() }

  /// Byte offsets in `text` of its marks.
  package var offsets: [Int] {
    var offset = 0
    return marked.split(separator: RuleExample.mark, omittingEmptySubsequences: false).dropLast().map { piece in
      offset += piece.utf8.count
      return offset
    }
  }
}
