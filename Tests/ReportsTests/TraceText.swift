import Diagnostics
import Documents
import OrderedCollections
import Reports

/// Builds traces line by line, so that a test contains only the relevant members.
struct TraceText {
  private(set) var text = ""
  private var seq = 0

  /// - Parameter members: Members in addition to `seq`, `time`, and `kind`, or members that override these defaults.
  mutating func add(_ kind: String, _ members: OrderedDictionary<String, JSON> = [:]) {
    seq += 1
    var all: OrderedDictionary<String, JSON> = [
      "kind": .string(kind), "seq": .integer(Int64(seq)), "time": .string(Self.time(seq)),
    ]
    all.merge(members) { $1 }
    text += JSON.object(all).text() + "\n"
  }

  mutating func addRaw(_ line: String) { text += line + "\n" }

  /// Returns the time of an event. Events are one second apart.
  static func time(_ seq: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "2025-01-01T00:\(two(seq / 60)):\(two(seq % 60)).000000Z"
  }

  mutating func begin() {
    add("run.started", ["format": 2, "tool": "authflow 1", "platform": "emulated", "name": "a run", "file": "a.yaml"])
  }

  mutating func step(_ id: String, kind: String = "silent", _ members: OrderedDictionary<String, JSON> = [:]) {
    let all: OrderedDictionary<String, JSON> = [
      "step": .string(id), "stepKind": .string(kind), "rule": "the first step",
    ]
    add("step.started", all.merging(members) { $1 })
  }

  mutating func end(_ id: String, _ outcome: String = "success", _ members: OrderedDictionary<String, JSON> = [:]) {
    let all: OrderedDictionary<String, JSON> = [
      "step": .string(id), "stepKind": "silent", "outcome": .string(outcome), "next": "next",
    ]
    add("step.finished", all.merging(members) { $1 })
  }

  mutating func finish(_ outcome: String = "success") {
    add("run.finished", ["outcome": .string(outcome), "path": ["silent.success"], "interactions": 0])
  }

  var read: TraceReadResult { TraceReader.read(Array(text.utf8), named: "t.jsonl") }
}

extension TraceReadResult {
  /// The findings in the format `line: severity: message [rule]`.
  var findings: [String] {
    diagnostics.map { diagnostic in
      let line = diagnostic.place.span == nil ? "" : "\(diagnostic.place.start.line): "
      return "\(line)\(diagnostic.severity.rawValue): \(diagnostic.message) [\(diagnostic.rule)]"
    }
  }
}
