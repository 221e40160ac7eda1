import Diagnostics
import Documents

/// Suggestions for unknown names.
///
/// Each suggestion compares with all known names, which takes quadratic time for a file with many wrong names. Reports
/// list only the first findings of a rule, so later ones get no suggestion.
package final class NameGuess {
  private let names: [String]
  private var remaining = NameGuess.maxGuesses
  private static let maxGuesses = 200
  /// The maximum length of a list of names in a message.
  private static let maxListed = 60

  /// The known names, for a help message.
  package private(set) lazy var list: String = {
    let more = names.count - Self.maxListed
    return names.prefix(Self.maxListed).map { "`\($0)`" }.joined(separator: ", ")
      + (more > 0 ? ", and \(more) more" : "")
  }()

  /// - Parameter names: The known names.
  package init(_ names: [String]) {
    self.names = names
  }

  /// The diagnostic for a step that has the former keyword of its type as its name, or nil if it has not.
  func renamed(_ name: String, at place: FileSpan) -> Diagnostic? {
    RenamedKeyword.current(for: name, among: names).map { RenamedKeyword.diagnostic(name, $0, at: place) }
  }

  /// The most similar known name.
  package func nearest(to name: String) -> String? {
    guard remaining > 0 else { return nil }
    remaining -= 1
    return Suggestion.nearest(to: name, among: names)
  }
}
