import Documents
import IdentityPlatform
import OrderedCollections
import RunTrace

/// What a settings file says, key by key, each value with its place; nothing is filled in or judged yet.
package struct AppSettings: Sendable {
  /// `slice` and `dc`, by which Microsoft's own apps reach test slices of the service.
  package struct Slice: Hashable, Sendable {
    package var slice: String?
    /// The data center, sent as `dc`.
    package var dataCenter: String?

    package init(slice: String? = nil, dataCenter: String? = nil) {
      self.slice = slice
      self.dataCenter = dataCenter
    }
  }

  /// `MSALWebviewType`: what shows the sign-in page.
  package enum WebviewType: String, Sendable, CaseIterable {
    case `default`, authenticationSession, safariViewController, wkWebView
    /// A session that shares no cookies with the browser: MSAL's `prefersEphemeralWebBrowserSession`.
    case ephemeral
  }

  /// How many accounts the app works with at a time.
  package enum AccountMode: String, Sendable, CaseIterable {
    case single, multiple
  }

  package var appID: Positioned<String>?
  package var scopes: Positioned<[Positioned<String>]>?
  package var authority: Positioned<String>?
  package var authorityType: Positioned<Authority.Kind>?
  package var cloud: Positioned<Cloud>?
  package var tenantID: Positioned<String>?
  package var audience: Positioned<Audience>?
  package var knownAuthorities: Positioned<[Positioned<String>]>?
  package var validateAuthority: Positioned<Bool>?
  package var multipleCloudsSupported: Positioned<Bool>?
  package var platform: Positioned<ApplePlatform>?
  package var bundleID: Positioned<String>?
  /// Whether the bundle id is an Android package's name, which may hold other characters.
  package var bundleIDIsAndroidPackage = false
  package var infoPlist: Positioned<String>?
  package var redirectURI: Positioned<String>?
  package var redirectScheme: Positioned<String>?
  package var bypassRedirectURIValidation: Positioned<Bool>?
  package var extendedLifetimeEnabled: Positioned<Bool>?
  /// Seconds.
  package var tokenExpirationBuffer: Positioned<Double>?
  package var clientCapabilities: Positioned<[Positioned<String>]>?
  package var extraQueryParameters: Positioned<OrderedDictionary<String, String>>?
  package var slice: Positioned<Slice>?
  package var keychainGroup: Positioned<String>?
  package var graphEndpoint: Positioned<String>?
  package var nestedAuthBrokerClientID: Positioned<String>?
  package var nestedAuthBrokerRedirectURI: Positioned<String>?
  package var webviewType: Positioned<WebviewType>?
  package var accountMode: Positioned<AccountMode>?
  package var appVersion: Positioned<String>?
  package var brokerAvailability: Positioned<RedirectVerification.BrokerAvailability>?
  package var telemetryEnabled: Positioned<Bool>?
  package var testServerClientSecret: Positioned<Secret>?
  /// What the file that the settings come from calls `AppId`: `client_id`, `ClientId`.
  package var appIDKey = "AppId"

  package init() {}

  /// Whether a mapping has the keys of Microsoft's tutorials, which authflow's own settings share. Other files in which an app
  /// stores its client id are in the app's own format, whose keys only its code knows.
  package static func isTutorialFormat(_ root: Node) -> Bool { root["AppId"] != nil || root["GraphScopes"] != nil }

  /// These settings with another file's laid over them: what the other says wins, value by value.
  ///
  /// Keys that answer the same question are replaced together: an overlay's `RedirectScheme` sets aside the base's
  /// `RedirectUri`, an overlay's `Cloud` or `Audience` its `Authority`.
  package func overlaid(with overlay: AppSettings) -> AppSettings {
    var merged = self
    if overlay.redirectScheme != nil, overlay.redirectURI == nil { merged.redirectURI = nil }
    if overlay.authority == nil, overlay.cloud != nil || overlay.audience != nil { merged.authority = nil }
    if overlay.authority != nil {
      (merged.cloud, merged.audience, merged.tenantID, merged.authorityType) = (nil, nil, nil, nil)
    }
    func take<Value>(_ path: WritableKeyPath<AppSettings, Value?>) {
      if let value = overlay[keyPath: path] { merged[keyPath: path] = value }
    }
    take(\.appID)
    if overlay.appID != nil { merged.appIDKey = overlay.appIDKey }
    take(\.scopes)
    take(\.authority)
    take(\.authorityType)
    take(\.cloud)
    take(\.tenantID)
    take(\.audience)
    take(\.knownAuthorities)
    take(\.validateAuthority)
    take(\.multipleCloudsSupported)
    take(\.platform)
    take(\.bundleID)
    if overlay.bundleID != nil { merged.bundleIDIsAndroidPackage = overlay.bundleIDIsAndroidPackage }
    take(\.infoPlist)
    take(\.redirectURI)
    take(\.redirectScheme)
    take(\.bypassRedirectURIValidation)
    take(\.extendedLifetimeEnabled)
    take(\.tokenExpirationBuffer)
    take(\.clientCapabilities)
    take(\.extraQueryParameters)
    take(\.slice)
    take(\.keychainGroup)
    take(\.graphEndpoint)
    take(\.nestedAuthBrokerClientID)
    take(\.nestedAuthBrokerRedirectURI)
    take(\.webviewType)
    take(\.accountMode)
    take(\.appVersion)
    take(\.brokerAvailability)
    take(\.telemetryEnabled)
    take(\.testServerClientSecret)
    return merged
  }
}
