import Documents
import OrderedCollections

/// The data of the emulator: tenants, apps, APIs, lifetimes, and responses of Microsoft Graph.
package struct EmulatedDirectory: Hashable, Sendable {
  /// The type of the device, as the device information of MSAL reports it.
  package enum Device: String, Hashable, Sendable, CaseIterable {
    case `default`, shared
  }

  /// The name under which the emulator state is saved next to the token cache. The built-in directory is `contoso`.
  package var name = "directory"
  package var tenants: [Tenant] = []
  /// The app registrations. Without any, each client ID is registered on first use.
  package var apps: [RegisteredApp] = []
  /// Custom APIs.
  package var resources: [ResourceAPI] = []
  package var lifetimes = Lifetimes()
  package var device = Device.default
  /// Responses for paths that the Graph emulator does not support, by path below the version.
  package var graph: OrderedDictionary<String, JSON> = [:]
  /// The RSA keys (PKCS #8, PEM) that sign tokens, newest first. Empty for the built-in test keys.
  package var keys: [String] = []
  /// Whether unknown apps, tenants, policies, and APIs are registered on first use.
  package var registersOnTheFly = true
  /// Whether the file sets `registersOnTheFly`. If not, and it lists no apps, each client ID is registered on first use.
  package var saysWhatIsRegistered = false
  /// Whether the sixteenth identical token request of a user and an app within five minutes is rejected (AADSTS50196). Off by
  /// default, so that load tests can repeat requests. The authorize endpoint always checks.
  package var loopGuard = false

  package init() {}
}

/// The lifetimes of tokens and sessions.
package struct Lifetimes: Hashable, Sendable {
  /// Access tokens. Microsoft Entra ID uses a random lifetime of 60 to 90 minutes, the emulator an exact one.
  package var accessToken: Duration?
  /// Access tokens during an outage (`ext_expires_in`).
  package var extendedAccessToken: Duration?
  /// Access tokens of clients with the `cp1` capability for resources with continuous access evaluation.
  package var continuousAccessToken: Duration?
  package var idToken: Duration?
  /// Refresh tokens. Each use restarts the lifetime.
  package var refreshToken: Duration?
  /// The maximum age of a chain of refresh tokens (AADSTS700081), or nil for no limit.
  package var refreshTokenMaximum: Duration?
  /// Refresh tokens of single-page apps, from the sign-in.
  package var singlePageRefreshToken: Duration?
  package var authorizationCode: Duration?
  package var deviceCode: Duration?
  /// The polling interval in the device code response.
  package var deviceCodeInterval: Duration?
  /// The browser session.
  package var session: Duration?

  package init() {}
}

extension Lifetimes {
  /// The lifetimes with defaults for missing values.
  package struct Effective: Hashable, Sendable {
    package var accessToken: Duration
    /// Nil for the lifetime of the access token.
    package var extendedAccessToken: Duration?
    package var continuousAccessToken: Duration
    package var idToken: Duration
    package var refreshToken: Duration
    package var refreshTokenMaximum: Duration?
    package var singlePageRefreshToken: Duration
    package var authorizationCode: Duration
    package var deviceCode: Duration
    package var deviceCodeInterval: Duration
    package var session: Duration
  }

  package var effective: Effective {
    let hour = Duration.seconds(3600)
    return Effective(
      accessToken: accessToken ?? hour, extendedAccessToken: extendedAccessToken,
      continuousAccessToken: continuousAccessToken ?? hour * 24,
      idToken: idToken ?? hour, refreshToken: refreshToken ?? hour * 24 * 90,
      refreshTokenMaximum: refreshTokenMaximum,
      singlePageRefreshToken: singlePageRefreshToken ?? hour * 24,
      authorizationCode: authorizationCode ?? .seconds(600), deviceCode: deviceCode ?? .seconds(900),
      deviceCodeInterval: deviceCodeInterval ?? .seconds(5), session: session ?? hour * 24 * 90)
  }
}
