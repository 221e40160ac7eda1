import Diagnostics

extension Suggestion {
  /// Returns the help for an unknown name: the most similar known name, or the list of known names. Returns nil if no
  /// names are known.
  static func help(for name: String, among known: [String]) -> String? {
    nearest(to: name, among: known).map { "did you mean `\($0)`?" }
      ?? (known.isEmpty ? nil : "use one of \(known.quotedList)")
  }
}

extension Sequence<String> {
  /// The names in backticks, separated by commas.
  var quotedList: String { map { "`\($0)`" }.joined(separator: ", ") }
}
