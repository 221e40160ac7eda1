import Documents
import Reports
import TestSupport

/// A run that uses all features and contains hostile text.
enum RecordedRun {
  static func run() throws -> TracedRun {
    let bytes = try ProjectFiles.bytes(of: "Tests/Golden/run/trace.jsonl")
    return try run(bytes)
  }

  struct InvalidTrace: Error {}

  static func run(_ bytes: [UInt8]) throws -> TracedRun {
    guard let run = TraceReader.read(bytes, named: "trace.jsonl").tracedRun else { throw InvalidTrace() }
    return run
  }

  /// Returns the run truncated after each line, as if the process had been killed.
  static func truncatedRuns() throws -> [TracedRun] {
    let lines = try ProjectFiles.bytes(of: "Tests/Golden/run/trace.jsonl").split(separator: 0x0A)
    return try lines.indices.map { try run(Array(lines[...$0].joined(separator: [0x0A])) + [0x0A]) }
  }

  static let formats: [String: @Sendable (TracedRun) -> String] = [
    "md": { RunMarkdown.text($0) },
    "xml": { JUnitReport().text(RunSuite.record($0)) },
    "har": { HTTPArchive.json($0).text(pretty: true) + "\n" },
    "mermaid": { SequenceMermaid.text(SequenceDiagram($0)) },
    "otlp.json": { RunSpans($0).json.text(pretty: true) + "\n" },
  ]
}
