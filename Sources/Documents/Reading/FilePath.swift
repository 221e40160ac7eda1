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
    // Most paths are already resolved, and splitting is slow.
    if isResolved(whole) { return whole }
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

  /// Whether a path contains no empty, `.`, or `..` components.
  private static func isResolved(_ path: String) -> Bool {
    var length = 0
    var isDots = true
    for (index, byte) in path.utf8.enumerated() {
      if byte == UInt8(ascii: "/") {
        if index > 0, length == 0 || isDots && length <= 2 { return false }
        length = 0
        isDots = true
      } else {
        length += 1
        isDots = isDots && byte == UInt8(ascii: ".")
      }
    }
    return length > 0 && !(isDots && length <= 2)
  }
}
