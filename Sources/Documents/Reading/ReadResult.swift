import Diagnostics

/// The result of reading a document: the parts that could be read, and all diagnostics.
package struct ReadResult: Sendable {
  /// The document, or nil if nothing could be read. After a syntax error, the tree contains the corrected text or omits
  /// the invalid part.
  package var document: Document?
  package var diagnostics: [Diagnostic]

  package init(document: Document?, diagnostics: [Diagnostic]) {
    self.document = document
    self.diagnostics = diagnostics
  }

  /// The rule for a file that cannot be opened.
  package static let unreadableFile = "unreadable-file"
  /// The rule for a reference to a file outside the project.
  package static let outsideProject = "outside-project"
}

extension [Diagnostic] {
  /// Moves errors about an entire file to the location that refers to the file, because the file itself has no text to
  /// show.
  /// - Parameter help: The text that replaces the help texts of these errors.
  package mutating func moveFileErrors(of path: String, to place: FileSpan, help: String? = nil) {
    for index in indices where self[index].place.source.name == path {
      switch self[index].rule {
      case ReadResult.unreadableFile: self[index].message = "\(path): \(self[index].message)"
      // This message already contains the file name.
      case ReadResult.outsideProject: break
      default: continue
      }
      self[index].place = place
      if let help, self[index].rule == ReadResult.unreadableFile { self[index].help = help }
    }
  }
}

/// Limits for documents. Exceeding a limit is an error.
package struct ReadingLimits: Sendable, Hashable {
  /// The maximum size of a file in bytes.
  package var size = 64 << 20
  /// The maximum depth of nested containers, with aliases resolved.
  package var depth = 512
  /// The maximum number of nodes, with aliases expanded.
  package var expandedNodes = 1_000_000
  /// The maximum number of reported problems. Additional problems are only counted.
  package var diagnostics = 100

  package init() {}
}

package struct ReadingOptions: Sendable, Hashable {
  package var limits = ReadingLimits()
  /// Whether a JSON document may contain `//` and `/* */` comments and trailing commas. Each kind is reported once, as
  /// a note.
  package var toleratesComments = false
  /// The syntax, or nil to detect it from the content and, if the content is ambiguous, from the file name.
  package var syntax: DocumentSyntax?

  package init(limits: ReadingLimits = .init(), toleratesComments: Bool = false, syntax: DocumentSyntax? = nil) {
    self.limits = limits
    self.toleratesComments = toleratesComments
    self.syntax = syntax
  }
}
