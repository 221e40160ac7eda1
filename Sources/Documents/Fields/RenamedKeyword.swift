import Diagnostics

/// Former keywords of authflow's files. None is read any more: each is an error that names the current keyword.
package enum RenamedKeyword {
  /// The rule of the error.
  package static let rule = "renamed-keyword"

  /// Former keywords and the current ones. A former one counts only where the current one may stand.
  private static let current: [String: String] = [
    // Step types and step keys.
    "happens": "simulate", "together": "parallel", "atMost": "maxRuns",
    // Events, outcomes of `assert`, keys of a fault and of a user.
    "behaves": "stopsMisbehaving", "broken": "violated", "answer": "response", "takes": "delay",
  ]

  /// The current name of a former keyword, if it is one of those that may stand here.
  package static func current(for name: String, among known: @autoclosure () -> [String]) -> String? {
    current[name].flatMap { known().contains($0) ? $0 : nil }
  }

  /// The error about a former keyword, with its fix.
  /// - Parameter place: The keyword, or a text that contains it, such as `assert.broken`.
  package static func diagnostic(_ former: String, _ current: String, at place: FileSpan) -> Diagnostic {
    Diagnostic(
      .error, rule: rule, "`\(former)` is now called `\(current)`", help: "write `\(current)`", at: place,
      fix: fix(former, current, at: place))
  }

  /// Writes the current name in place of the former one; nil where the text does not contain it exactly once.
  package static func fix(_ former: String, _ current: String, at place: FileSpan) -> Diagnostic.Fix? {
    guard let span = place.span, !place.source.isBinary else { return nil }
    let pieces = place.source.text(in: span).split(separator: former, omittingEmptySubsequences: false)
    guard pieces.count == 2 else { return nil }
    let start = span.start + pieces[0].utf8.count
    let edit = Diagnostic.Edit(span: SourceSpan(start: start, end: start + former.utf8.count), replacement: current)
    return Diagnostic.Fix(description: "call it \(current)", edits: [edit])
  }
}

extension DiagnosticCollector {
  /// Reports a former keyword.
  /// - Returns: Whether the name is the former name of one of the known keywords.
  package mutating func reportRenamed(_ name: String, among known: @autoclosure () -> [String], at node: Node)
    -> Bool
  {
    guard let current = RenamedKeyword.current(for: name, among: known()) else { return false }
    add(RenamedKeyword.diagnostic(name, current, at: node.place))
    return true
  }
}
