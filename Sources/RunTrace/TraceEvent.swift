import Documents
import Effects
import OrderedCollections

/// An event in a run. Version 2 of the published trace format defines the kinds of events and their members.
package struct TraceEvent: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case runStarted = "run.started"
    case scenarioStarted = "scenario.started"
    case stepStarted = "step.started"
    case decision
    case httpRequest = "http.request"
    case httpResponse = "http.response"
    case cacheRead = "cache.read"
    case cacheWritten = "cache.written"
    case interaction
    case tokenAcquired = "token.acquired"
    case stepFinished = "step.finished"
    case scenarioFinished = "scenario.finished"
    case runFinished = "run.finished"
  }

  /// The sequence number in the trace. Numbers start at 1 and have no gaps.
  package var seq: Int
  package var time: Instant
  package var kind: Kind
  /// The masked members, without `seq`, `time`, or `kind`.
  package var members: OrderedDictionary<String, JSON>

  package init(seq: Int, time: Instant, kind: Kind, members: OrderedDictionary<String, JSON>) {
    self.seq = seq
    self.time = time
    self.kind = kind
    self.members = members
  }

  /// The line in the trace file, with sorted keys and a line break.
  package var line: String { json.text(pretty: false, sortedKeys: true) + "\n" }

  /// The event in the format of the trace file.
  package var json: JSON {
    var all = members
    all["seq"] = .integer(Int64(seq))
    all["time"] = .string(time.rfc3339(fractionDigits: 6))
    all["kind"] = .string(kind.rawValue)
    return .object(all)
  }
}

/// A value in a trace event. It can contain secrets, which the recorder masks.
package enum TraceValue: Sendable {
  case value(JSON)
  /// JSON from another program. Its names and numbers can also be secrets.
  case outside(JSON)
  case secret(Secret)
  case list([TraceValue])
  case fields(OrderedDictionary<String, TraceValue>)
}

extension TraceValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringInterpolation, ExpressibleByNilLiteral
{
  package init(stringLiteral value: String) { self = .value(.string(value)) }
  package init(integerLiteral value: Int64) { self = .value(.integer(value)) }
  package init(booleanLiteral value: Bool) { self = .value(.bool(value)) }
  package init(nilLiteral: ()) { self = .value(.null) }
  package init(arrayLiteral elements: TraceValue...) { self = .list(elements) }
  package init(dictionaryLiteral elements: (String, TraceValue)...) {
    self = .fields(OrderedDictionary(elements, uniquingKeysWith: { $1 }))
  }
  package init(_ text: String) { self = .value(.string(text)) }
  package init(_ text: String?) { self = text.map { .value(.string($0)) } ?? .value(.null) }
  package init(_ texts: [String]) { self = .value(.array(texts.map { .string($0) })) }
  package init(_ number: Int) { self = .value(.integer(Int64(number))) }
}
