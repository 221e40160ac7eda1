/// Files that demonstrate a rule. The rule's page and the tests use them.
package struct RuleExample: Sendable {
  package struct File: Sendable {
    package var name: String
    /// The text, with the marker 1️⃣ at the start of each finding.
    package var marked: String
  }

  package var files: [File]

  /// Creates an example with several files.
  package init(_ files: [(name: String, text: String)]) {
    self.files = files.map { File(name: $0.name, marked: $0.text) }
  }

  /// Creates an example with one file.
  package init(_ name: String, _ text: String) { self.init([(name, text)]) }

  /// Creates an example from a folder of the module's embedded data.
  init(folder: String) {
    files = EmbeddedData.paths(in: folder).map { path in
      File(name: String(path.dropFirst(folder.count)), marked: EmbeddedData.text(path) ?? "")
    }
  }

  /// The marker at the start of a finding.
  package static let mark = "1️⃣"
}

extension RuleExample.File {
  /// The text without the markers.
  package var text: String { marked.split(separator: RuleExample.mark, omittingEmptySubsequences: false).joined() }

  /// The byte offsets of the markers in `text`.
  package var offsets: [Int] {
    var offset = 0
    return marked.split(separator: RuleExample.mark, omittingEmptySubsequences: false).dropLast().map { piece in
      offset += piece.utf8.count
      return offset
    }
  }
}
