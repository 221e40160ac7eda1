import Documents
import Effects
import OrderedCollections
import RunTrace

/// One line of a trace, looked at by the published form: what is not as it says is told and left out.
struct TraceEventParser {
  /// What every event has.
  struct Header {
    var seq: Int
    var time: Instant
    /// Nil where it is of a kind that this authflow does not know.
    var kind: TraceEvent.Kind?
    var kindName: String
  }

  /// Nil where it cannot be told what happened, or when.
  private(set) var header: Header?
  private(set) var members: OrderedDictionary<String, JSON> = [:]
  private(set) var flaws: [String] = []
  /// Whether it looks like an event at all.
  private(set) var isEvent = false

  /// - Parameter leavesOut: members that may be missing though the form requires them.
  init(_ json: JSON, leavesOut: Set<String> = []) {
    guard var all = json.object else {
      flaws.append("an event is an object, and this is \(json.typeName); it is left out")
      return
    }
    let name = all.removeValue(forKey: "kind")
    let seq = all.removeValue(forKey: "seq")
    let time = all.removeValue(forKey: "time")
    isEvent = name != nil && seq != nil
    guard let kindName = name?.string else {
      flaws.append("the event has no \"kind\" and is left out")
      return
    }
    guard let number = seq?.integer, number > 0 else {
      flaws.append("\"seq\" is \(seq == nil ? "missing" : "no number above 0"); the event is left out")
      return
    }
    guard let instant = time?.string.flatMap({ Instant(rfc3339: $0) }) else {
      flaws.append("\"time\" is \(time == nil ? "missing" : "no time as RFC 3339 writes it"); the event is left out")
      return
    }
    let kind = TraceEvent.Kind(rawValue: kindName)
    header = Header(seq: Int(clamping: number), time: instant, kind: kind, kindName: kindName)
    members = all
    if let kind { check(kind, leavesOut) }
  }

  /// Takes out what is of another type than the published form says, and names what is missing.
  private mutating func check(_ kind: TraceEvent.Kind, _ leavesOut: Set<String>) {
    guard let form = Self.forms[kind] else { return }
    for (name, value) in members {
      guard let wanted = form.types[name], !value.isNull, !Self.isOfType(wanted, value) else { continue }
      flaws.append("\"\(name)\" of \(kind.rawValue) is \(value.typeName), not \(wanted); it is passed over")
      members[name] = nil
    }
    for name in form.required where members[name].map(\.isNull) ?? true {
      if !leavesOut.contains(name), !flaws.contains(where: { $0.hasPrefix("\"\(name)\" of ") }) {
        flaws.append("\(kind.rawValue) has no \"\(name)\"")
      }
    }
  }

  private static func isOfType(_ type: String, _ value: JSON) -> Bool {
    switch type {
    case "integer": value.integer != nil
    case "number": value.number != nil
    default: value.typeName == type
    }
  }

  private struct Form {
    var types: [String: String]
    var required: [String]
  }

  private static let forms: [TraceEvent.Kind: Form] = Dictionary(
    uniqueKeysWithValues: TraceEvent.Kind.allCases.map { kind in
      var types = ["step": "string"]
      for (name, schema) in TraceSchema.members(of: kind) {
        types[name] =
          schema["type"]?.string ?? schema["const"]?.typeName
          ?? (schema["enum"] == nil ? nil : "string")
      }
      return (kind, Form(types: types, required: TraceSchema.required(of: kind)))
    })
}
