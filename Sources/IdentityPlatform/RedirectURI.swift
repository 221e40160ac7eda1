/// The system whose redirect and Info.plist rules apply.
package enum ApplePlatform: String, Sendable, CaseIterable {
  case iOS, macOS

  /// The platform that a word means; letter case does not matter.
  package init?(named name: some StringProtocol) {
    switch name.lowercased() {
    case "ios", "ipados", "visionos": self = .iOS
    case "macos", "osx": self = .macOS
    default: return nil
    }
  }

  /// The keychain group that MSAL shares tokens in when the app names none.
  package var defaultKeychainGroup: String {
    switch self {
    case .iOS: "com.microsoft.adalcache"
    case .macOS: "com.microsoft.identity.universalstorage"
    }
  }
}

/// The redirect URIs that MSAL makes by itself.
package enum RedirectURI {
  /// `msauth.<bundle id>://auth`: MSAL's default, which a broker can answer to.
  package static func brokerCapable(bundleID: String) -> String { "msauth.\(bundleID)://auth" }

  /// `msal<client id>://auth`: the older default, which no broker answers to; nil without a client id.
  package static func legacy(clientID: String) -> String? {
    clientID.contains { !$0.isWhitespace } ? "msal\(clientID)://auth" : nil
  }

  /// The query schemes that iOS must allow before an app can see whether a broker is there.
  package static let brokerQuerySchemes = ["msauthv2", "msauthv3"]
}

/// What MSAL sees in a redirect URI when it asks whether a broker could answer to it.
package enum BrokerCapability: String, Sendable, CaseIterable {
  case matched
  case empty
  case httpFormat
  /// `msauth.<other bundle>://auth`
  case bundleMismatch
  /// `msauth.<bundle>://` with nothing after it
  case msauthWithoutHost
  case missingScheme
  case outOfBand
  case missingHost
  case unknown

  /// Classifies a redirect URI for an app; the first form that fits decides.
  package init(classifying uri: String?, bundleID: String) {
    guard let uri, !uri.isEmpty else {
      self = .empty
      return
    }
    if uri == RedirectURI.brokerCapable(bundleID: bundleID) {
      self = .matched
      return
    }
    let parts = URLParts(uri)
    let scheme = parts?.scheme ?? ""
    let host = parts?.host ?? ""
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

  /// Why no broker can answer to it; nil where one can.
  package func words(bundleID: String) -> String? {
    switch self {
    case .matched: nil
    case .empty: "there is no redirect URI"
    case .httpFormat: "a broker cannot return to an http or https address"
    case .bundleMismatch: "its bundle id is not this app's, \(bundleID)"
    case .msauthWithoutHost: "nothing follows ://, where \"auth\" must stand"
    case .missingScheme: "it has no scheme"
    case .outOfBand: "the out-of-band form leads back to no app"
    case .missingHost: "nothing follows ://"
    case .unknown: "it is neither msauth.\(bundleID)://auth nor <scheme>://\(bundleID)"
    }
  }
}
