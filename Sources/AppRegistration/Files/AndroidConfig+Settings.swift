import Diagnostics
import Documents
import IdentityPlatform

extension AndroidConfig {
  /// The settings that it amounts to.
  ///
  /// The redirect URI's host is the Android package, which stands for the bundle id. Where the configuration says that the URI is
  /// not registered for a broker, it is not checked for one.
  func settings(_ problems: inout DiagnosticCollector) -> AppSettings {
    var settings = AppSettings()
    settings.bundleIDIsAndroidPackage = true
    settings.appIDKey = "client_id"
    settings.appID = clientID
    settings.redirectURI = redirectURI
    if let redirectURI, let package = URLParts(redirectURI.value), package.scheme == "msauth", let host = package.host,
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
        // Only the kinds that a URL does not show need to be said.
        if kind == .b2c || kind == .ciam { settings.authorityType = Positioned(kind, at: type.place) }
        // On Android an authority is vouched for by standing in this list.
        if kind == .b2c { settings.validateAuthority = Positioned(false, at: type.place) }
      } else {
        problems.add(
          Diagnostic(
            .error, rule: "android-authority-kind", "\"\(type.value)\" is not one of AAD, B2C, ADFS, CIAM",
            at: type.place))
      }
    }
    if let url = entry.url {
      settings.authority = url
      return
    }
    guard let audience = entry.audience?.value else { return }
    if let type = audience.type {
      if let known = Audience(named: type.value) {
        settings.audience = Positioned(known, at: type.place)
      } else {
        problems.add(
          Diagnostic(
            .error, rule: "android-audience-unknown", "\"\(type.value)\" is no audience",
            help: "write one of \(Audience.allCases.map(\.rawValue).joined(separator: ", "))", at: type.place))
      }
    }
    // Samples repeat the segment that the audience stands for; that is no second answer.
    if let tenant = audience.tenantID, tenant.value.lowercased() != settings.audience?.value.tenantSegment {
      settings.tenantID = tenant
    }
  }
}
