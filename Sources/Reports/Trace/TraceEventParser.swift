import Documents
import Effects
import OrderedCollections
import RunTrace

/// Parses a line of a trace. The parser reports and skips members that do not match the published format.
struct TraceEventParser {
  /// The members that all events share.
  struct Header {
    var seq: Int
    var time: Instant
    /// The event kind, or nil if it is unknown.
    var kind: TraceEvent.Kind?
    var kindName: String
  }

  /// The header, or nil if the kind or the time is missing.
  private(set) var header: Header?
  private(set) var members: OrderedDictionary<String, JSON> = [:]
  private(set) var flaws: [String] = []
  /// Whether the line appears to be an event.
  private(set) var isEvent = false

  /// - Parameter leavesOut: The required members that may be missing.
  init(_ json: JSON, leavesOut: Set<String> = []) {
    guard var all = json.object else {
      flaws.append("an event must be an object, not \(json.typeName); skipped")
      return
    }
    let name = all.removeValue(forKey: "kind")
    let seq = all.removeValue(forKey: "seq")
    let time = all.removeValue(forKey: "time")
    isEvent = name != nil && seq != nil
    guard let kindName = name?.string else {
      flaws.append("skipped an event without `kind`")
      return
    }
    guard let number = seq?.integer, number > 0 else {
      flaws.append("`seq` is \(seq == nil ? "missing" : "not a positive integer"); event skipped")
      return
    }
    guard let instant = time?.string.flatMap({ Instant(rfc3339: $0) }) else {
      flaws.append("`time` is \(time == nil ? "missing" : "not an RFC 3339 time"); event skipped")
      return
    }
    let kind = TraceEvent.Kind(rawValue: kindName)
    header = Header(seq: Int(clamping: number), time: instant, kind: kind, kindName: kindName)
    members = all
    if let kind { check(kind, leavesOut) }
  }

  /// Removes members whose type does not match the published format and reports missing members.
  private mutating func check(_ kind: TraceEvent.Kind, _ leavesOut: Set<String>) {
    guard let form = Self.forms[kind] else { return }
    for (name, value) in members {
      guard let wanted = form.types[name], !value.isNull, !Self.isOfType(wanted, value) else { continue }
      flaws.append("`\(name)` of \(kind.rawValue) is \(value.typeName), not \(wanted); ignored")
      members[name] = nil
    }
    for name in form.required where members[name].map(\.isNull) ?? true {
      if !leavesOut.contains(name), !flaws.contains(where: { $0.hasPrefix("\"\(name)\" of ") }) {
        flaws.append("\(kind.rawValue) has no `\(name)`")
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
