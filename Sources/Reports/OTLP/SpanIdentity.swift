import Crypto
import Effects

/// The IDs for a run's spans. The same trace always results in the same IDs. If the run's requests have a trace ID, the
/// spans have the same trace ID. All other IDs are parts of a digest. As W3C Trace Context requires, IDs are 16 or 8
/// bytes in lowercase hexadecimal and do not consist only of zeros.
struct SpanIdentity {
  let traceID: String

  init(_ tracedRun: TracedRun) {
    if let id = tracedRun.traceID, Self.isID(id, digits: 32) {
      traceID = id
      return
    }
    let scenario = tracedRun.scenario?.name ?? ""
    let words = [
      tracedRun.file ?? tracedRun.name, scenario, "\(tracedRun.started.nanosecondsSince1970)",
      "\(tracedRun.ended.nanosecondsSince1970)", tracedRun.exchanges.first?.correlationID ?? "",
    ]
    traceID = Self.digest(words.joined(separator: "\u{0}"), bytes: 16)
  }

  /// Returns the ID for a span with a type and a number.
  func span(_ sort: String, _ number: Int = 0) -> String { Self.digest("\(traceID)/\(sort)/\(number)", bytes: 8) }

  /// Returns the span ID from the request, which is the parent ID of the server's spans. If the request has no span ID,
  /// returns a derived ID.
  func span(of exchange: TracedExchange) -> String {
    let parts = exchange.request.headers.first(named: "traceparent")?.split(separator: "-") ?? []
    if parts.count == 4, parts[1] == traceID, Self.isID(String(parts[2]), digits: 16) { return String(parts[2]) }
    return span("http", exchange.request.seq)
  }

  static func isID(_ text: String, digits: Int) -> Bool {
    text.utf8.count == digits && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
      && text.contains { $0 != "0" }
  }

  private static func digest(_ text: String, bytes: Int) -> String {
    var hex = ""
    for byte in SHA256.hash(data: Array(text.utf8)).prefix(bytes) {
      hex += (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return hex
  }
}
