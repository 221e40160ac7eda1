import Diagnostics
import Documents

/// What to say of a name that is none of the known ones: the one that was meant, or which there are.
///
/// Each guess compares with every known name, so that a file of wrong names would take quadratic time. A report lists no
/// more than the first findings of a rule; the others get no guess.
package final class NameGuess {
  private let names: [String]
  private var left = NameGuess.most
  private static let most = 200
  /// A list of more names helps nobody.
  private static let mostListed = 60

  /// The names, for a help that lists them.
  package private(set) lazy var list: String = {
    let more = names.count - Self.mostListed
    return names.prefix(Self.mostListed).joined(separator: ", ") + (more > 0 ? ", and \(more) more" : "")
  }()

  /// - Parameter names: the known names.
  package init(_ names: [String]) {
    self.names = names
  }

  /// The error about a step that is called by the former keyword of its type; nil where it is not.
  func renamed(_ name: String, at place: FileSpan) -> Diagnostic? {
    RenamedKeyword.current(for: name, among: names).map { RenamedKeyword.diagnostic(name, $0, at: place) }
  }

  /// The known name that is nearest.
  package func nearest(to name: String) -> String? {
    guard left > 0 else { return nil }
    left -= 1
    return Suggestion.nearest(to: name, among: names)
  }
}
