import OAuth
import Synchronization

/// What MSAL keeps once per process, whatever application objects there are: the one sign-in page, the failures that are
/// not to be repeated yet, the redemptions under way, the clouds that instance discovery described.
///
/// Who makes application objects that live in one world gives them one of these; worlds share none.
package final class ClientProcess: Sendable {
  let session = InteractiveSession()
  let throttling = Throttling()
  let redemptions = RequestCoalescer<RedemptionKey, TokenResult>()
  let clouds = KnownClouds()
  private let telemetries = Mutex<[String: Telemetry]>([:])

  package init() {}

  /// What is told of an app's last calls. By client id: in Apple's world a process is one app.
  func telemetry(of clientID: String) -> Telemetry {
    telemetries.withLock { telemetries in
      if let telemetry = telemetries[clientID] { return telemetry }
      let telemetry = Telemetry()
      telemetries[clientID] = telemetry
      return telemetry
    }
  }
}

/// What makes two redemptions of a refresh token the same.
struct RedemptionKey: Hashable, Sendable {
  /// The store that the tokens go to.
  var store: StoreIdentity
  var clientID: String
  var account: String
  var authority: String
  var scopes: [String]
  var claims: String?
  var extra: Parameters
  var checksUserInfo: Bool
}
