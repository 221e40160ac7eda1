/// MSAL's check of the redirect URI when an application object is made, as a pure function of what the app declares.
package struct RedirectVerification: Sendable {
  /// Whether a broker may be used at all (`MSALGlobalConfig.brokerAvailability`).
  package enum BrokerAvailability: String, Sendable { case auto, none }

  package var platform: ApplePlatform
  package var clientID: String
  package var bundleID: String
  /// Whether the app said what its bundle id is; otherwise it is named in no words.
  package var bundleIDIsKnown = true
  /// The schemes in the Info.plist's `CFBundleURLTypes`; nil where they are not known, and then taken as registered.
  package var registeredSchemes: [String]?
  /// The Info.plist's `LSApplicationQueriesSchemes`; nil where they are not known, and then taken as complete.
  package var querySchemes: [String]?
  /// The URI that the app names; nil for MSAL's default.
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
    /// The URI that requests carry; nil where none could be made.
    package var uri: String?
    package var isDefault: Bool
    package var isBrokerCapable: Bool
    package var capability: BrokerCapability
    /// Why the application object cannot be made.
    package var failure: MSALFailure?
  }

  /// Verifies for an authority: a URI that no broker answers to is an error for organizations, and accepted for personal
  /// accounts, B2C, CIAM and other issuers.
  package func verify(for authority: Authority) -> Outcome {
    guard let customURI else { return verifyDefault() }
    if bypassesValidation {
      // MSAL for iOS rejects a fragment all the same.
      let failure = platform == .iOS ? formFailure(of: customURI) : nil
      return outcome(uri: customURI, isDefault: false, brokerCapable: false, failure: failure)
    }
    if let failure = formFailure(of: customURI) ?? schemeFailure(of: customURI) {
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

  /// MSAL also derives the default redirect URI if validation is bypassed. A broker is then not used, and a scheme that is
  /// not registered leaves the app without a redirect URI: a request that needs one fails.
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
        .redirectSchemeNotRegistered, "the scheme msauth.\(bundleID) is not registered in CFBundleURLTypes",
        help: "register the scheme msauth.\(bundleID) in the Info.plist and \(uri) in the app registration"))
  }

  private func formFailure(of uri: String) -> MSALFailure? {
    switch platform {
    case .iOS where uri.contains("#"):
      return MSALFailure(.unexpected, "the redirect URI has a fragment", help: "remove the # and what follows it")
    case .macOS where URLParts(uri)?.scheme == nil:
      return MSALFailure(
        .invalidParameter, "the redirect URI has no scheme", help: "write it like msauth.\(bundleID)://auth")
    default: return nil
    }
  }

  private func schemeFailure(of uri: String) -> MSALFailure? {
    guard platform == .iOS, !isAppExtension else { return nil }
    let scheme = URLParts(uri)?.scheme ?? ""
    guard scheme.lowercased() != "https", scheme.isEmpty || !isRegistered(scheme) else { return nil }
    return MSALFailure(
      .redirectSchemeNotRegistered,
      scheme.isEmpty ? "the redirect URI has no scheme" : "the scheme \(scheme) is not registered in CFBundleURLTypes",
      help:
        "add \(scheme.isEmpty ? "msauth.\(bundleID)" : scheme) to CFBundleURLTypes › CFBundleURLSchemes of the Info.plist"
    )
  }

  private func notBrokerCapable(_ capability: BrokerCapability) -> MSALFailure {
    let known = bundleIDIsKnown ? bundleID : "<bundle id>"
    let reason =
      !bundleIDIsKnown && capability == .bundleMismatch
      ? "no bundle id is known that it could be made of" : capability.words(bundleID: known) ?? ""
    return MSALFailure(
      .invalidRedirectURI, "no broker can answer to this redirect URI: \(reason)",
      help: "register and use \(RedirectURI.brokerCapable(bundleID: known)), or set BypassRedirectURIValidation")
  }

  private var querySchemesFailure: MSALFailure? {
    guard platform == .iOS, brokerAvailability == .auto, let querySchemes else { return nil }
    let missing = RedirectURI.brokerQuerySchemes.filter { !querySchemes.contains($0) }
    guard !missing.isEmpty else { return nil }
    return MSALFailure(
      .redirectSchemeNotRegistered,
      "LSApplicationQueriesSchemes lacks \(missing.joined(separator: " and "))",
      help: "add msauthv2 and msauthv3 to LSApplicationQueriesSchemes of the Info.plist")
  }

  private func isRegistered(_ scheme: String) -> Bool { registeredSchemes?.contains(scheme) ?? true }

  private func outcome(uri: String?, isDefault: Bool, brokerCapable: Bool, failure: MSALFailure?) -> Outcome {
    Outcome(
      uri: uri, isDefault: isDefault, isBrokerCapable: brokerCapable && failure == nil,
      capability: BrokerCapability(classifying: uri, bundleID: bundleID), failure: failure)
  }
}
