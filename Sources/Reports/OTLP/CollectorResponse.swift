import Documents

/// An OpenTelemetry collector's response to a request with spans (OTLP 1.x, "OTLP/HTTP Response").
package enum CollectorResponse: Hashable, Sendable {
  case accepted
  /// The collector accepted the spans with a warning.
  case warned(String)
  /// The collector rejected some spans.
  case partly(rejected: Int64, String)
  /// The collector rejected the request. `retryable` is true if a retry can succeed.
  case refused(status: Int, String, retryable: Bool)

  package init(status: Int, body: [UInt8]) {
    let json = try? JSON(parsing: body)
    guard (200..<300).contains(status) else {
      // A JSON body is a google.rpc.Status.
      let message = json?["message"]?.string ?? ""
      self = .refused(status: status, message, retryable: [429, 502, 503, 504].contains(status))
      return
    }
    let partial = json?["partialSuccess"]
    let message = partial?["errorMessage"]?.string ?? ""
    // OTLP encodes 64-bit numbers as strings.
    let rejected = partial?["rejectedSpans"].flatMap { $0.integer ?? $0.string.flatMap { Int64($0) } } ?? 0
    self = rejected > 0 ? .partly(rejected: rejected, message) : message.isEmpty ? .accepted : .warned(message)
  }
}
