import Diagnostics

/// A document that is open in an editor, with its unsaved text.
package struct OpenDocument: Sendable {
  /// The absolute path.
  package let path: String
  /// The text in UTF-8.
  package private(set) var bytes: [UInt8]
  /// The version that the client assigned to the text.
  package private(set) var version: Int
  package private(set) var lines: LineIndex

  package init(path: String, text: String, version: Int) {
    self.path = path
    self.bytes = Array(text.utf8)
    self.version = version
    lines = LineIndex(bytes)
  }

  /// A change to the text.
  package enum Change: Sendable {
    /// The new text of the entire document.
    case all(String)
    /// The new text of a range.
    case range(start: TextPosition, end: TextPosition, text: String)
  }

  /// Applies changes in order. Each range refers to the text after the previous change.
  package mutating func apply(_ changes: [Change], version: Int, _ encoding: PositionEncoding) {
    for change in changes {
      switch change {
      case .all(let text): bytes = Array(text.utf8)
      case .range(let start, let end, let text):
        let lower = lines.offset(of: start, encoding)
        let upper = max(lower, lines.offset(of: end, encoding))
        bytes.replaceSubrange(lower..<upper, with: text.utf8)
      }
      lines = LineIndex(bytes)
    }
    self.version = version
  }
}
