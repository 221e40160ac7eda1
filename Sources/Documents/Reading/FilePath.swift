/// Functions for paths in documents. These paths use slashes and are relative to the file that contains them.
package enum FilePath {
  /// Returns everything before the last slash, or an empty string if there is no slash.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns everything after the last slash.
  package static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// Appends the path to `folder` and resolves `.` and `..` lexically.
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
