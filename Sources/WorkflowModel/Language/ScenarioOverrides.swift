import Documents
import OrderedCollections

extension ScenarioBody {
  /// The definition of a scenario or of a matrix row.
  enum Source: Sendable {
    case node(Node)
    /// A value on an axis. The document does not contain the resulting scenario as a mapping.
    case json(JSON)

    var json: JSON {
      switch self {
      case .node(let node): node.json
      case .json(let json): json
      }
    }
  }
}

extension Scenario {
  /// The scenario's `given`, `before`, `user`, `inputs`, `settings`, `clients`, and `directory` as JSON, after the
  /// matrix row is merged in.
  package var overrides: JSON {
    body.sources.reduce([:]) { base, source in Self.merge(source.json, over: base) }
  }

  /// Merges JSON in the same way as `ScenarioBody.over(_:)`.
  private static func merge(_ json: JSON, over base: JSON) -> JSON {
    var merged = base
    for (key, value) in json.object ?? [:] {
      guard let baseValue = merged[key], baseValue != .null else {
        if overrideKeys.contains(key), value != .null { merged[key] = value }
        continue
      }
      switch key {
      case "given": merged[key] = value
      case "before": merged[key] = mergeSteps(value, over: baseValue)
      case "user": merged[key] = mergeUsers(value, over: baseValue)
      case "inputs": merged[key] = mergeMembers(value, over: baseValue)
      case "settings", "directory": merged[key] = .array(list(baseValue) + list(value))
      case "clients": merged[key] = mergeMembers(value, over: baseValue) { .array(list($1) + list($0)) }
      default: break
      }
    }
    return merged
  }

  private static let overrideKeys: Set<String> = [
    "given", "before", "user", "inputs", "settings", "clients", "directory",
  ]

  private static func list(_ json: JSON) -> [JSON] { json.array ?? [json] }

  private static func mergeMembers(
    _ json: JSON, over base: JSON, _ combine: (_ new: JSON, _ old: JSON) -> JSON = { new, _ in new }
  ) -> JSON {
    var members = base.object ?? [:]
    members.merge(json.object ?? [:]) { old, new in combine(new, old) }
    return .object(members)
  }

  /// Merges mappings by step. `silent` and `silent[1]` are the same step.
  private static func mergeSteps(_ json: JSON, over base: JSON) -> JSON {
    func reference(_ name: String) -> ValuePath.StepReference? {
      ValuePath.reference(name).map { ValuePath.StepReference($0.id, run: $0.run ?? 1) }
    }
    var members = base.object ?? [:]
    for (name, value) in json.object ?? [:] {
      let existing = members.keys.first { $0 == name || reference($0) == reference(name) && reference(name) != nil }
      members[existing ?? name] = value
    }
    return .object(members)
  }

  /// Merges user behaviors interaction by interaction. The last entry of the shorter list repeats.
  private static func mergeUsers(_ json: JSON, over base: JSON) -> JSON {
    func behaviors(_ json: JSON) -> [JSON] { list(json).map { $0.string.map { ["username": .string($0)] } ?? $0 } }
    let (new, old) = (behaviors(json), behaviors(base))
    guard let lastNew = new.last, let lastOld = old.last else { return json }
    let merged = (0..<max(new.count, old.count)).map { index in
      mergeMembers(
        new.indices.contains(index) ? new[index] : lastNew, over: old.indices.contains(index) ? old[index] : lastOld)
    }
    return merged.count == 1 ? merged[0] : .array(merged)
  }
}
