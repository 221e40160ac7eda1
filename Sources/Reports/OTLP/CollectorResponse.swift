import Documents

/// What an OpenTelemetry collector made of spans that were sent to it over HTTP (OTLP 1.x, "OTLP/HTTP Response").
package enum CollectorResponse: Hashable, Sendable {
  case accepted
  /// It took them and has something to say.
  case warned(String)
  /// It left so many spans out.
  case partly(rejected: Int64, String)
  /// It did not take them; whether a later attempt may go better.
  case refused(status: Int, String, retryable: Bool)

  package init(status: Int, body: [UInt8]) {
    let json = try? JSON(parsing: body)
    guard (200..<300).contains(status) else {
      // A body in JSON is a google.rpc.Status.
      let said = json?["message"]?.string ?? ""
      self = .refused(status: status, said, retryable: [429, 502, 503, 504].contains(status))
      return
    }
    let partial = json?["partialSuccess"]
    let message = partial?["errorMessage"]?.string ?? ""
    // 64-bit numbers are text in OTLP's JSON.
    let rejected = partial?["rejectedSpans"].flatMap { $0.integer ?? $0.string.flatMap { Int64($0) } } ?? 0
    self = rejected > 0 ? .partly(rejected: rejected, message) : message.isEmpty ? .accepted : .warned(message)
  }
}
