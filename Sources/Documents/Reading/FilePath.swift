/// Paths in documents: with slashes, and relative to the file that contains them.
package enum FilePath {
  /// Everything before the last slash, or an empty string if there is none.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Everything after the last slash.
  package static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// The path relative to `folder`, with `.` and `..` resolved lexically.
  package static func join(_ folder: String, _ path: String) -> String {
    let isAbsolute = path.hasPrefix("/") || (folder.hasPrefix("/") && !folder.isEmpty)
    let whole = path.hasPrefix("/") || folder.isEmpty ? path : "\(folder)/\(path)"
    var parts: [Substring] = []
    for part in whole.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else if part != ".." || !isAbsolute {
        parts.append(part)
      }
    }
    return (isAbsolute ? "/" : "") + parts.joined(separator: "/")
  }
}
