import Documents
import OrderedCollections

extension ScenarioBody {
  /// The part of the document that defines a scenario, or a row of its matrix.
  enum Source: Sendable {
    case node(Node)
    /// A combination of axes, which does not appear in the document as such.
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
  /// The scenario's `given`, `before`, `user`, `inputs`, `settings`, `clients`, and `directory` as the document of an
  /// equivalent scenario without a matrix: the row of the matrix is merged in.
  package var overrides: JSON {
    body.sources.reduce([:]) { base, layer in Self.merge(layer.json, over: base) }
  }

  /// Merges like `ScenarioBody.over`, but on JSON.
  private static func merge(_ json: JSON, over base: JSON) -> JSON {
    var merged = base
    for (key, value) in json.object ?? [:] {
      guard let under = merged[key], under != .null else {
        if overrideKeys.contains(key), value != .null { merged[key] = value }
        continue
      }
      switch key {
      case "given": merged[key] = value
      case "before": merged[key] = steps(value, over: under)
      case "user": merged[key] = users(value, over: under)
      case "inputs": merged[key] = union(value, over: under)
      case "settings", "directory": merged[key] = .array(list(under) + list(value))
      case "clients": merged[key] = union(value, over: under) { .array(list($1) + list($0)) }
      default: break
      }
    }
    return merged
  }

  private static let overrideKeys: Set<String> = [
    "given", "before", "user", "inputs", "settings", "clients", "directory",
  ]

  private static func list(_ json: JSON) -> [JSON] { json.array ?? [json] }

  private static func union(
    _ over: JSON, over under: JSON, _ combine: (_ new: JSON, _ old: JSON) -> JSON = { new, _ in new }
  ) -> JSON {
    var members = under.object ?? [:]
    members.merge(over.object ?? [:]) { old, new in combine(new, old) }
    return .object(members)
  }

  /// Merges mappings by step; `silent` and `silent[1]` are the same step.
  private static func steps(_ over: JSON, over under: JSON) -> JSON {
    func reference(_ name: String) -> ValuePath.StepReference? {
      ValuePath.reference(name).map { ValuePath.StepReference($0.id, run: $0.run ?? 1) }
    }
    var members = under.object ?? [:]
    for (name, value) in over.object ?? [:] {
      let same = members.keys.first { $0 == name || reference($0) == reference(name) && reference(name) != nil }
      members[same ?? name] = value
    }
    return .object(members)
  }

  /// Merges user behaviors one by one; the last of the shorter list repeats.
  private static func users(_ over: JSON, over under: JSON) -> JSON {
    func behaviors(_ json: JSON) -> [JSON] { list(json).map { $0.string.map { ["username": .string($0)] } ?? $0 } }
    let (new, old) = (behaviors(over), behaviors(under))
    guard let lastNew = new.last, let lastOld = old.last else { return over }
    let merged = (0..<max(new.count, old.count)).map { index in
      union(
        new.indices.contains(index) ? new[index] : lastNew, over: old.indices.contains(index) ? old[index] : lastOld)
    }
    return merged.count == 1 ? merged[0] : .array(merged)
  }
}
