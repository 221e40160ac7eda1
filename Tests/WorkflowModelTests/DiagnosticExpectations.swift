import Diagnostics
import Documents
import Testing

import WorkflowModel

/// Expects exactly one diagnostic at each location that `⟦…⟧` marks in the text. Ignores diagnostics below the given
/// severity.
/// - Parameter expected: The text `rule: message | help` for each marker. If the text ends with `…`, only the part
/// before it must match.
func expectDiagnostics(
  _ marked: String, _ expected: [String], named name: String = "me.yaml", files: [String: String] = [:],
  context: CheckContext? = nil, least severity: Diagnostic.Severity = .warning,
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) {
  var bytes: [UInt8] = []
  var spans: [SourceSpan] = []
  var open: [(index: Int, start: Int)] = []
  var reserved = 0
  for character in marked {
    switch character {
    case "⟦":
      open.append((reserved, bytes.count))
      spans.append(SourceSpan(start: 0, end: 0))
      reserved += 1
    case "⟧":
      guard let (index, start) = open.popLast() else { continue }
      spans[index] = SourceSpan(start: start, end: bytes.count)
    default: bytes += Array(String(character).utf8)
    }
  }
  let (workflow, read) = readWorkflow(String(decoding: bytes, as: UTF8.self), named: name, files: files)
  let diagnostics = (read + (workflow.map { WorkflowChecks.run($0, context: context) } ?? [])).filter {
    $0.severity >= severity
  }
  // Sort by location, because the expected texts are in this order.
  let sorted = diagnostics.enumerated().sorted {
    ($0.element.place.span?.start ?? -1, $0.offset) < ($1.element.place.span?.start ?? -1, $1.offset)
  }.map(\.element)
  let texts = sorted.enumerated().map { index, diagnostic in
    let text = "\(diagnostic.rule): \(diagnostic.message)" + (diagnostic.help.map { " | \($0)" } ?? "")
    let prefix = expected.indices.contains(index) && expected[index].hasSuffix("…") ? expected[index].dropLast() : nil
    return prefix.map { text.hasPrefix($0) } == true ? expected[index] : text
  }
  #expect(texts == expected, sourceLocation: sourceLocation)
  let places = sorted.map { diagnostic in
    diagnostic.place.span.map { diagnostic.place.source.text(in: $0) } ?? ""
  }
  let marked = spans.map { String(decoding: bytes[$0.start..<$0.end], as: UTF8.self) }
  #expect(places == marked, sourceLocation: sourceLocation)
  #expect(sorted.map(\.place.span?.start) == spans.map(\.start), sourceLocation: sourceLocation)
}

/// The first two lines of the test workflows.
let head = "authflow: 1\nsettings: S.plist\n"
