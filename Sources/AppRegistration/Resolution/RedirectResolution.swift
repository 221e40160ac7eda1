import Diagnostics
import Documents
import IdentityPlatform

extension SettingsResolution {
  /// The bundle id that authflow has where an app names none, as MSAL would take the running app's own.
  static let ownBundleID = "authflow"

  /// The app's bundle id: as the settings or the Info.plist say, else as the redirect URI implies.
  mutating func resolveBundleID(besides redirect: Positioned<String>?) -> String {
    let registered = infoPlist?.bundleID
    if let written = settings.bundleID {
      origins.append(("BundleId", .written(written.place)))
      checkForm(of: written)
      if let registered, registered.value != written.value, !Definitions.holdsReference(registered.value) {
        let isCase = registered.value.lowercased() == written.value.lowercased()
        problems.add(
          Diagnostic(
            .warning, rule: SettingsRule.bundleIDMismatch.rawValue,
            "BundleId is \(written.value), the Info.plist says \(registered.value)\(isCase ? ": the case differs" : "")",
            help: "MSAL takes the app's own bundle id, letter by letter", at: written.place,
            related: [.init("the Info.plist's is here", at: registered.place)]))
      }
      return written.value
    }
    if let registered, !Definitions.holdsReference(registered.value) {
      origins.append(("BundleId", .written(registered.place)))
      return registered.value
    }
    if let redirect, let bundleID = Self.bundleID(in: redirect.value) {
      origins.append(("BundleId", .derived("from the redirect URI")))
      return bundleID
    }
    origins.append(("BundleId", .byDefault))
    return Self.ownBundleID
  }

  /// The bundle id inside MSAL's own form, `msauth.<bundle id>://auth`.
  private static func bundleID(in redirectURI: String) -> String? {
    if let bundleID = bundleIDAsHost(of: redirectURI) { return bundleID }
    guard redirectURI.hasPrefix("msauth."), redirectURI.hasSuffix("://auth") else { return nil }
    let bundleID = redirectURI.dropFirst("msauth.".count).dropLast("://auth".count)
    return bundleID.isEmpty ? nil : String(bundleID)
  }

  /// ADAL's form, which MSAL takes too: `<scheme>://<bundle id>`, where nothing else could be meant.
  private static func bundleIDAsHost(of redirectURI: String) -> String? {
    guard let parts = URLParts(redirectURI), let scheme = parts.scheme?.lowercased(), let host = parts.host,
      !["http", "https"].contains(scheme), !scheme.hasPrefix("msauth"), parts.path.isEmpty, parts.port == nil
    else { return nil }
    let labels = host.split(separator: ".")
    return labels.count >= 3 && labels.allSatisfy({ $0.contains(where: \.isLetter) }) ? host : nil
  }

  /// Apple lets a bundle id hold letters, digits, `-` and `.`; others are met in the wild and become part of a URL scheme.
  private mutating func checkForm(of bundleID: Positioned<String>) {
    guard !settings.bundleIDIsAndroidPackage, !Definitions.holdsReference(bundleID.value) else { return }
    let wrong = bundleID.value.first { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".")) }
    guard let wrong else { return }
    warning(
      .bundleIDMalformed, "a bundle id holds letters, digits, - and . only, and this one has \"\(wrong)\"",
      help: "the redirect URI made of it is no URL that Apple's systems open", at: bundleID.place)
  }

  mutating func resolveRedirect(
    _ custom: Positioned<String>?, clientID: String, bundleID: String, platform: ApplePlatform, authority: Authority
  ) -> RedirectVerification.Outcome {
    var verification = RedirectVerification(
      platform: platform, clientID: clientID, bundleID: bundleID, customURI: custom?.value)
    if case .byDefault? = origins.last(where: { $0.0 == "BundleId" })?.1 { verification.bundleIDIsKnown = false }
    verification.bypassesValidation = settings.bypassRedirectURIValidation?.value ?? false
    verification.brokerAvailability = settings.brokerAvailability?.value ?? .auto
    if let infoPlist, platform == .iOS {
      verification.registeredSchemes = infoPlist.urlSchemes.map(\.value)
      verification.querySchemes = infoPlist.querySchemes?.value.map(\.value) ?? []
      verification.isAppExtension = infoPlist.isAppExtension
    }
    let outcome = verification.verify(for: authority)
    if let bypass = settings.bypassRedirectURIValidation, bypass.value, outcome.uri == nil, outcome.failure == nil {
      warning(
        .redirectBypassed,
        "the app has no redirect URI: none is set, and the Info.plist does not register msauth.\(bundleID)",
        help: "register the scheme or add `RedirectUri`; without one, interactive requests fail with -42000",
        at: bypass.place)
    }
    if let failure = outcome.failure {
      let rule: SettingsRule =
        switch failure.internalCode {
        case .redirectSchemeNotRegistered: .redirectNotRegistered
        case .invalidRedirectURI: .redirectInvalid
        default: .redirectMalformed
        }
      fail(failure, rule: rule, at: custom?.place ?? settings.infoPlist?.place ?? base)
    }
    return outcome
  }

  /// The URI that the settings name: `RedirectUri`, else one made of `RedirectScheme`.
  mutating func customRedirect() -> Positioned<String>? {
    if let uri = settings.redirectURI {
      origins.append(("RedirectUri", .written(uri.place)))
      return check(uri)
    }
    if let scheme = settings.redirectScheme {
      origins.append(("RedirectUri", .written(scheme.place)))
      guard let scheme = check(scheme) else { return nil }
      // People paste the whole URI where the scheme alone is asked for.
      let text = scheme.value.contains("://") ? scheme.value : "\(scheme.value)://auth"
      return Positioned(text, at: scheme.place)
    }
    origins.append(("RedirectUri", .derived("MSAL's default for the platform")))
    return nil
  }

  private mutating func check(_ uri: Positioned<String>) -> Positioned<String>? {
    let text = uri.value
    guard !Definitions.holdsReference(text) else { return nil }
    if text.trimmingWhiteSpace.isEmpty {
      error(
        .redirectMalformed, "the redirect URI is empty",
        help: "write it like msauth.<bundle id>://auth, or leave the key out",
        at: uri.place)
      return nil
    }
    if settings.bypassRedirectURIValidation?.value == true { return uri }
    if let placeholder = TemplatePlaceholder.find(in: text) {
      error(
        .redirectMalformed, "the redirect URI still holds a placeholder: \(placeholder)",
        help: "write it as it is registered, like msauth.<bundle id>://auth", at: uri.place)
      return nil
    }
    if text.contains(where: \.isWhitespace) {
      error(.redirectMalformed, "the redirect URI holds white space", help: "remove it", at: uri.place)
      return nil
    }
    return uri
  }
}
