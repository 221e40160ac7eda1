import Diagnostics
import Documents
import Effects

extension ReadResult {
  /// All diagnostics as `line:column rule: message`.
  var messages: [String] {
    diagnostics.map { "\($0.place.start.line):\($0.place.start.column) \($0.rule): \($0.message)" }
  }

  var json: String? { document?.root.json.text(sortedKeys: false) }
  var hasErrors: Bool { diagnostics.hasErrors }
}

extension Node {
  /// The range of the node as `line:column-line:column`.
  var extent: String {
    let (start, end) = (place.start, place.end)
    return "\(start.line):\(start.column)-\(end.line):\(end.column)"
  }

  /// The tree with kinds and exact numbers, to compare trees from different syntaxes.
  var shape: String {
    switch kind {
    case .null: "null"
    case .bool: "\(bool ?? false)"
    case .integer: exactInteger.map { "\($0)" } ?? scalarText ?? "?"
    case .real: "real \(number ?? 0)"
    case .string: "\"\(string ?? "")\""
    case .data: "data \(data ?? [])"
    case .date: "date \(date?.rfc3339() ?? "?")"
    case .uid: "uid \(uid ?? 0)"
    case .array: "[" + elements.map(\.shape).joined(separator: ", ") + "]"
    case .mapping: "{" + entries.map { "\($0.key.string ?? "?"): \($0.value.shape)" }.joined(separator: ", ") + "}"
    }
  }
}
