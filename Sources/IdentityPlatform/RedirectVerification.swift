/// MSAL's validation of the redirect URI when the app creates a client, as a pure function of the app's configuration.
package struct RedirectVerification: Sendable {
  /// Whether MSAL may use a broker (`MSALGlobalConfig.brokerAvailability`).
  package enum BrokerAvailability: String, Sendable { case auto, none }

  package var platform: ApplePlatform
  package var clientID: String
  package var bundleID: String
  /// Whether the app declares its bundle ID. If false, messages do not contain it.
  package var bundleIDIsKnown = true
  /// The schemes in `CFBundleURLTypes` of Info.plist. If nil, all schemes count as registered.
  package var registeredSchemes: [String]?
  /// `LSApplicationQueriesSchemes` of Info.plist. If nil, the list counts as complete.
  package var querySchemes: [String]?
  /// The URI that the app sets; nil for MSAL's default.
  package var customURI: String?
  package var bypassesValidation = false
  package var brokerAvailability = BrokerAvailability.auto
  package var isAppExtension = false

  package init(platform: ApplePlatform, clientID: String, bundleID: String, customURI: String? = nil) {
    self.platform = platform
    self.clientID = clientID
    self.bundleID = bundleID
    self.customURI = customURI
  }

  package struct Outcome: Hashable, Sendable {
    /// The URI in requests, or nil if there is none.
    package var uri: String?
    package var isDefault: Bool
    package var isBrokerCapable: Bool
    package var capability: BrokerCapability
    /// The error that prevents the creation of the client.
    package var failure: MSALFailure?
  }

  /// Validates the redirect URI for an authority. Microsoft Entra authorities, except `consumers`, require a URI that
  /// brokers support. B2C, CIAM, and other issuers accept any URI.
  package func verify(for authority: Authority) -> Outcome {
    guard let customURI else { return verifyDefault() }
    if bypassesValidation {
      // MSAL for iOS rejects a fragment even if validation is bypassed.
      let failure = platform == .iOS ? syntaxFailure(of: customURI) : nil
      return outcome(uri: customURI, isDefault: false, brokerCapable: false, failure: failure)
    }
    if let failure = syntaxFailure(of: customURI) ?? schemeFailure(of: customURI) {
      return outcome(uri: customURI, isDefault: false, brokerCapable: false, failure: failure)
    }
    let capability = BrokerCapability(classifying: customURI, bundleID: bundleID)
    guard capability == .matched else {
      let needsBroker = authority.kind == .aad && authority.tenant != .consumers
      let failure = needsBroker ? notBrokerCapable(capability) : nil
      return outcome(uri: customURI, isDefault: false, brokerCapable: false, failure: failure)
    }
    return outcome(uri: customURI, isDefault: false, brokerCapable: true, failure: querySchemesFailure)
  }

  /// Derives the default redirect URI, which MSAL also does if validation is bypassed. In that case MSAL does not use a
  /// broker, and an unregistered scheme leaves the app without a redirect URI, so requests that need one fail.
  private func verifyDefault() -> Outcome {
    let uri = RedirectURI.brokerCapable(bundleID: bundleID)
    if platform == .macOS || isAppExtension || isRegistered("msauth.\(bundleID)") {
      let failure = bypassesValidation ? nil : querySchemesFailure
      return outcome(uri: uri, isDefault: true, brokerCapable: !bypassesValidation, failure: failure)
    }
    if let legacy = RedirectURI.legacy(clientID: clientID), isRegistered("msal\(clientID)") {
      return outcome(uri: legacy, isDefault: true, brokerCapable: false, failure: nil)
    }
    guard !bypassesValidation else { return outcome(uri: nil, isDefault: true, brokerCapable: false, failure: nil) }
    return outcome(
      uri: nil, isDefault: true, brokerCapable: false,
      failure: MSALFailure(
        .redirectSchemeNotRegistered, "scheme `msauth.\(bundleID)` is not registered in `CFBundleURLTypes`",
        help: "register the scheme `msauth.\(bundleID)` in Info.plist and `\(uri)` in the app registration"))
  }

  private func syntaxFailure(of uri: String) -> MSALFailure? {
    switch platform {
    case .iOS where uri.contains("#"):
      return MSALFailure(.unexpected, "redirect URI has a fragment", help: "remove the `#` and the text after it")
    case .macOS where URLParts(uri)?.scheme == nil:
      return MSALFailure(
        .invalidParameter, "redirect URI has no scheme", help: "use a URI such as `msauth.\(bundleID)://auth`")
    default: return nil
    }
  }

  private func schemeFailure(of uri: String) -> MSALFailure? {
    guard platform == .iOS, !isAppExtension else { return nil }
    let scheme = URLParts(uri)?.scheme ?? ""
    guard scheme.lowercased() != "https", scheme.isEmpty || !isRegistered(scheme) else { return nil }
    return MSALFailure(
      .redirectSchemeNotRegistered,
      scheme.isEmpty ? "redirect URI has no scheme" : "scheme `\(scheme)` is not registered in `CFBundleURLTypes`",
      help:
        "add `\(scheme.isEmpty ? "msauth.\(bundleID)" : scheme)` to `CFBundleURLSchemes` in `CFBundleURLTypes` of Info.plist"
    )
  }

  private func notBrokerCapable(_ capability: BrokerCapability) -> MSALFailure {
    let shownID = bundleIDIsKnown ? bundleID : "<bundle id>"
    let reason =
      !bundleIDIsKnown && capability == .bundleMismatch
      ? "the bundle ID of the app is unknown" : capability.reason(bundleID: shownID) ?? ""
    return MSALFailure(
      .invalidRedirectURI, "brokers do not support this redirect URI: \(reason)",
      help: "register and use `\(RedirectURI.brokerCapable(bundleID: shownID))`, or set `BypassRedirectURIValidation`")
  }

  private var querySchemesFailure: MSALFailure? {
    guard platform == .iOS, brokerAvailability == .auto, let querySchemes else { return nil }
    let missing = RedirectURI.brokerQuerySchemes.filter { !querySchemes.contains($0) }
    guard !missing.isEmpty else { return nil }
    return MSALFailure(
      .redirectSchemeNotRegistered,
      "`LSApplicationQueriesSchemes` lacks \(missing.map { "`\($0)`" }.joined(separator: " and "))",
      help: "add `msauthv2` and `msauthv3` to `LSApplicationQueriesSchemes` in Info.plist")
  }

  private func isRegistered(_ scheme: String) -> Bool { registeredSchemes?.contains(scheme) ?? true }

  private func outcome(uri: String?, isDefault: Bool, brokerCapable: Bool, failure: MSALFailure?) -> Outcome {
    Outcome(
      uri: uri, isDefault: isDefault, isBrokerCapable: brokerCapable && failure == nil,
      capability: BrokerCapability(classifying: uri, bundleID: bundleID), failure: failure)
  }
}
