import Documents
import Reports
import TestSupport

/// A run with everything that a form has to show, and texts that mean harm.
enum RecordedRun {
  static func story() throws -> TracedRun {
    let bytes = try ProjectFiles.bytes(of: "Tests/Golden/run/trace.jsonl")
    return try story(bytes)
  }

  struct NoStory: Error {}

  static func story(_ bytes: [UInt8]) throws -> TracedRun {
    guard let story = TraceReader.read(bytes, named: "trace.jsonl").story else { throw NoStory() }
    return story
  }

  /// The same, cut at each of its lines: what a killed run leaves.
  static func cutStories() throws -> [TracedRun] {
    let lines = try ProjectFiles.bytes(of: "Tests/Golden/run/trace.jsonl").split(separator: 0x0A)
    return try lines.indices.map { try story(Array(lines[...$0].joined(separator: [0x0A])) + [0x0A]) }
  }

  static let forms: [String: @Sendable (TracedRun) -> String] = [
    "md": { RunMarkdown.text($0) },
    "xml": { JUnitReport().text(RunSuite.record($0)) },
    "har": { HTTPArchive.json($0).text(pretty: true) + "\n" },
    "mermaid": { SequenceMermaid.text(SequenceDiagram($0)) },
    "otlp.json": { RunSpans($0).json.text(pretty: true) + "\n" },
  ]
}
