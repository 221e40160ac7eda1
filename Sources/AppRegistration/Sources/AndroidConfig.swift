import DeclaredFields
import Diagnostics
import Documents
import IdentityPlatform

/// MSAL for Android's `auth_config*.json`, as far as it says what settings say.
package struct AndroidConfig: Sendable {
  /// One entry of `authorities`.
  package struct AuthorityEntry: Sendable {
    package var type: Located<String>?
    package var url: Located<String>?
    package var audience: Located<AudienceEntry>?
    package var isDefault: Located<Bool>?
    package var slice: Located<AppSettings.Slice>?
  }

  package struct AudienceEntry: Sendable {
    package var type: Located<String>?
    package var tenantID: Located<String>?
  }

  package var clientID: Located<String>?
  package var redirectURI: Located<String>?
  package var authorities: Located<[AuthorityEntry]>?
  package var accountMode: Located<String>?
  package var brokerRedirectRegistered: Located<Bool>?
  package var userAgent: Located<String>?
  package var multipleClouds: Located<Bool>?
  package var clientCapabilities: Located<[Located<String>]>?

  package static let fields = fields(filling: .none)

  static func fields(filling definitions: Definitions) -> Fields<AndroidConfig> {
    let text = Codec<String>.text(filling: definitions)
    return Fields(
      "an MSAL Android configuration", unknownKeys: .foreign,
      [
        Field("client_id", text.located, into: \.clientID, required: true, "the application (client) id"),
        Field(
          "redirect_uri", text.located, into: \.redirectURI, required: true,
          "msauth://<package>/<signature hash, percent-encoded>"),
        Field(
          "authorities", Codec.list(of: .record(authorityFields(text), empty: AuthorityEntry())).located,
          into: \.authorities,
          "who issues the tokens; with more than one, exactly one is the default"),
        Field("account_mode", text.located, into: \.accountMode, default: "MULTIPLE", "SINGLE or MULTIPLE"),
        Field(
          "broker_redirect_uri_registered", Codec<Bool>.bool.located, into: \.brokerRedirectRegistered, default: true,
          "whether the redirect URI is the one that a broker answers to"),
        Field(
          "authorization_user_agent", text.located, into: \.userAgent, default: "DEFAULT", "DEFAULT, BROWSER or WEBVIEW"
        ),
        Field(
          "multiple_clouds_supported", Codec<Bool>.bool.located, into: \.multipleClouds, default: false,
          "whether accounts of other national clouds may sign in"),
        Field(
          "client_capabilities", Codec<[Located<String>]>.words(text, commas: true).located, into: \.clientCapabilities,
          "what the app can do, separated by commas: CP1 for claims challenges"),
      ])
  }

  private static func authorityFields(_ text: Codec<String>) -> Fields<AuthorityEntry> {
    Fields(
      "an authority", unknownKeys: .foreign,
      [
        Field("type", text.located, into: \.type, "AAD, B2C, ADFS or CIAM"),
        Field("authority_url", text.located, into: \.url, "the authority itself"),
        Field(
          "audience", Codec.record(audienceFields(text), empty: AudienceEntry()).located, into: \.audience,
          "whose accounts may sign in, in place of authority_url"),
        Field(
          "default", Codec<Bool>.bool.located, into: \.isDefault, default: false,
          "whether it is taken where none is named"),
      ])
  }

  private static func audienceFields(_ text: Codec<String>) -> Fields<AudienceEntry> {
    Fields(
      "an audience", unknownKeys: .foreign,
      [
        Field("type", text.located, into: \.type, "the audience's name, such as AzureADMyOrg"),
        Field("tenant_id", text.located, into: \.tenantID, "the tenant, for AzureADMyOrg"),
      ])
  }
}

extension AndroidConfig {
  /// What a document says, references left standing; loading the settings tells what is wrong with it.
  package static func read(_ root: Node) -> AndroidConfig {
    var config = AndroidConfig()
    var told = Problems()
    _ = fields(filling: .none.leavingReferences).read(root, into: &config, &told)
    return config
  }

  /// The settings that it amounts to.
  ///
  /// The redirect URI's host is the Android package, which stands for the bundle id. Where the configuration says that the URI is
  /// not registered for a broker, it is not checked for one.
  func settings(_ problems: inout Problems) -> AppSettings {
    var settings = AppSettings()
    settings.bundleIDIsAndroidPackage = true
    settings.appID = clientID
    settings.redirectURI = redirectURI
    if let redirectURI, let package = URLParts(redirectURI.value), package.scheme == "msauth", let host = package.host,
      !host.isEmpty
    {
      settings.bundleID = Located(host, at: redirectURI.place)
    }
    if let brokerRedirectRegistered, !brokerRedirectRegistered.value {
      settings.bypassRedirectURIValidation = Located(true, at: brokerRedirectRegistered.place)
    }
    settings.multipleCloudsSupported = multipleClouds
    settings.clientCapabilities = clientCapabilities
    settings.accountMode = accountMode.flatMap { mode in
      AppSettings.AccountMode(rawValue: mode.value.lowercased()).map { Located($0, at: mode.place) }
    }
    settings.webviewType = userAgent.flatMap { agent in
      agent.value.uppercased() == "WEBVIEW" ? Located(.wkWebView, at: agent.place) : nil
    }
    if let entry = defaultAuthority { apply(entry, to: &settings, &problems) }
    return settings
  }

  /// The entry marked as default; the first where none is.
  package var defaultAuthority: AuthorityEntry? {
    guard let entries = authorities?.value else { return nil }
    return entries.first { $0.isDefault?.value == true } ?? entries.first
  }

  private func apply(_ entry: AuthorityEntry, to settings: inout AppSettings, _ problems: inout Problems) {
    if let type = entry.type {
      if let kind = Authority.Kind(rawValue: type.value.lowercased()), kind != .oidc {
        // Only the kinds that a URL does not show need to be said.
        if kind == .b2c || kind == .ciam { settings.authorityType = Located(kind, at: type.place) }
        // On Android an authority is vouched for by standing in this list.
        if kind == .b2c { settings.validateAuthority = Located(false, at: type.place) }
      } else {
        problems.add(
          Diagnostic(
            .error, rule: "unknown-value", "\"\(type.value)\" is not one of AAD, B2C, ADFS, CIAM", at: type.place))
      }
    }
    if let url = entry.url {
      settings.authority = url
      return
    }
    guard let audience = entry.audience?.value else { return }
    if let type = audience.type {
      if let known = Audience(named: type.value) {
        settings.audience = Located(known, at: type.place)
      } else {
        problems.add(
          Diagnostic(
            .error, rule: "unknown-value", "\"\(type.value)\" is no audience",
            help: "write one of \(Audience.allCases.map(\.rawValue).joined(separator: ", "))", at: type.place))
      }
    }
    // Samples repeat the segment that the audience stands for; that is no second answer.
    if let tenant = audience.tenantID, tenant.value.lowercased() != settings.audience?.value.tenantSegment {
      settings.tenantID = tenant
    }
  }
}
