import Diagnostics

/// Findings as GitHub's workflow commands: each becomes an annotation in the list of changes.
package enum GitHubAnnotations {
  /// One line for each finding.
  package static func text(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map { line($0) + "\n" }.joined()
  }

  static func line(_ diagnostic: Diagnostic) -> String {
    var properties: [(String, String)] = [("file", diagnostic.place.source.name)]
    if diagnostic.place.span != nil {
      let (start, end) = (diagnostic.place.start, diagnostic.place.end)
      properties.append(("line", "\(start.line)"))
      properties.append(("endLine", "\(end.line)"))
      // Columns are refused where the lines differ.
      if start.line == end.line {
        properties.append(("col", "\(start.column)"))
        properties.append(("endColumn", "\(max(end.column, start.column))"))
      }
    }
    properties.append(("title", diagnostic.rule))
    let command =
      switch diagnostic.severity {
      case .error: "error"
      case .warning: "warning"
      case .note: "notice"
      }
    let words =
      CaretFrame.visible(diagnostic.message) + (diagnostic.help.map { "\nhelp: \(CaretFrame.visible($0))" } ?? "")
    return written(command, properties, words)
  }

  /// One line for an error that is known by its place alone.
  /// - Parameters:
  ///   - file: seen from the repository's root.
  ///   - line: counts from 1, as `column` does; nil for the whole file.
  package static func error(file: String, line: Int?, column: Int?, title: String, words: String) -> String {
    var properties = [("file", file)]
    if let line { properties.append(("line", "\(line)")) }
    if let column { properties.append(("col", "\(column)")) }
    properties.append(("title", CaretFrame.visible(title)))
    return written("error", properties, words)
  }

  private static func written(_ command: String, _ properties: [(String, String)], _ words: String) -> String {
    let list = properties.map { "\($0)=\(escaped($1, isProperty: true))" }.joined(separator: ",")
    return "::\(command) \(list)::\(escaped(words, isProperty: false))"
  }

  /// The escapes of `@actions/core`: percent and line ends, in properties also colon and comma.
  private static func escaped(_ text: String, isProperty: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      case ":" where isProperty: result += "%3A"
      case "," where isProperty: result += "%2C"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
