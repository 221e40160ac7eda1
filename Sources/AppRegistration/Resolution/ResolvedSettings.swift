import Diagnostics
import IdentityPlatform
import OrderedCollections
import RunTrace

/// What MSAL makes of an app's settings: every value that a run needs, with where it came from.
package struct ResolvedSettings: Sendable {
  /// Where a value came from.
  package enum Origin: Sendable {
    case written(FileSpan)
    /// MSAL's own default, or authflow's where MSAL has none.
    case byDefault
    /// Made of other values; in words.
    case derived(String)

    /// `AuthSettings.plist:6:10`, `default`, or the words.
    package var words: String {
      switch self {
      case .written(let place):
        place.span == nil ? place.source.name : "\(place.source.name):\(place.start.line):\(place.start.column)"
      case .byDefault: "default"
      case .derived(let words): words
      }
    }

    package var place: FileSpan? {
      if case .written(let place) = self { place } else { nil }
    }
  }

  package var clientID: String
  package var authority: Authority
  package var knownAuthorities: [Authority] = []
  package var validatesAuthority = true
  package var multipleCloudsSupported = false
  /// The scopes as the app names them.
  package var scopes: [String]
  package var platform = ApplePlatform.macOS
  package var bundleID: String
  package var redirect: RedirectVerification.Outcome
  /// The URI that the app itself names; nil for MSAL's default.
  package var customRedirectURI: String?
  package var bypassRedirectURIValidation = false
  package var extendedLifetimeEnabled = false
  /// Seconds.
  package var tokenExpirationBuffer = 300.0
  package var clientCapabilities: [String] = []
  package var extraQueryParameters: OrderedDictionary<String, String> = [:]
  package var slice: AppSettings.Slice?
  package var keychainGroup: String
  /// The address that Graph calls begin with, without a slash at its end: `https://graph.microsoft.com`.
  package var graphEndpoint: String
  package var nestedAuthBrokerClientID: String?
  package var nestedAuthBrokerRedirectURI: String?
  package var webviewType = AppSettings.WebviewType.default
  package var accountMode = AppSettings.AccountMode.multiple
  /// `CFBundleVersion`; nil where nobody says.
  package var appVersion: String?
  package var brokerAvailability = RedirectVerification.BrokerAvailability.auto
  package var telemetryEnabled = true
  /// Only for issuers that are not Microsoft's.
  package var testServerClientSecret: Secret?
  /// The Info.plist's `CFBundleURLTypes`; nil where no Info.plist is named.
  package var registeredSchemes: [String]?
  /// The Info.plist's `LSApplicationQueriesSchemes`, empty where it lacks them; nil where no Info.plist is named.
  package var querySchemes: [String]?
  /// Whether the Info.plist is an app extension's.
  package var isAppExtension = false
  /// By the key's name in a settings file.
  package var origins: OrderedDictionary<String, Origin> = [:]

  /// Where the value of a key came from, by the key's name in a settings file.
  package func origin(of key: String) -> Origin? { origins[key] }

  /// Whether the app's bundle id is known. The default redirect URI and a broker depend on it.
  package var isBundleIDKnown: Bool {
    if case .byDefault? = origin(of: "BundleId") { false } else { true }
  }

  /// The authorize request's scopes.
  package var authorizeScopes: [String] { ScopeRules.authorizeScopes(scopes) }

  /// The token request's scopes.
  package var tokenScopes: [String] { ScopeRules.tokenScopes(scopes) }

  /// The host that Graph's bearer token may go to, with its port where that is not the scheme's own.
  package var graphHost: String { URLParts(graphEndpoint)?.environment ?? graphEndpoint }

  /// Whether MSAL validates the authority's host. It does not if `ValidateAuthority` is false, nor for an authority in
  /// `KnownAuthorities`, nor for kinds that the discovery service does not know.
  package var isAuthorityValidated: Bool {
    let isKnown = knownAuthorities.contains { $0.kind == authority.kind && $0.url == authority.url }
    let hasService = authority.kind == .aad || authority.kind == .b2c && TrustedHosts.contains(authority.environment)
    return validatesAuthority && hasService && !isKnown
  }

  /// The redirect URI that requests carry.
  package var redirectURI: String? { redirect.uri }
}

/// Why MSAL's application object cannot be made from these settings.
package struct ApplicationFailure: Sendable {
  package var failure: MSALFailure
  package var diagnostic: Diagnostic

  /// The outcome's name in a workflow: `redirectSchemeNotRegistered`.
  package var outcome: String { failure.outcome }
}
