import Documents

/// A file pattern like those in `.gitignore`. `*` and `?` match within a path component, and `**` matches any number of
/// components. A pattern without an inner slash matches any path component. A pattern that matches a folder also
/// matches all files in the folder.
package struct PathGlob: Hashable, Sendable {
  package let pattern: String
  private let parts: [String]
  private let isAnchored: Bool

  package init(_ pattern: String) {
    self.pattern = pattern
    var text = Substring(pattern)
    while text.hasSuffix("/") { text.removeLast() }
    isAnchored = text.dropLast().contains("/") || text.hasPrefix("/")
    parts = text.split(separator: "/").filter { $0 != "." }.map(String.init)
  }

  /// - Parameter path: A path relative to the folder to which the pattern applies, without `.` or `..`.
  package func matches(_ path: String) -> Bool {
    let names = path.split(separator: "/").map(String.init)
    guard !parts.isEmpty, !names.isEmpty else { return false }
    guard isAnchored else {
      return names.contains { Wildcards.match(parts[0].unicodeScalars, text: $0.unicodeScalars) }
    }
    return Self.matches(names, parts)
  }

  /// Matches path components. The search backtracks only to the last `**`, so no pattern takes exponential time.
  private static func matches(_ names: [String], _ parts: [String]) -> Bool {
    var (index, position) = (0, 0)
    var star: (position: Int, index: Int)?
    // The remaining path components are inside the folder that the pattern matched.
    while position < parts.count {
      if parts[position] == "**" {
        if position + 1 == parts.count { return index < names.count }
        position += 1
        star = (position, index)
      } else if index < names.count,
        Wildcards.match(parts[position].unicodeScalars, text: names[index].unicodeScalars)
      {
        index += 1
        position += 1
      } else if let last = star, last.index + 1 < names.count {
        star = (last.position, last.index + 1)
        position = last.position
        index = last.index + 1
      } else {
        return false
      }
    }
    return true
  }
}
