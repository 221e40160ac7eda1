import Diagnostics

/// Formats findings as GitHub Actions workflow commands, which GitHub shows as annotations.
package enum GitHubAnnotations {
  /// Returns one line for each finding.
  package static func text(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map { line($0) + "\n" }.joined()
  }

  static func line(_ diagnostic: Diagnostic) -> String {
    var properties: [(String, String)] = [("file", diagnostic.place.source.name)]
    if diagnostic.place.span != nil {
      let (start, end) = (diagnostic.place.start, diagnostic.place.end)
      properties.append(("line", "\(start.line)"))
      properties.append(("endLine", "\(end.line)"))
      // GitHub rejects columns if the start and end lines differ.
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
    let message =
      CaretFrame.visible(diagnostic.message) + (diagnostic.help.map { "\nhelp: \(CaretFrame.visible($0))" } ?? "")
    return commandLine(command, properties, message)
  }

  /// Returns a line for an error that is not a finding.
  /// - Parameters:
  ///   - file: The path relative to the repository root.
  ///   - line: The line, starting at 1, or nil for the entire file.
  ///   - column: The column, starting at 1.
  package static func error(file: String, line: Int?, column: Int?, title: String, message: String) -> String {
    var properties = [("file", file)]
    if let line { properties.append(("line", "\(line)")) }
    if let column { properties.append(("col", "\(column)")) }
    properties.append(("title", CaretFrame.visible(title)))
    return commandLine("error", properties, message)
  }

  private static func commandLine(_ command: String, _ properties: [(String, String)], _ message: String) -> String {
    let list = properties.map { "\($0)=\(escaped($1, isProperty: true))" }.joined(separator: ",")
    return "::\(command) \(list)::\(escaped(message, isProperty: false))"
  }

  /// Escapes percent signs and line breaks as `@actions/core` does. In properties, also escapes colons and commas.
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
