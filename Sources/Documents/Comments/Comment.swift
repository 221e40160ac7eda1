import Diagnostics

/// A comment in any syntax.
package struct Comment: Hashable, Sendable {
  /// The text without comment markers and surrounding whitespace.
  package var text: String
  /// The range including the markers. The range of a line comment ends before the line ending.
  package var span: SourceSpan
  /// Whether the comment's lines contain nothing else. It then refers to the next line, otherwise to its own.
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
  /// `// …` and `/* … */`, outside quoted strings and `<data>`. After an unquoted word, they are part of the word.
  case openStep
  /// `// …` to the end of the line, anywhere.
  case xcconfig

  /// Nil for binary property lists, which have no comments.
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

/// Finds the comments of a text. Readers skip comments for speed.
package enum Comments {
  /// The maximum number of comments. It bounds memory for a text with nothing but comments.
  static let maximumCount = 50_000

  /// The comments of a document, in document order.
  package static func all(in document: Document) -> [Comment] {
    CommentSyntax(document.syntax).map { all(in: document.source, syntax: $0) } ?? []
  }

  /// The comments of a text, in order, at most 50,000. For invalid text, the result is approximate.
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
