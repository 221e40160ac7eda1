import Documents
import OrderedCollections

/// What the emulated platform serves: its tenants, apps and APIs, how long things live, and data for Graph.
package struct EmulatedDirectory: Hashable, Sendable {
  /// The kind of device that the user sits at, as MSAL's device information reports it.
  package enum Device: String, Hashable, Sendable, CaseIterable {
    case `default`, shared
  }

  /// The name under which state is kept beside the cache; the built-in one is `contoso`.
  package var name = "directory"
  package var tenants: [Tenant] = []
  /// Registered apps; where omitted, whatever client id comes along is registered when first seen.
  package var apps: [RegisteredApp] = []
  /// APIs beside Microsoft Graph.
  package var resources: [ResourceAPI] = []
  package var lifetimes = Lifetimes()
  package var device = Device.default
  /// Data served where the built-in subset of Graph has none: path below the version, to the answer's body.
  package var graph: OrderedDictionary<String, JSON> = [:]
  /// RSA keys (PKCS#8 PEM) that sign tokens, newest first; empty means the built-in, worthless ones.
  package var keys: [String] = []
  /// Whether unknown apps, tenants, policies and APIs are registered when first seen.
  package var registersOnTheFly = true
  /// Whether the file says itself what is registered on the fly. Where it does not, and lists no apps, any client id is.
  package var saysWhatIsRegistered = false
  /// Whether the sixteenth equal token request of a user and app within five minutes is refused (AADSTS50196). Off by
  /// default, so that tests of throughput may repeat themselves; the authorize endpoint always looks.
  package var loopGuard = false

  package init() {}
}

/// How long the platform's artifacts are good for.
package struct Lifetimes: Hashable, Sendable {
  /// Access tokens; the real platform varies between 60 and 90 minutes, here it is exact.
  package var accessToken: Duration?
  /// How long an access token may serve while the service is down (`ext_expires_in`).
  package var extendedAccessToken: Duration?
  /// Access tokens of clients with the `cp1` capability at resources that evaluate access continuously.
  package var continuousAccessToken: Duration?
  package var idToken: Duration?
  /// Refresh tokens, sliding: each use starts the time anew.
  package var refreshToken: Duration?
  /// The greatest age of a chain of refresh tokens, however often they are used (AADSTS700081); nil: none.
  package var refreshTokenMaximum: Duration?
  /// Refresh tokens of single-page apps, fixed from the sign-in.
  package var singlePageRefreshToken: Duration?
  package var authorizationCode: Duration?
  package var deviceCode: Duration?
  /// The seconds between two polls that a device code answer asks for.
  package var deviceCodeInterval: Duration?
  /// The browser session.
  package var session: Duration?

  package init() {}
}

extension Lifetimes {
  /// The lifetimes with the platform's own values where nothing was said.
  package struct Effective: Hashable, Sendable {
    package var accessToken: Duration
    /// Nil where it is as long as the token is good.
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
