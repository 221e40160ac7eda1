import Documents
import Effects
import OrderedCollections

/// A span in OTLP JSON (opentelemetry-proto, trace/v1). IDs are hexadecimal, 64-bit numbers are strings, enums are
/// numbers, and names are in lower camel case.
struct Span {
  enum Kind: Int64 {
    case `internal` = 1
    case client = 3
  }

  struct Event {
    var name: String
    var time: Instant
    var attributes: Attributes
  }

  /// Attributes by name. Nil values are omitted.
  struct Attributes: ExpressibleByDictionaryLiteral {
    private(set) var pairs: [JSON] = []

    init(dictionaryLiteral elements: (String, JSON?)...) { for (name, value) in elements { add(name, value) } }

    mutating func add(_ name: String, _ value: JSON?) {
      guard let value = value.flatMap(Self.any) else { return }
      pairs.append(["key": .string(name), "value": value])
    }

    /// Converts a value to an OTLP `AnyValue`.
    private static func any(_ value: JSON) -> JSON? {
      switch value {
      case .null: nil
      case .bool: ["boolValue": value]
      case .integer(let number): ["intValue": .string(String(number))]
      case .real: ["doubleValue": value]
      case .string: ["stringValue": value]
      case .array(let values): ["arrayValue": ["values": .array(values.compactMap(any))]]
      case .object: ["stringValue": .string(value.text())]
      }
    }
  }

  var id: String
  var parent: String?
  var name: String
  var kind = Kind.internal
  var start: Instant
  var end: Instant
  var attributes: Attributes
  var events: [Event] = []
  /// The error, or nil if there was none.
  var error: String?

  func json(trace: String) -> JSON {
    var json: JSON = [
      "traceId": .string(trace), "spanId": .string(id), "name": .string(name), "kind": .integer(kind.rawValue),
      "startTimeUnixNano": Self.time(start),
      // If the clock was set back during the span, the duration is zero.
      "endTimeUnixNano": Self.time(max(start, end)), "attributes": .array(attributes.pairs),
    ]
    if let parent { json["parentSpanId"] = .string(parent) }
    if !events.isEmpty {
      json["events"] = .array(
        events.map {
          ["name": .string($0.name), "timeUnixNano": Self.time($0.time), "attributes": .array($0.attributes.pairs)]
        })
    }
    if let error { json["status"] = error.isEmpty ? ["code": 2] : ["code": 2, "message": .string(error)] }
    return json
  }

  /// Returns the time in nanoseconds since 1970. OTLP requires an unsigned number.
  private static func time(_ instant: Instant) -> JSON { .string(String(max(0, instant.nanosecondsSince1970))) }
}
