import Effects

/// The Apple platform, which determines the rules for redirect URIs and Info.plist.
package enum ApplePlatform: String, Sendable, CaseIterable {
  case iOS, macOS

  /// Parses a platform name, ignoring case.
  package init?(named name: some StringProtocol) {
    switch name.lowercased() {
    case "ios", "ipados", "visionos": self = .iOS
    case "macos", "osx": self = .macOS
    default: return nil
    }
  }

  /// The keychain group that MSAL uses if the app does not set a group.
  package var defaultKeychainGroup: String {
    switch self {
    case .iOS: "com.microsoft.adalcache"
    case .macOS: "com.microsoft.identity.universalstorage"
    }
  }
}

/// The default redirect URIs that MSAL derives.
package enum RedirectURI {
  /// Returns `msauth.<bundle id>://auth`, MSAL's default, which brokers support.
  package static func brokerCapable(bundleID: String) -> String { "msauth.\(bundleID)://auth" }

  /// Returns `msal<client id>://auth`, the older default, which brokers do not support. Returns nil if the client ID is
  /// blank.
  package static func legacy(clientID: String) -> String? {
    clientID.contains { !$0.isWhitespace } ? "msal\(clientID)://auth" : nil
  }

  /// The schemes that an iOS app must list in Info.plist to detect a broker.
  package static let brokerQuerySchemes = ["msauthv2", "msauthv3"]
}

/// The result of MSAL's check of whether brokers support a redirect URI.
package enum BrokerCapability: String, Sendable, CaseIterable {
  case matched
  case empty
  case httpFormat
  /// The URI is `msauth.<other bundle>://auth`.
  case bundleMismatch
  /// The URI is `msauth.<bundle>://`, without a host.
  case msauthWithoutHost
  case missingScheme
  case outOfBand
  case missingHost
  case unknown

  /// Classifies an app's redirect URI. The first matching rule applies.
  package init(classifying uri: String?, bundleID: String) {
    guard let uri, !uri.isEmpty else {
      self = .empty
      return
    }
    if uri == RedirectURI.brokerCapable(bundleID: bundleID) {
      self = .matched
      return
    }
    let parts = URLReference(valid: uri)
    let scheme = parts?.scheme ?? ""
    let host = parts?.writtenHost ?? ""
    if !scheme.isEmpty, host == bundleID {
      self = .matched
    } else if scheme.lowercased() == "http" || scheme.lowercased() == "https" {
      self = .httpFormat
    } else if scheme.hasPrefix("msauth"), host == "auth" {
      self = .bundleMismatch
    } else if scheme.hasPrefix("msauth"), host.isEmpty {
      self = .msauthWithoutHost
    } else if scheme.isEmpty {
      self = .missingScheme
    } else if uri == WellKnown.outOfBandRedirect {
      self = .outOfBand
    } else if host.isEmpty {
      self = .missingHost
    } else {
      self = .unknown
    }
  }

  /// Returns the reason why brokers do not support the URI, or nil if they support it.
  package func reason(bundleID: String) -> String? {
    switch self {
    case .matched: nil
    case .empty: "it is empty"
    case .httpFormat: "it uses http or https"
    case .bundleMismatch: "its bundle ID is not `\(bundleID)`"
    case .msauthWithoutHost: "`auth` is missing after `://`"
    case .missingScheme: "it has no scheme"
    case .outOfBand: "it is an out-of-band URI"
    case .missingHost: "it has no host"
    case .unknown: "it is neither `msauth.\(bundleID)://auth` nor `<scheme>://\(bundleID)`"
    }
  }
}
