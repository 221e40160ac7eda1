import Documents
import OrderedCollections

extension ScenarioBody {
  /// One layer of a scenario, as its document says it.
  enum Written: Sendable {
    case node(Node)
    /// A combination of axes stands nowhere as it is.
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
  /// What the scenario says besides what it is called and what it expects, in the form in which one scenario without a
  /// matrix would say it: a case of a matrix with its row merged in.
  ///
  /// Who reads it gets the case's own given, before, user, inputs, settings and directory.
  package var circumstances: JSON {
    body.written.reduce([:]) { below, layer in Self.laid(layer.json, over: below) }
  }

  /// As `ScenarioBody.over` merges what was read.
  private static func laid(_ json: JSON, over below: JSON) -> JSON {
    var merged = below
    for (key, value) in json.object ?? [:] {
      guard let under = merged[key], under != .null else {
        if circumstantial.contains(key), value != .null { merged[key] = value }
        continue
      }
      switch key {
      case "given": merged[key] = value
      case "before": merged[key] = steps(value, over: under)
      case "user": merged[key] = sittings(value, over: under)
      case "inputs": merged[key] = union(value, over: under)
      case "settings", "directory": merged[key] = .array(list(under) + list(value))
      case "clients": merged[key] = union(value, over: under) { .array(list($1) + list($0)) }
      default: break
      }
    }
    return merged
  }

  private static let circumstantial: Set<String> = [
    "given", "before", "user", "inputs", "settings", "clients", "directory",
  ]

  private static func list(_ json: JSON) -> [JSON] { json.array ?? [json] }

  private static func union(
    _ over: JSON, over under: JSON, _ both: (_ near: JSON, _ far: JSON) -> JSON = { near, _ in near }
  ) -> JSON {
    var members = under.object ?? [:]
    members.merge(over.object ?? [:]) { far, near in both(near, far) }
    return .object(members)
  }

  /// `silent` and `silent[1]` are the same step.
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

  /// User by user; the last of the shorter list repeats.
  private static func sittings(_ over: JSON, over under: JSON) -> JSON {
    func people(_ json: JSON) -> [JSON] { list(json).map { $0.string.map { ["username": .string($0)] } ?? $0 } }
    let (near, far) = (people(over), people(under))
    guard let last = near.last, let farLast = far.last else { return over }
    let merged = (0..<max(near.count, far.count)).map { sitting in
      union(
        near.indices.contains(sitting) ? near[sitting] : last,
        over: far.indices.contains(sitting) ? far[sitting] : farLast)
    }
    return merged.count == 1 ? merged[0] : .array(merged)
  }
}
