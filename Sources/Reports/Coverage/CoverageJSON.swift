import Documents
import WorkflowModel

/// Coverage in a published JSON format. authflow uses this format to merge shards and mark diagrams.
package enum CoverageJSON {
  /// The format version.
  package static let version: Int64 = 1

  /// Returns `{"coverage": 1, "workflows": […]}` with sorted keys. The workflows are in the given order.
  package static func json(_ records: [CoverageRecord]) -> JSON {
    ["coverage": .integer(version), "workflows": .array(records.map(json))]
  }

  private static func json(_ record: CoverageRecord) -> JSON {
    [
      "all": json(record.all), "file": .string(record.file), "outcomes": json(record.outcomes),
      "runs": .integer(Int64(record.runs)), "stepList": .array(record.entries.map(json)),
      "steps": json(record.steps), "title": .string(record.title),
      "transitions": json(record.transitions),
    ]
  }

  private static func json(_ share: CoverageRecord.Share) -> JSON {
    [
      "covered": .integer(Int64(share.covered)), "percent": .integer(Int64(share.percent)),
      "total": .integer(Int64(share.total)),
    ]
  }

  private static func json(_ step: CoverageRecord.StepShare) -> JSON {
    [
      "finally": .bool(step.isFinally), "id": .string(step.id), "kind": .string(step.kind),
      "outcomes": .array(
        step.outcomes.map { ["name": .string($0.name), "times": .integer(Int64($0.times))] }),
      "times": .integer(Int64(step.times)),
      "transitions": .array(
        step.arrows.map { arrow in
          [
            "outcomes": .array(arrow.outcomes.map { .string($0) }), "sort": .string(arrow.sort.rawValue),
            "times": .integer(Int64(arrow.times)), "to": .string(arrow.to),
          ]
        }),
    ]
  }

  /// Decodes JSON that `json(_:)` returned.
  /// - Returns: The records, or nil if the JSON has a different format or version.
  package static func read(_ json: JSON) -> [CoverageRecord]? {
    guard json["coverage"]?.integer == version, let workflows = json["workflows"]?.array else { return nil }
    var records: [CoverageRecord] = []
    for workflow in workflows {
      guard let title = workflow["title"]?.string, let file = workflow["file"]?.string,
        let runs = workflow["runs"]?.integer, let steps = workflow["stepList"]?.array
      else { return nil }
      var record = CoverageRecord(title: title, file: file, runs: Int(clamping: runs), entries: [])
      for step in steps {
        guard let entry = entry(step) else { return nil }
        record.entries.append(entry)
      }
      records.append(record)
    }
    return records
  }

  private static func entry(_ json: JSON) -> CoverageRecord.StepShare? {
    guard let id = json["id"]?.string, let kind = json["kind"]?.string, let times = times(json),
      let outcomes = json["outcomes"]?.array, let arrows = json["transitions"]?.array
    else { return nil }
    var entry = CoverageRecord.StepShare(
      id: id, kind: kind, isFinally: json["finally"]?.bool ?? false, times: times, outcomes: [], arrows: [])
    for outcome in outcomes {
      guard let name = outcome["name"]?.string, let times = Self.times(outcome) else { return nil }
      entry.outcomes.append(.init(name: name, times: times))
    }
    for arrow in arrows {
      guard let to = arrow["to"]?.string, let times = Self.times(arrow),
        let sort = arrow["sort"]?.string.flatMap({ MachineDiagram.Transition.Sort(rawValue: $0) })
      else { return nil }
      let outcomes = (arrow["outcomes"]?.array ?? []).compactMap(\.string)
      entry.arrows.append(.init(to: to, sort: sort, outcomes: outcomes, times: times))
    }
    return entry
  }

  private static func times(_ json: JSON) -> Int? { json["times"]?.integer.map { Int(clamping: $0) } }
}
