import Diagnostics
import Documents
import WorkflowModel

/// The result of an exploration in a published JSON format.
package enum ExplorationJSON {
  /// The format version.
  package static let version: Int64 = 2

  package static func json(_ record: ExplorationResult) -> JSON {
    [
      "complete": .bool(record.isComplete), "different": .integer(Int64(record.differing)),
      "exploration": .integer(version), "file": .string(record.file),
      "findings": .array(record.findings.map(json)), "paths": .array(record.paths.map(json)),
      "proven": .integer(Int64(record.proven)), "states": .integer(Int64(record.states)),
      "title": .string(record.title),
      "unhandled": .array(
        record.unhandled.map { unhandled in
          [
            "common": strings(unhandled.common.map(\.rawValue)), "rare": strings(unhandled.rare.map(\.rawValue)),
            "step": .string(unhandled.step.id),
          ]
        }), "unproven": .integer(Int64(record.unproven)),
    ]
  }

  private static func json(_ finding: Diagnostic) -> JSON {
    let start = finding.place.start
    var json: JSON = [
      "column": .integer(Int64(start.column)), "file": .string(finding.place.source.name),
      "line": .integer(Int64(start.line)), "message": .string(finding.message), "rule": .string(finding.rule),
      "severity": .string(finding.severity.rawValue),
    ]
    if let help = finding.help { json["help"] = .string(help) }
    return json
  }

  private static func json(_ path: ExplorationResult.Path) -> JSON {
    var json: JSON = [
      "entries": strings(path.explored.entries), "name": .string(path.name),
      "outcome": .string(path.explored.outcome.name.rawValue),
      "step": .string(path.explored.step.id), "to": .string(path.explored.to),
    ]
    switch path.proof {
    case .proven: json["proof"] = "proven"
    case .differs(let actual):
      json["proof"] = "differs"
      json["actual"] = strings(actual)
    case .unproven(let reason, let actual):
      json["proof"] = "unproven"
      json["reason"] = .string(reason)
      if !actual.isEmpty { json["actual"] = strings(actual) }
    case .notTried: json["proof"] = "notTried"
    }
    if let scenario = path.scenario { json["scenario"] = scenario }
    return json
  }

  private static func strings(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }
}
