import Documents
import Effects
import OrderedCollections
import RunTrace
import WorkflowRunner

/// The expected trace of a scenario, saved in a file next to the workflows. The file contains the events without source
/// locations and versions, so that workflow comments and new releases do not change the file.
package struct GoldenTrace: Sendable {
  package static let format = 2

  /// The workflow file, relative to the folder that contains the golden traces.
  package var file: String
  package var scenario: String
  package var events: [JSON]

  init(file: String, scenario: String, events: [TraceEvent]) {
    self.file = file
    self.scenario = scenario
    self.events = events.map(Self.goldenEvent)
  }

  package enum ReadError: Error, Hashable, Sendable {
    /// The file is not a golden trace.
    case foreign
    /// The file has another format version.
    case format(Int)
    /// The file is truncated, or one of its lines is not JSON.
    case broken(line: Int)
  }

  /// Decodes a golden trace that was encoded by `text`.
  package init(reading bytes: [UInt8]) throws(ReadError) {
    let (header, lines) = try Self.header(bytes)
    file = header["file"]?.string ?? ""
    scenario = header["scenario"]?.string ?? ""
    events = []
    for (number, line) in lines.enumerated() {
      guard let event = try? JSON(parsing: line) else { throw .broken(line: number + 2) }
      events.append(event)
    }
  }

  /// Returns the header and the other lines. Decodes only the first line.
  static func header(_ bytes: [UInt8]) throws(ReadError) -> (JSON, lines: ArraySlice<ArraySlice<UInt8>>) {
    let lines = bytes.split(separator: 0x0A)
    guard let first = lines.first, first.starts(with: #"{"authflow":"golden""#.utf8),
      let header = try? JSON(parsing: first)
    else { throw .foreign }
    let format = Int(header["format"]?.integer ?? 0)
    guard format == Self.format else { throw .format(format) }
    return (header, lines.dropFirst())
  }

  /// Encodes the trace as JSON Lines with sorted keys. The first line is the header, and each other line is an event.
  package var text: String {
    let header: JSON = [
      "authflow": "golden", "file": .string(file), "format": .integer(Int64(Self.format)),
      "scenario": .string(scenario),
    ]
    return events.reduce(into: header.text() + "\n") { $0 += $1.text() + "\n" }
  }

  /// Returns the file name, which is readable, valid on all file systems, and unique to the scenario.
  package static func fileName(file: String, scenario: String) -> String {
    var print = Fingerprint()
    print.add(file)
    print.add(scenario)
    let stem = FilePath.name(of: file)
    return "\(slug(stem, most: 40))--\(slug(scenario, most: 60))--\(print.text.prefix(8)).jsonl"
  }

  private static func slug(_ text: String, most: Int) -> String {
    var slug = ""
    for character in text.lowercased() {
      if character.isASCII, character.isLetter || character.isNumber {
        slug.append(character)
      } else if !slug.isEmpty, slug.last != "-" {
        slug.append("-")
      }
      if slug.count == most { break }
    }
    while slug.last == "-" { slug.removeLast() }
    return slug.isEmpty ? "scenario" : slug
  }

  private static func goldenEvent(_ event: TraceEvent) -> JSON {
    var members = event.members
    members["place"] = nil
    if event.kind == .runStarted { for name in ["tool", "source", "usedSources", "machine"] { members[name] = nil } }
    if case .object(var facts) = members["facts"] {
      facts["place"] = nil
      members["facts"] = .object(facts)
    }
    return TraceEvent(seq: event.seq, time: event.time, kind: event.kind, members: members).json
  }
}
