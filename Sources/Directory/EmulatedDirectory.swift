import Documents
import OrderedCollections

/// The emulator's data: tenants, apps, APIs, token lifetimes, and Microsoft Graph responses.
package struct EmulatedDirectory: Hashable, Sendable {
  /// The type of the device, as reported in MSAL's device information.
  package enum Device: String, Hashable, Sendable, CaseIterable {
    case `default`, shared
  }

  /// The name under which the emulator saves its state next to the token cache. The built-in directory is named
  /// `contoso`.
  package var name = "directory"
  package var tenants: [Tenant] = []
  /// The app registrations. If the list is empty, the emulator registers each client ID on first use.
  package var apps: [RegisteredApp] = []
  /// The custom APIs.
  package var resources: [ResourceAPI] = []
  package var lifetimes = Lifetimes()
  package var device = Device.default
  /// Responses for Microsoft Graph paths that the emulator does not support. Each key is a path without the version.
  package var graph: OrderedDictionary<String, JSON> = [:]
  /// The RSA keys (PKCS #8, PEM) that sign tokens, newest first. If the list is empty, the emulator uses built-in test
  /// keys.
  package var keys: [String] = []
  /// Whether the emulator registers unknown apps, tenants, policies, and APIs on first use.
  package var registersOnTheFly = true
  /// Whether the file sets `registersOnTheFly`. If it does not and the list of apps is empty, the emulator registers
  /// each client ID on first use.
  package var saysWhatIsRegistered = false
  /// Whether the token endpoint rejects the sixteenth identical request for a user and an app within five minutes
  /// (AADSTS50196). Off by default, so that load tests can repeat requests. The authorize endpoint always applies this
  /// limit.
  package var loopGuard = false

  package init() {}
}

/// The lifetimes of tokens and sessions.
package struct Lifetimes: Hashable, Sendable {
  /// The lifetime of access tokens. Microsoft Entra ID uses a random lifetime of 60 to 90 minutes, but the emulator
  /// uses exactly this lifetime.
  package var accessToken: Duration?
  /// The lifetime of access tokens during an outage (`ext_expires_in`).
  package var extendedAccessToken: Duration?
  /// The lifetime of access tokens for resources with continuous access evaluation, if the client has the `cp1`
  /// capability.
  package var continuousAccessToken: Duration?
  package var idToken: Duration?
  /// The lifetime of refresh tokens. Each refresh restarts the lifetime.
  package var refreshToken: Duration?
  /// The maximum time after the sign-in during which an app can renew refresh tokens (AADSTS700081), or nil for no
  /// limit.
  package var refreshTokenMaximum: Duration?
  /// The refresh token lifetime for single-page apps, measured from the sign-in.
  package var singlePageRefreshToken: Duration?
  package var authorizationCode: Duration?
  package var deviceCode: Duration?
  /// The polling interval in the device code response.
  package var deviceCodeInterval: Duration?
  /// The lifetime of the browser session.
  package var session: Duration?

  package init() {}
}

extension Lifetimes {
  /// The lifetimes, with default values for missing lifetimes.
  package struct Effective: Hashable, Sendable {
    package var accessToken: Duration
    /// The lifetime of access tokens during an outage, or nil for the normal lifetime.
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
