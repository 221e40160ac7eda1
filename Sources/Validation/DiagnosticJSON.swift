import Diagnostics
import Documents

/// The JSON format in which `authflow validate --format json` prints diagnostics. The format remains stable if the type
/// `Diagnostic` changes.
///
/// Lines and columns start at 1. Columns count Unicode code points.
package enum DiagnosticJSON {
  /// Returns an array with one object for each diagnostic.
  package static func json(_ diagnostics: [Diagnostic]) -> JSON { .array(diagnostics.map(json)) }

  private static func json(_ diagnostic: Diagnostic) -> JSON {
    var object = place(diagnostic.place)
    object["file"] = .string(diagnostic.place.source.name)
    object["severity"] = .string(diagnostic.severity.rawValue)
    object["rule"] = .string(diagnostic.rule)
    object["message"] = .string(diagnostic.message)
    if let help = diagnostic.help { object["help"] = .string(help) }
    if let fix = diagnostic.fix {
      object["fix"] = [
        "description": .string(fix.description),
        "edits": .array(
          fix.edits.map { edit in
            var object = place(FileSpan(diagnostic.place.source, edit.span))
            object["replacement"] = .string(edit.replacement)
            return object
          }),
      ]
    }
    return object
  }

  private static func place(_ place: FileSpan) -> JSON {
    let (start, end) = (place.start, place.end)
    return [
      "line": .integer(Int64(start.line)), "column": .integer(Int64(start.column)),
      "endLine": .integer(Int64(end.line)), "endColumn": .integer(Int64(end.column)),
    ]
  }
}
