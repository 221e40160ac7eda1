/// Paths as they stand in documents: with slashes, relative to the file that holds them.
package enum FilePath {
  /// Everything before the last slash; empty for a bare name.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Everything behind the last slash.
  package static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// `path` seen from `folder`, with `.` and `..` taken away where that can be done without looking.
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
