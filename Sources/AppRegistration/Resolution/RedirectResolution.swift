import Diagnostics
import Documents
import Effects
import IdentityPlatform

extension SettingsResolution {
  /// The bundle ID that authflow uses if the app has none. MSAL would use the bundle ID of the running app.
  static let ownBundleID = "authflow"

  /// Returns the app's bundle ID from the settings, the Info.plist, or the redirect URI, in that order.
  mutating func resolveBundleID(redirectURI redirect: Positioned<String>?) -> String {
    let registered = infoPlist?.bundleID
    if let written = settings.bundleID {
      origins.append(("BundleId", .source(written.place)))
      checkForm(of: written)
      if let registered, registered.value != written.value, !Definitions.containsReference(registered.value) {
        let isCase = registered.value.lowercased() == written.value.lowercased()
        problems.add(
          Diagnostic(
            .warning, rule: SettingsRule.bundleIDMismatch.rawValue,
            "`BundleId` is `\(written.value)`, but the Info.plist contains `\(registered.value)`\(isCase ? " (the case differs)" : "")",
            help: "use the bundle ID from the Info.plist: MSAL requires an exact match", at: written.place,
            related: [.init("bundle ID in the Info.plist", at: registered.place)]))
      }
      return written.value
    }
    if let registered, !Definitions.containsReference(registered.value) {
      origins.append(("BundleId", .source(registered.place)))
      return registered.value
    }
    if let redirect, let bundleID = Self.bundleID(in: redirect.value) {
      origins.append(("BundleId", .derived("from the redirect URI")))
      return bundleID
    }
    origins.append(("BundleId", .byDefault))
    return Self.ownBundleID
  }

  /// Returns the bundle ID in a redirect URI in MSAL's format, `msauth.<bundle ID>://auth`.
  private static func bundleID(in redirectURI: String) -> String? {
    if let bundleID = bundleIDAsHost(of: redirectURI) { return bundleID }
    guard redirectURI.hasPrefix("msauth."), redirectURI.hasSuffix("://auth") else { return nil }
    let bundleID = redirectURI.dropFirst("msauth.".count).dropLast("://auth".count)
    return bundleID.isEmpty ? nil : String(bundleID)
  }

  /// Returns the bundle ID in a redirect URI in ADAL's format, which MSAL also accepts: `<scheme>://<bundle ID>`.
  private static func bundleIDAsHost(of redirectURI: String) -> String? {
    guard let parts = URLReference(valid: redirectURI), let scheme = parts.scheme?.lowercased(),
      let host = parts.writtenHost,
      !["http", "https"].contains(scheme), !scheme.hasPrefix("msauth"), parts.path.isEmpty, parts.port == nil
    else { return nil }
    let labels = host.split(separator: ".")
    return labels.count >= 3 && labels.allSatisfy({ $0.contains(where: \.isLetter) }) ? host : nil
  }

  /// Warns about characters other than letters, digits, `-`, and `.`, which Apple does not allow in a bundle ID. MSAL
  /// would include them in a URL scheme.
  private mutating func checkForm(of bundleID: Positioned<String>) {
    guard !settings.bundleIDIsAndroidPackage, !Definitions.containsReference(bundleID.value) else { return }
    let wrong = bundleID.value.first { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".")) }
    guard let wrong else { return }
    warning(
      .bundleIDMalformed, "invalid character `\(wrong)` in the bundle ID",
      help: "use only letters, digits, `-`, and `.`, so that Apple platforms can open the derived redirect URI",
      at: bundleID.place)
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
        "no redirect URI: none is set, and the Info.plist does not register `msauth.\(bundleID)`",
        help: "register the scheme, or add `RedirectUri`; without one, interactive requests fail with -42000",
        at: bypass.place)
    }
    if let failure = outcome.failure {
      let rule: SettingsRule =
        switch failure.internalCode {
        case .redirectSchemeNotRegistered: .redirectNotRegistered
        case .invalidRedirectURI: .redirectInvalid
        default: .redirectMalformed
        }
      fail(
        failure, rule: rule, at: custom?.place ?? settings.infoPlist?.place ?? settings.infoPlistContents?.place ?? base
      )
    }
    return outcome
  }

  /// Returns the redirect URI from `RedirectUri` or `RedirectScheme`, or nil if neither is set.
  mutating func customRedirect() -> Positioned<String>? {
    if let uri = settings.redirectURI {
      origins.append(("RedirectUri", .source(uri.place)))
      return check(uri)
    }
    if let scheme = settings.redirectScheme {
      origins.append(("RedirectUri", .source(scheme.place)))
      guard let scheme = check(scheme) else { return nil }
      // Some files contain the complete URI instead of the scheme.
      let text = scheme.value.contains("://") ? scheme.value : "\(scheme.value)://auth"
      return Positioned(text, at: scheme.place)
    }
    origins.append(("RedirectUri", .derived("MSAL's default for the platform")))
    return nil
  }

  private mutating func check(_ uri: Positioned<String>) -> Positioned<String>? {
    let text = uri.value
    guard !Definitions.containsReference(text) else { return nil }
    if text.trimmingWhiteSpace.isEmpty {
      error(
        .redirectMalformed, "redirect URI is empty",
        help: "use `msauth.<bundle ID>://auth`, or remove the key",
        at: uri.place)
      return nil
    }
    if settings.bypassRedirectURIValidation?.value == true { return uri }
    if let placeholder = TemplatePlaceholder.find(in: text) {
      error(
        .redirectMalformed, "redirect URI contains a placeholder: `\(placeholder)`",
        help: "use the registered URI, such as `msauth.<bundle ID>://auth`", at: uri.place)
      return nil
    }
    if text.contains(where: \.isWhitespace) {
      error(.redirectMalformed, "redirect URI contains whitespace", help: "remove the whitespace", at: uri.place)
      return nil
    }
    return uri
  }
}
