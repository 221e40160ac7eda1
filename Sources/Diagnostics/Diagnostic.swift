/// One thing to say about a document: what is wrong, exactly where, and what to do.
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

  /// A second place that the reader needs to see, such as the first of two equal keys.
  package struct Related: Sendable {
    package var message: String
    package var place: FileSpan

    package init(_ message: String, at place: FileSpan) {
      self.message = SecretPattern.hiding(message)
      self.place = place
    }
  }

  /// A change of the text that mends the matter.
  package struct Fix: Sendable {
    package var description: String
    package var edits: [Edit]

    package init(description: String, edits: [Edit]) {
      self.description = SecretPattern.hiding(description)
      self.edits = edits
    }
  }

  /// The replacement of one span by other text.
  package struct Edit: Hashable, Sendable {
    package var span: SourceSpan
    package var replacement: String

    package init(span: SourceSpan, replacement: String) {
      self.span = span
      self.replacement = replacement
    }
  }

  package var severity: Severity
  /// The stable name of the rule that speaks, such as `unknown-key`.
  package var rule: String
  package var message: String
  /// What to do about it, in one sentence.
  package var help: String?
  package var place: FileSpan
  package var related: [Related]
  package var fix: Fix?
  /// Whether the place holds a secret, which no output may show.
  package var pointsAtSecret = false

  package init(
    _ severity: Severity, rule: String, _ message: String, help: String? = nil, at place: FileSpan,
    related: [Related] = [], fix: Fix? = nil
  ) {
    self.severity = severity
    self.rule = rule
    // What is said of a value may repeat it, and a secret can stand anywhere.
    self.message = SecretPattern.hiding(message)
    self.help = help.map(SecretPattern.hiding)
    self.place = place
    self.related = related
    self.fix = fix
  }
}

/// A span in a named text; the whole file where the span is nil.
package struct FileSpan: Sendable {
  package var source: SourceText
  package var span: SourceSpan?

  package init(_ source: SourceText, _ span: SourceSpan?) {
    self.source = source
    self.span = span
  }

  /// A place in a file that could not be read at all.
  package static func file(_ name: String) -> Self {
    Self(SourceText(name: name, bytes: []), nil)
  }

  package var start: SourceLocation { source.location(of: span?.start ?? 0) }
  package var end: SourceLocation { source.location(of: span?.end ?? 0) }
}

extension [Diagnostic] {
  package var hasErrors: Bool { contains { $0.severity == .error } }

  /// By file in order of first appearance, then by place, then by message: the order in which people read.
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
