/// A finding in a document: the problem, its exact location, and how to fix it.
package struct Diagnostic: Sendable {
  package enum Severity: String, Sendable, CaseIterable, Comparable {
    case note, warning, error

    package static func < (lhs: Self, rhs: Self) -> Bool {
      lhs.rank < rhs.rank
    }

    private var rank: Int {
      switch self {
      case .note: 0
      case .warning: 1
      case .error: 2
      }
    }
  }

  /// A second location that explains the finding, such as the first of two equal keys.
  package struct Related: Sendable {
    package var message: String
    package var place: FileSpan

    package init(_ message: String, at place: FileSpan) {
      self.message = SecretPattern.redacting(message)
      self.place = place
    }
  }

  /// A change to the text that fixes the problem.
  package struct Fix: Sendable {
    package var description: String
    package var edits: [Edit]

    package init(description: String, edits: [Edit]) {
      self.description = SecretPattern.redacting(description)
      self.edits = edits
    }
  }

  /// The replacement of one span.
  package struct Edit: Hashable, Sendable {
    package var span: SourceSpan
    package var replacement: String

    package init(span: SourceSpan, replacement: String) {
      self.span = span
      self.replacement = replacement
    }
  }

  package var severity: Severity
  /// The stable id of the rule, such as `unknown-key`.
  package var rule: String
  package var message: String
  /// How to fix the problem, in one sentence.
  package var help: String?
  package var place: FileSpan
  package var related: [Related]
  package var fix: Fix?
  /// Whether the location contains a secret, which no output may show.
  package var pointsAtSecret = false

  package init(
    _ severity: Severity, rule: String, _ message: String, help: String? = nil, at place: FileSpan,
    related: [Related] = [], fix: Fix? = nil
  ) {
    self.severity = severity
    self.rule = rule
    // The message may quote a value, and any value may contain a secret.
    self.message = SecretPattern.redacting(message)
    self.help = help.map(SecretPattern.redacting)
    self.place = place
    self.related = related
    self.fix = fix
  }
}

/// A span in a source text, or the whole file if the span is nil.
package struct FileSpan: Sendable {
  package var source: SourceText
  package var span: SourceSpan?

  package init(_ source: SourceText, _ span: SourceSpan?) {
    self.source = source
    self.span = span
  }

  /// Returns the location for a file that could not be read.
  package static func file(_ name: String) -> Self {
    Self(SourceText(name: name, bytes: []), nil)
  }

  package var start: SourceLocation { source.location(of: span?.start ?? 0) }
  package var end: SourceLocation { source.location(of: span?.end ?? 0) }
}

extension [Diagnostic] {
  package var hasErrors: Bool { contains { $0.severity == .error } }

  /// Returns the diagnostics sorted by file (in order of first appearance), location, and message.
  package func inReadingOrder() -> [Diagnostic] {
    var fileOrder: [String: Int] = [:]
    for diagnostic in self where fileOrder[diagnostic.place.source.name] == nil {
      fileOrder[diagnostic.place.source.name] = fileOrder.count
    }
    let keyed = map { diagnostic in
      (fileOrder[diagnostic.place.source.name] ?? 0, diagnostic.place.span?.start ?? -1, diagnostic)
    }
    return keyed.sorted { ($0.0, $0.1, $0.2.message) < ($1.0, $1.1, $1.2.message) }.map(\.2)
  }
}
