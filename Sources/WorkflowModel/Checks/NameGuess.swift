import Diagnostics
import Documents

/// Suggestions for unknown names.
///
/// Each suggestion compares a name with all known names, so suggestions for many wrong names would take quadratic time.
/// Reports list only the first findings of a rule, so the number of suggestions is limited.
package final class NameGuess {
  private let names: [String]
  private var remaining = NameGuess.maxSuggestions
  private static let maxSuggestions = 200
  /// The maximum length of a name list in a message.
  private static let maxListed = 60

  /// The list of known names for a help message.
  package private(set) lazy var list: String = {
    let omitted = names.count - Self.maxListed
    return names.prefix(Self.maxListed).quotedList + (omitted > 0 ? ", and \(omitted) more" : "")
  }()

  /// - Parameter names: The known names.
  package init(_ names: [String]) {
    self.names = names
  }

  /// Returns the help for an unknown name: the most similar known name if there is one, otherwise `alternative` or the
  /// list of known names.
  func help(for name: String, or alternative: String? = nil) -> String {
    nearest(to: name).map { "did you mean `\($0)`?" } ?? alternative ?? "use one of \(list)"
  }

  /// Returns the diagnostic for an unknown step ID.
  func unknownStep(_ id: String, rule: String, at place: FileSpan) -> Diagnostic {
    renamed(id, at: place)
      ?? Diagnostic(.error, rule: rule, "unknown step `\(id)`", help: help(for: id), at: place)
  }

  /// Returns the diagnostic for a name that is the former name of a keyword, or nil for other names.
  private func renamed(_ name: String, at place: FileSpan) -> Diagnostic? {
    RenamedKeyword.current(for: name, among: names).map { RenamedKeyword.diagnostic(name, $0, at: place) }
  }

  /// Returns the most similar known name, or nil if no name is similar or the limit on suggestions is reached.
  package func nearest(to name: String) -> String? {
    guard remaining > 0 else { return nil }
    remaining -= 1
    return Suggestion.nearest(to: name, among: names)
  }
}
