import Diagnostics
import Documents
import Effects
import IdentityPlatform

extension AndroidConfig {
  /// Returns the equivalent settings.
  ///
  /// The host of the redirect URI is the Android package name, which serves as the bundle ID. The redirect URI is not
  /// validated for broker use if `broker_redirect_uri_registered` is false.
  func settings(_ problems: inout DiagnosticCollector) -> AppSettings {
    var settings = AppSettings()
    settings.bundleIDIsAndroidPackage = true
    settings.appIDKey = "client_id"
    settings.appID = clientID
    settings.redirectURI = redirectURI
    if let redirectURI, let package = URLReference(valid: redirectURI.value), package.scheme == "msauth",
      let host = package.writtenHost,
      !host.isEmpty
    {
      settings.bundleID = Positioned(host, at: redirectURI.place)
    }
    if let brokerRedirectRegistered, !brokerRedirectRegistered.value {
      settings.bypassRedirectURIValidation = Positioned(true, at: brokerRedirectRegistered.place)
    }
    settings.multipleCloudsSupported = multipleClouds
    settings.clientCapabilities = clientCapabilities
    settings.accountMode = accountMode.flatMap { mode in
      AppSettings.AccountMode(rawValue: mode.value.lowercased()).map { Positioned($0, at: mode.place) }
    }
    settings.webviewType = userAgent.flatMap { agent in
      agent.value.uppercased() == "WEBVIEW" ? Positioned(.wkWebView, at: agent.place) : nil
    }
    if let entry = defaultAuthority { apply(entry, to: &settings, &problems) }
    return settings
  }

  private func apply(_ entry: AuthorityEntry, to settings: inout AppSettings, _ problems: inout DiagnosticCollector) {
    if let type = entry.type {
      if let kind = Authority.Kind(rawValue: type.value.lowercased()), kind != .oidc {
        // For other kinds, the URL identifies the kind.
        if kind == .b2c || kind == .ciam { settings.authorityType = Positioned(kind, at: type.place) }
        // On Android, authorities in this list are trusted.
        if kind == .b2c { settings.validateAuthority = Positioned(false, at: type.place) }
      } else {
        problems.add(
          Diagnostic(
            .error, rule: "android-authority-kind", "unknown authority type `\(type.value)`",
            help: "use `AAD`, `B2C`, `ADFS`, or `CIAM`",
            at: type.place))
      }
    }
    if let url = entry.url {
      settings.authority = url
      return
    }
    guard let audience = entry.audience?.value else { return }
    if let type = audience.type {
      if let audience = Audience(named: type.value) {
        settings.audience = Positioned(audience, at: type.place)
      } else {
        problems.add(
          Diagnostic(
            .error, rule: "android-audience-unknown", "unknown audience `\(type.value)`",
            help: "use one of \(Audience.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "))", at: type.place))
      }
    }
    // Samples set the tenant ID to the audience's tenant segment, which is not a conflict.
    if let tenant = audience.tenantID, tenant.value.lowercased() != settings.audience?.value.tenantSegment {
      settings.tenantID = tenant
    }
  }
}
