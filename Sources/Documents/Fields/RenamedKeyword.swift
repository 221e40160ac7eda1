import Diagnostics

/// Former keywords in authflow's files. The use of a former keyword is an error that names the current keyword.
package enum RenamedKeyword {
  /// The rule of the error.
  package static let rule = "renamed-keyword"

  /// The current keyword for each former keyword. A former keyword is reported only where the current keyword is
  /// allowed.
  private static let current: [String: String] = [
    // Step types and step keys.
    "happens": "simulate", "together": "parallel", "atMost": "maxRuns",
    // Events, `assert` outcomes, and the keys of faults and users.
    "behaves": "stopsMisbehaving", "broken": "violated", "answer": "response", "takes": "delay",
  ]

  /// Returns the current name of a former keyword, or nil if that name is not allowed here.
  package static func current(for name: String, among allowed: @autoclosure () -> [String]) -> String? {
    current[name].flatMap { allowed().contains($0) ? $0 : nil }
  }

  /// Returns the error about a former keyword, with a fix.
  /// - Parameter place: The keyword, or a string that contains it, such as `assert.broken`.
  package static func diagnostic(_ former: String, _ current: String, at place: FileSpan) -> Diagnostic {
    Diagnostic(
      .error, rule: rule, "`\(former)` was renamed to `\(current)`", help: "use `\(current)`", at: place,
      fix: fix(former, current, at: place))
  }

  /// Returns a fix that replaces the former name, or nil if the text does not contain that name exactly once.
  package static func fix(_ former: String, _ current: String, at place: FileSpan) -> Diagnostic.Fix? {
    guard let span = place.span, !place.source.isBinary else { return nil }
    let pieces = place.source.text(in: span).split(separator: former, omittingEmptySubsequences: false)
    guard pieces.count == 2 else { return nil }
    let start = span.start + pieces[0].utf8.count
    let edit = Diagnostic.Edit(span: SourceSpan(start: start, end: start + former.utf8.count), replacement: current)
    return Diagnostic.Fix(description: "rename to `\(current)`", edits: [edit])
  }
}

extension DiagnosticCollector {
  /// Reports a former keyword.
  /// - Returns: Whether the name is a former name of one of the keywords.
  package mutating func reportRenamed(_ name: String, among allowed: @autoclosure () -> [String], at node: Node)
    -> Bool
  {
    guard let current = RenamedKeyword.current(for: name, among: allowed()) else { return false }
    add(RenamedKeyword.diagnostic(name, current, at: node.place))
    return true
  }
}
