import Diagnostics

/// What reading gave: as much of the document as could be read, and everything there is to say about it.
package struct ReadResult: Sendable {
  /// Nil only where nothing could be read; after a mistake it is the tree with the mistake mended or left out.
  package var document: Document?
  package var diagnostics: [Diagnostic]

  package init(document: Document?, diagnostics: [Diagnostic]) {
    self.document = document
    self.diagnostics = diagnostics
  }

  /// The rule of a file that cannot be opened.
  package static let unreadableFile = "unreadable-file"
  /// The rule of a reference to a file outside the project.
  package static let outsideProject = "outside-project"
}

extension [Diagnostic] {
  /// Moves errors about a file as a whole to the place that names the file, because the file itself has no place to show.
  /// - Parameter help: replaces the help of these errors.
  package mutating func moveFileErrors(of path: String, to place: FileSpan, help: String? = nil) {
    for index in indices where self[index].place.source.name == path {
      switch self[index].rule {
      case ReadResult.unreadableFile: self[index].message = "\(path): \(self[index].message)"
      // Its message names the file.
      case ReadResult.outsideProject: break
      default: continue
      }
      self[index].place = place
      if let help, self[index].rule == ReadResult.unreadableFile { self[index].help = help }
    }
  }
}

/// How far a document may go before it is refused.
package struct ReadingLimits: Sendable {
  /// Bytes of the file.
  package var size = 64 << 20
  /// Containers inside each other, aliases resolved.
  package var depth = 512
  /// Nodes, counted as if every alias were written out.
  package var expandedNodes = 1_000_000
  /// Mistakes that are said; the rest is only counted.
  package var diagnostics = 100

  package init() {}
}

package struct ReadingOptions: Sendable {
  package var limits = ReadingLimits()
  /// JSON only: `//` and `/* */` comments and trailing commas are read, with one note for each kind.
  package var toleratesComments = false
  /// The syntax where it is known; otherwise it is found by content, and by the file's name where that leaves a choice.
  package var syntax: DocumentSyntax?

  package init(limits: ReadingLimits = .init(), toleratesComments: Bool = false, syntax: DocumentSyntax? = nil) {
    self.limits = limits
    self.toleratesComments = toleratesComments
    self.syntax = syntax
  }
}
