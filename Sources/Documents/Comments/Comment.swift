import Diagnostics

/// A comment in any syntax, with its place.
package struct Comment: Hashable, Sendable {
  /// What it says: without its marks, and without the blanks around it.
  package var text: String
  /// Its marks included; a comment that ends with the line does not hold the line end.
  package var span: SourceSpan
  /// Whether nothing else stands on its line or lines: then it speaks of what follows, otherwise of its own line.
  package var standsAlone: Bool

  package init(text: String, span: SourceSpan, standsAlone: Bool) {
    self.text = text
    self.span = span
    self.standsAlone = standsAlone
  }
}

/// What marks a comment.
package enum CommentSyntax: String, Sendable, CaseIterable {
  /// `# …` to the line's end, where a blank or nothing stands before it.
  case yaml
  /// `// …` and `/* … */`, outside strings.
  case json
  /// `<!-- … -->`, outside tags and CDATA sections.
  case xml
  /// `// …` and `/* … */`, outside quoted strings and `<data>`; behind a bare word they belong to the word.
  case openStep
  /// `// …` to the line's end, wherever it stands.
  case xcconfig

  /// Nil where the syntax has no comments: a binary property list.
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

/// Finds the comments of a text. Readers skip them, so that reading stays fast; who wants them asks here.
package enum Comments {
  /// More are not looked at: a text that is nothing but comments shall not fill the memory.
  static let most = 50_000

  /// The comments of a document, in the order of the text.
  package static func all(in document: Document) -> [Comment] {
    CommentSyntax(document.syntax).map { all(in: document.source, syntax: $0) } ?? []
  }

  /// The comments of a text, in its order, at most 50 000; also where the text is broken, as far as it can be told.
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
