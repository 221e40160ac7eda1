/// A rule from `.gitignore`. Character classes and escapes are not supported.
package struct GitIgnoreRule: Sendable {
  package let glob: PathGlob
  package let isNegated: Bool

  /// Parses a line. Returns nil for empty lines, comments, and unsupported rules.
  package init?(_ line: Substring) {
    var text = line
    while text.last == " " || text.last == "\t" { text.removeLast() }
    isNegated = text.first == "!"
    if isNegated { text.removeFirst() }
    guard !text.isEmpty, text.first != "#", !text.contains(where: { "[]\\".contains($0) }) else { return nil }
    glob = PathGlob(String(text))
  }
}
