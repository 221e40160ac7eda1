/// Which files are meant, written as in `.gitignore`: `*` and `?` stay within a name, `**` does not; without a slash inside, the
/// pattern is held against every name of the path; a folder means everything in it.
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

  /// - Parameter path: relative to where the pattern stands, without `.` and `..`.
  package func matches(_ path: String) -> Bool {
    let names = path.split(separator: "/").map(String.init)
    guard !parts.isEmpty, !names.isEmpty else { return false }
    guard isAnchored else {
      return names.contains { Self.matches(Array($0.unicodeScalars), Array(parts[0].unicodeScalars)) }
    }
    return Self.matches(names[...], parts[...])
  }

  private static func matches(_ names: ArraySlice<String>, _ parts: ArraySlice<String>) -> Bool {
    // What is left of the path stands in the folder that the pattern named.
    guard let part = parts.first else { return true }
    if part == "**" {
      if parts.count == 1 { return !names.isEmpty }
      return names.indices.contains { matches(names[$0...], parts.dropFirst()) }
    }
    guard let name = names.first, matches(Array(name.unicodeScalars), Array(part.unicodeScalars)) else { return false }
    return matches(names.dropFirst(), parts.dropFirst())
  }

  /// One name against one part; the usual walk that goes back to the last star, so that no pattern takes long.
  private static func matches(_ name: [Unicode.Scalar], _ pattern: [Unicode.Scalar]) -> Bool {
    var (index, position) = (0, 0)
    var star: (position: Int, index: Int)?
    while index < name.count {
      if position < pattern.count, pattern[position] == "*" {
        star = (position, index)
        position += 1
      } else if position < pattern.count, pattern[position] == "?" || pattern[position] == name[index] {
        position += 1
        index += 1
      } else if let last = star {
        star = (last.position, last.index + 1)
        position = last.position + 1
        index = last.index + 1
      } else {
        return false
      }
    }
    return pattern[position...].allSatisfy { $0 == "*" }
  }
}
