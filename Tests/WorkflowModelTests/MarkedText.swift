import Diagnostics
import Documents
import Testing

import WorkflowModel

/// What is expected to be said, at the places that `⟦…⟧` marks in the text, in the order of the marks.
///
/// Anything else that is said at least as a warning fails too: each word must be wanted.
func expectComplaints(
  _ marked: String, _ expected: [String], named name: String = "me.yaml", files: [String: String] = [:],
  surroundings: CheckContext? = nil, least severity: Diagnostic.Severity = .warning,
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
  let said = (read + (workflow.map { WorkflowChecks.run($0, surroundings: surroundings) } ?? [])).filter {
    $0.severity >= severity
  }
  // By place, so that a test reads like its text.
  let sorted = said.enumerated().sorted {
    ($0.element.place.span?.start ?? -1, $0.offset) < ($1.element.place.span?.start ?? -1, $1.offset)
  }.map(\.element)
  let words = sorted.map { "\($0.rule): \($0.message)" + ($0.help.map { " | \($0)" } ?? "") }
  #expect(words == expected, sourceLocation: sourceLocation)
  let places = sorted.map { diagnostic in
    diagnostic.place.span.map { diagnostic.place.source.text(in: $0) } ?? ""
  }
  let wanted = spans.map { String(decoding: bytes[$0.start..<$0.end], as: UTF8.self) }
  #expect(places == wanted, sourceLocation: sourceLocation)
  #expect(sorted.map(\.place.span?.start) == spans.map(\.start), sourceLocation: sourceLocation)
}

/// The two lines that every workflow of a test begins with.
let head = "authflow: 1\nsettings: S.plist\n"
