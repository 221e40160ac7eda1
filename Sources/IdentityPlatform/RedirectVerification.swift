import Effects

/// Validation of a redirect URI, as MSAL performs it when the app creates a client. The result depends only on the
/// app's configuration.
package struct RedirectVerification: Sendable {
  /// The setting for broker use by MSAL (`MSALGlobalConfig.brokerAvailability`).
  package enum BrokerAvailability: String, Sendable { case auto, none }

  package var platform: ApplePlatform
  package var clientID: String
  package var bundleID: String
  /// Whether the bundle ID is known. If not, messages do not contain a bundle ID.
  package var bundleIDIsKnown = true
  /// The schemes in `CFBundleURLTypes` of Info.plist. If this list is nil, all schemes are treated as registered.
  package var registeredSchemes: [String]?
  /// The schemes in `LSApplicationQueriesSchemes` of Info.plist. If this list is nil, all required schemes are treated
  /// as listed.
  package var querySchemes: [String]?
  /// The redirect URI that the app sets, or nil for MSAL's default.
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
    /// The redirect URI in requests, or nil if the app does not have a redirect URI.
    package var uri: String?
    package var isDefault: Bool
    package var isBrokerCapable: Bool
    package var capability: BrokerCapability
    /// The error that prevents MSAL from creating the client.
    package var failure: MSALFailure?
  }

  /// Validates the redirect URI for an authority. For Microsoft Entra authorities except `consumers`, brokers must
  /// support the URI. For B2C, CIAM, and other issuers, any URI is valid.
  package func verify(for authority: Authority) -> Outcome {
    guard let customURI else { return verifyDefault() }
    if bypassesValidation {
      // MSAL for iOS rejects a fragment even if the app bypasses the validation.
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

  /// Derives the default redirect URI, as MSAL does even if the app bypasses the validation. In that case, MSAL does
  /// not use a broker. If the scheme is not registered, the app does not have a redirect URI, and requests that need a
  /// redirect URI fail.
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
    case .macOS where URLReference(valid: uri)?.scheme == nil:
      return MSALFailure(
        .invalidParameter, "redirect URI has no scheme", help: "use a URI such as `msauth.\(bundleID)://auth`")
    default: return nil
    }
  }

  private func schemeFailure(of uri: String) -> MSALFailure? {
    guard platform == .iOS, !isAppExtension else { return nil }
    let scheme = URLReference(valid: uri)?.scheme ?? ""
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
      "`LSApplicationQueriesSchemes` does not contain \(missing.map { "`\($0)`" }.joined(separator: " and "))",
      help: "add `msauthv2` and `msauthv3` to `LSApplicationQueriesSchemes` in Info.plist")
  }

  private func isRegistered(_ scheme: String) -> Bool { registeredSchemes?.contains(scheme) ?? true }

  private func outcome(uri: String?, isDefault: Bool, brokerCapable: Bool, failure: MSALFailure?) -> Outcome {
    Outcome(
      uri: uri, isDefault: isDefault, isBrokerCapable: brokerCapable && failure == nil,
      capability: BrokerCapability(classifying: uri, bundleID: bundleID), failure: failure)
  }
}
