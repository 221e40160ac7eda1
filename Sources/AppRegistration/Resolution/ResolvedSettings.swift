import Diagnostics
import Effects
import IdentityPlatform
import OrderedCollections
import RunTrace

/// The values that MSAL uses for an app's settings, each with its origin.
package struct ResolvedSettings: Sendable {
  /// The origin of a value.
  package enum Origin: Sendable {
    case source(FileSpan)
    /// MSAL's default, or authflow's if MSAL has none.
    case byDefault
    /// Derived from other values, as the string describes.
    case derived(String)

    /// The location (`AuthSettings.plist:6:10`), `default`, or the description.
    package var description: String {
      switch self {
      case .source(let place):
        place.span == nil ? place.source.name : "\(place.source.name):\(place.start.line):\(place.start.column)"
      case .byDefault: "default"
      case .derived(let words): words
      }
    }

    package var place: FileSpan? {
      if case .source(let place) = self { place } else { nil }
    }
  }

  package var clientID: String
  package var authority: Authority
  package var knownAuthorities: [Authority] = []
  package var validatesAuthority = true
  package var multipleCloudsSupported = false
  /// The scopes as written in the settings.
  package var scopes: [String]
  package var platform = ApplePlatform.macOS
  package var bundleID: String
  package var redirect: RedirectVerification.Outcome
  /// The redirect URI from the settings, or nil for MSAL's default.
  package var customRedirectURI: String?
  package var bypassRedirectURIValidation = false
  package var extendedLifetimeEnabled = false
  /// The token expiration buffer in seconds.
  package var tokenExpirationBuffer = 300.0
  package var clientCapabilities: [String] = []
  package var extraQueryParameters: OrderedDictionary<String, String> = [:]
  package var slice: AppSettings.Slice?
  package var keychainGroup: String
  /// The base URL for Graph requests, such as `https://graph.microsoft.com`. Does not end with a slash.
  package var graphEndpoint: String
  package var nestedAuthBrokerClientID: String?
  package var nestedAuthBrokerRedirectURI: String?
  package var webviewType = AppSettings.WebviewType.default
  package var accountMode = AppSettings.AccountMode.multiple
  /// `CFBundleVersion`, or nil if it is unknown.
  package var appVersion: String?
  package var brokerAvailability = RedirectVerification.BrokerAvailability.auto
  package var telemetryEnabled = true
  /// The client secret for a public test server. Always nil for Microsoft authorities.
  package var testServerClientSecret: Secret?
  /// `CFBundleURLTypes` of the Info.plist, or nil without an Info.plist.
  package var registeredSchemes: [String]?
  /// `LSApplicationQueriesSchemes` of the Info.plist, empty if the key is missing, or nil without an Info.plist.
  package var querySchemes: [String]?
  /// Whether the Info.plist belongs to an app extension.
  package var isAppExtension = false
  /// The origin of each value, by settings key.
  package var origins: OrderedDictionary<String, Origin> = [:]

  /// Returns the origin of the value for a settings key, or nil if there is no value.
  package func origin(of key: String) -> Origin? { origins[key] }

  /// Whether the app's bundle ID is known. The default redirect URI and broker support depend on it.
  package var isBundleIDKnown: Bool {
    if case .byDefault? = origin(of: "BundleId") { false } else { true }
  }

  /// The scopes of the authorization request.
  package var authorizeScopes: [String] { ScopeRules.authorizeScopes(scopes) }

  /// The scopes of the token request.
  package var tokenScopes: [String] { ScopeRules.tokenScopes(scopes) }

  /// The host that may receive Graph tokens, with its port if the port is not the default.
  package var graphHost: String { URLReference(valid: graphEndpoint)?.environment ?? graphEndpoint }

  /// Whether MSAL validates the authority's host. It does not if `ValidateAuthority` is false, if the authority is in
  /// `KnownAuthorities`, or if instance discovery does not support its kind.
  package var isAuthorityValidated: Bool {
    let isKnown = knownAuthorities.contains { $0.kind == authority.kind && $0.url == authority.url }
    let hasService = authority.kind == .aad || authority.kind == .b2c && TrustedHosts.contains(authority.environment)
    return validatesAuthority && hasService && !isKnown
  }

  /// The redirect URI to send in requests.
  package var redirectURI: String? { redirect.uri }
}

/// The error that MSAL's application initializer returns for these settings.
package struct ApplicationFailure: Sendable {
  package var failure: MSALFailure
  package var diagnostic: Diagnostic

  /// The name of the outcome in a workflow, such as `redirectSchemeNotRegistered`.
  package var outcome: String { failure.outcome }
}
