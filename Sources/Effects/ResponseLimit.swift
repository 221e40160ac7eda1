/// How much of an answer is read: one bound for the network and for everything that plays it, so that a server that says
/// too much, or never stops, has the same effect in both.
package enum ResponseLimit {
  /// Of the body, in bytes. A response that is longer ends in `TransportFailure.tooLong`.
  package static let bytes = 16 << 20

  /// The failure of a response from a host that was longer.
  package static func failure(host: String) -> TransportFailure {
    .tooLong("\(host) answered with more than \(bytes >> 20) MiB")
  }

  /// How long an app waits while nothing comes: MSAL's `timeoutIntervalForRequest`. Where the network is played, the
  /// request then ends in `TransportFailure.timedOut`; over a real one authflow waits no longer than a user does.
  package static let wait = Duration.seconds(300)

  /// The failure of a request to a host that did not answer in time.
  package static func lateness(host: String) -> TransportFailure {
    .timedOut("\(host) did not answer within \(wait.components.seconds) s")
  }
}
