import OAuth
import Synchronization

/// The state that all clients in a process share: the open sign-in page, throttled requests, pending refresh token
/// redemptions, and the results of instance discovery.
///
/// Clients with the same `World` share a process.
package final class ClientProcess: Sendable {
  let session = InteractiveSession()
  let throttling = Throttling()
  let redemptions = RequestCoalescer<RedemptionKey, TokenResult>()
  let clouds = KnownClouds()
  private let telemetryByClient = Mutex<[String: Telemetry]>([:])

  package init() {}

  /// Returns the telemetry of a client. Each client ID has separate telemetry, because on Apple platforms each process
  /// is a single app.
  func telemetry(of clientID: String) -> Telemetry {
    telemetryByClient.withLock { telemetryByClient in
      if let telemetry = telemetryByClient[clientID] { return telemetry }
      let telemetry = Telemetry()
      telemetryByClient[clientID] = telemetry
      return telemetry
    }
  }
}

/// The key for sharing redemptions of a refresh token.
struct RedemptionKey: Hashable, Sendable {
  /// The store of the token cache.
  var store: StoreIdentity
  var clientID: String
  var account: String
  var authority: String
  var scopes: [String]
  var claims: String?
  var extra: Parameters
  var checksUserInfo: Bool
}
