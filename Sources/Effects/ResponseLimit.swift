/// How much of an answer is read: one bound for the network and for everything that plays it, so that a server that says
/// too much, or never stops, has the same effect in both.
package enum ResponseLimit {
  /// Of the body, in bytes. A response that is longer ends in `TransportFailure.badResponse`.
  package static let bytes = 16 << 20

  /// The failure of a response from a host that was longer.
  package static func failure(host: String) -> TransportFailure {
    .badResponse("\(host) answered with more than \(bytes >> 20) MiB")
  }
}
