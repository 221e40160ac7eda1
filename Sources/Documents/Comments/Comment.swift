import Diagnostics

/// A comment in any syntax.
package struct Comment: Hashable, Sendable {
  /// The text without comment markers or surrounding whitespace.
  package var text: String
  /// The range of the comment with its markers. A line comment's range does not include the line ending.
  package var span: SourceSpan
  /// Whether the comment's lines contain no other text. Such a comment refers to the next line. Any other comment
  /// refers to its own line.
  package var standsAlone: Bool

  package init(text: String, span: SourceSpan, standsAlone: Bool) {
    self.text = text
    self.span = span
    self.standsAlone = standsAlone
  }
}

/// The comment markers of a syntax.
package enum CommentSyntax: String, Sendable, CaseIterable {
  /// `# …` to the end of the line, at the start of a line or after whitespace.
  case yaml
  /// `// …` and `/* … */`, outside strings.
  case json
  /// `<!-- … -->`, outside tags and CDATA sections.
  case xml
  /// `// …` and `/* … */`, outside quoted strings and `<data>`. Directly after an unquoted word, the markers are part
  /// of the word.
  case openStep
  /// `// …` to the end of the line, anywhere.
  case xcconfig

  /// Creates the comment markers of a syntax, or returns nil for binary property lists, which have no comments.
  package init?(_ syntax: DocumentSyntax) {
    switch syntax {
    case .json: self = .json
    case .yaml: self = .yaml
    case .xmlPropertyList: self = .xml
    case .openStepPropertyList: self = .openStep
    case .binaryPropertyList: return nil
    }
  }
}

/// Functions that find the comments in a text. For speed, the document readers skip comments without recording them.
package enum Comments {
  /// The maximum number of comments. It limits memory use for text that consists only of comments.
  static let maximumCount = 50_000

  /// Returns the comments of a document, in document order.
  package static func all(in document: Document) -> [Comment] {
    CommentSyntax(document.syntax).map { all(in: document.source, syntax: $0) } ?? []
  }

  /// Returns the first 50,000 comments in a text, in order. If the text is invalid, the result is approximate.
  package static func all(in source: SourceText, syntax: CommentSyntax) -> [Comment] {
    guard !source.isBinary else { return [] }
    return source.bytes.withUnsafeBufferPointer { bytes in
      var scan = CommentScan(bytes: bytes)
      switch syntax {
      case .yaml: scan.yaml()
      case .json: scan.json()
      case .xml: scan.xml()
      case .openStep: scan.openStep()
      case .xcconfig: scan.xcconfig()
      }
      return scan.comments
    }
  }
}
