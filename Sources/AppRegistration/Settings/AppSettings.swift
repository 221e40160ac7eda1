import Documents
import IdentityPlatform
import OrderedCollections
import RunTrace

/// The values of a settings file with their locations, before defaults and validation.
package struct AppSettings: Sendable {
  /// `slice` and `dc`, which Microsoft's own apps use to reach test slices of the service.
  package struct Slice: Hashable, Sendable {
    package var slice: String?
    /// The data center, sent as `dc`.
    package var dataCenter: String?

    package init(slice: String? = nil, dataCenter: String? = nil) {
      self.slice = slice
      self.dataCenter = dataCenter
    }
  }

  /// `MSALWebviewType`: the component that shows the sign-in page.
  package enum WebviewType: String, Sendable, CaseIterable {
    case `default`, authenticationSession, safariViewController, wkWebView
    /// A session without the browser's cookies: MSAL's `prefersEphemeralWebBrowserSession`.
    case ephemeral
  }

  /// The number of accounts that the app supports at the same time.
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
  /// Whether the bundle ID is the name of an Android package, which may contain other characters.
  package var bundleIDIsAndroidPackage = false
  package var infoPlist: Positioned<String>?
  /// The Info.plist keys that the settings contain directly, instead of the path of an Info.plist.
  package var infoPlistContents: Node?
  package var redirectURI: Positioned<String>?
  package var redirectScheme: Positioned<String>?
  package var bypassRedirectURIValidation: Positioned<Bool>?
  package var extendedLifetimeEnabled: Positioned<Bool>?
  /// The token expiration buffer in seconds.
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
  /// The key of the client ID in the file's format, such as `client_id` or `ClientId`.
  package var appIDKey = "AppId"

  package init() {}

  /// Whether a mapping has the keys of Microsoft's tutorials, which authflow's settings also use. Other files with a
  /// client ID may use an app-specific format, whose keys only the app's code defines.
  package static func isTutorialFormat(_ root: Node) -> Bool { root["AppId"] != nil || root["GraphScopes"] != nil }

  /// Returns these settings, overridden by another file's values.
  ///
  /// Related keys are replaced together: an overlay's `RedirectScheme` also replaces the base's `RedirectUri`, and an
  /// overlay's `Cloud` or `Audience` also replaces the base's `Authority`.
  package func overlaid(with overlay: AppSettings) -> AppSettings {
    var merged = self
    if overlay.redirectScheme != nil, overlay.redirectURI == nil { merged.redirectURI = nil }
    if overlay.authority == nil, overlay.cloud != nil || overlay.audience != nil { merged.authority = nil }
    if overlay.authority != nil {
      (merged.cloud, merged.audience, merged.tenantID, merged.authorityType) = (nil, nil, nil, nil)
    }
    func replace<Value>(_ path: WritableKeyPath<AppSettings, Value?>) {
      if let value = overlay[keyPath: path] { merged[keyPath: path] = value }
    }
    replace(\.appID)
    if overlay.appID != nil { merged.appIDKey = overlay.appIDKey }
    replace(\.scopes)
    replace(\.authority)
    replace(\.authorityType)
    replace(\.cloud)
    replace(\.tenantID)
    replace(\.audience)
    replace(\.knownAuthorities)
    replace(\.validateAuthority)
    replace(\.multipleCloudsSupported)
    replace(\.platform)
    replace(\.bundleID)
    if overlay.bundleID != nil { merged.bundleIDIsAndroidPackage = overlay.bundleIDIsAndroidPackage }
    if overlay.infoPlist != nil || overlay.infoPlistContents != nil {
      (merged.infoPlist, merged.infoPlistContents) = (overlay.infoPlist, overlay.infoPlistContents)
    }
    replace(\.redirectURI)
    replace(\.redirectScheme)
    replace(\.bypassRedirectURIValidation)
    replace(\.extendedLifetimeEnabled)
    replace(\.tokenExpirationBuffer)
    replace(\.clientCapabilities)
    replace(\.extraQueryParameters)
    replace(\.slice)
    replace(\.keychainGroup)
    replace(\.graphEndpoint)
    replace(\.nestedAuthBrokerClientID)
    replace(\.nestedAuthBrokerRedirectURI)
    replace(\.webviewType)
    replace(\.accountMode)
    replace(\.appVersion)
    replace(\.brokerAvailability)
    replace(\.telemetryEnabled)
    replace(\.testServerClientSecret)
    return merged
  }
}
