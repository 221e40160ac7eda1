/// Limits for responses. The network, the emulator, and recordings share them, so that an oversized or endless response
/// has the same effect everywhere.
package enum ResponseLimit {
  /// Maximum size of a body in bytes. A larger response fails with `TransportFailure.tooLong`.
  package static let bytes = 16 << 20

  /// Returns the failure for a response that exceeds `bytes`.
  package static func failure(host: String) -> TransportFailure {
    .tooLong("\(host) sent more than \(bytes >> 20) MiB")
  }

  /// The time that an app waits for data (MSAL's `timeoutIntervalForRequest`). After this time, a simulated request
  /// fails with `TransportFailure.timedOut`. Requests over a real network have shorter timeouts.
  package static let responseTimeout = Duration.seconds(300)

  /// Returns the failure for a request that does not receive a response in time.
  package static func timeoutFailure(host: String) -> TransportFailure {
    .timedOut("\(host) did not respond within \(responseTimeout.components.seconds) s")
  }
}
