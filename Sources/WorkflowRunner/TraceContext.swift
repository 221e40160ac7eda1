import Effects
import HTTPTypes

/// A link from requests to another program's trace: the `traceparent` field of W3C Trace Context, version 00.
package struct TraceContext: Sendable {
  private let traceID: String
  private let randomness: any Randomness

  /// - Parameter traceID: 32 lowercase hexadecimal digits.
  package init(traceID: String, randomness: any Randomness) {
    self.traceID = traceID
    self.randomness = randomness
  }

  /// Creates a trace ID.
  package static func newTraceID(_ randomness: any Randomness) -> String { hex(16, randomness) }

  /// Returns the request with a new span ID. If the workflow sets a `traceparent` field, the request is unchanged.
  func carried(by request: RequestMessage) -> RequestMessage {
    guard let name = HTTPField.Name("traceparent"), request.head.headerFields[name] == nil else { return request }
    var request = request
    request.head.headerFields[name] = "00-\(traceID)-\(Self.hex(8, randomness))-01"
    return request
  }

  /// Returns a random ID in hexadecimal. An ID must not consist of zeros only.
  private static func hex(_ count: Int, _ randomness: any Randomness) -> String {
    while true {
      let bytes = randomness.bytes(count)
      guard bytes.contains(where: { $0 != 0 }) else { continue }
      return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }
}
