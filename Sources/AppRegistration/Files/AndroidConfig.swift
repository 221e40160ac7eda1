import Diagnostics
import Documents
import IdentityPlatform

/// MSAL for Android's `auth_config*.json`, as far as it says what settings say.
package struct AndroidConfig: Sendable {
  /// One entry of `authorities`.
  package struct AuthorityEntry: Sendable {
    package var type: Positioned<String>?
    package var url: Positioned<String>?
    package var audience: Positioned<AudienceEntry>?
    package var isDefault: Positioned<Bool>?
  }

  package struct AudienceEntry: Sendable {
    package var type: Positioned<String>?
    package var tenantID: Positioned<String>?
  }

  package var clientID: Positioned<String>?
  package var redirectURI: Positioned<String>?
  package var authorities: Positioned<[Positioned<AuthorityEntry>]>?
  package var accountMode: Positioned<String>?
  package var brokerRedirectRegistered: Positioned<Bool>?
  package var userAgent: Positioned<String>?
  package var multipleClouds: Positioned<Bool>?
  package var clientCapabilities: Positioned<[Positioned<String>]>?
  package var environment: Positioned<String>?
  /// `logging.log_level`.
  package var logLevel: Positioned<String>?
  /// `authorization_in_current_task`: another activity then receives the answer.
  package var isInCurrentTask: Positioned<Bool>?

  package static let fields = fields(filling: .none)

  static func fields(filling definitions: Definitions) -> Fields<AndroidConfig> {
    let text = Codec<String>.text(filling: definitions)
    return Fields("an MSAL Android configuration", unknownKeys: .foreign, identity(text) + options(text) + passedOver)
  }

  private static func identity(_ text: Codec<String>) -> [Field<AndroidConfig>] {
    [
      Field("client_id", text.located, into: \.clientID, required: true, "the application (client) id"),
      Field(
        "redirect_uri", text.located, into: \.redirectURI, required: true,
        "msauth://<package>/<signature hash, percent-encoded>"),
      Field(
        "authorities",
        Codec<[Positioned<AuthorityEntry>]>.list(
          of: Codec.record(authorityFields(text), empty: AuthorityEntry()).located
        )
        .located,
        into: \.authorities, "who issues the tokens; with more than one, exactly one is the default"),
    ]
  }

  private static func options(_ text: Codec<String>) -> [Field<AndroidConfig>] {
    [
      Field("account_mode", text.located, into: \.accountMode, default: "MULTIPLE", "SINGLE or MULTIPLE"),
      Field(
        "broker_redirect_uri_registered", Codec<Bool>.gsonBool.located, into: \.brokerRedirectRegistered,
        default: true, "whether the redirect URI is the one that a broker answers to"),
      Field(
        "authorization_user_agent", text.located, into: \.userAgent, default: "DEFAULT", "DEFAULT, BROWSER or WEBVIEW"
      ),
      Field(
        "authorization_in_current_task", Codec<Bool>.gsonBool.located, into: \.isInCurrentTask, default: false,
        "whether the sign-in page opens in the app's own task"),
      Field(
        "multiple_clouds_supported", Codec<Bool>.gsonBool.located, into: \.multipleClouds, default: false,
        "whether accounts of other national clouds may sign in"),
      Field(
        "client_capabilities", Codec<[Positioned<String>]>.words(text, commas: true).located,
        into: \.clientCapabilities,
        "what the app can do, separated by commas: CP1 for claims challenges"),
      Field("environment", text.located, into: \.environment, default: "Production", "Production or PreProduction"),
      Field("logging", schema: ["type": "object"], "what is logged: pii_enabled, log_level, logcat_enabled") {
        node, config, problems in
        guard let level = node["log_level"] else { return }
        config.logLevel = text.located.read(level, &problems)
      },
    ]
  }

  /// Keys that MSAL reads and that are of no concern here; they are named so that none is taken for a misspelling.
  private static let passedOver: [Field<AndroidConfig>] = [
    "minimum_required_broker_protocol_version", "http", "preferred_browser", "browser_safelist", "telemetry",
    "web_view_zoom_controls_enabled", "web_view_zoom_enabled", "power_opt_check_for_network_req_enabled",
    "handle_null_taskaffinity", "webauthn_capable", "webauthn_version", "challenge_types", "capabilities",
    "shared_device_mode_supported",
  ].map { key in Field(key, schema: true, "read by MSAL alone") { _, _, _ in } }

  static func authorityFields(_ text: Codec<String>) -> Fields<AuthorityEntry> {
    Fields(
      "an authority", unknownKeys: .foreign,
      [
        Field("type", text.located, into: \.type, "AAD, B2C, ADFS or CIAM"),
        Field("authority_url", text.located, into: \.url, "the authority itself"),
        Field(
          "audience", Codec.record(audienceFields(text), empty: AudienceEntry()).located, into: \.audience,
          "whose accounts may sign in, in place of authority_url"),
        Field(
          "default", Codec<Bool>.gsonBool.located, into: \.isDefault, default: false,
          "whether it is taken where none is named"),
        Field("slice", schema: true, "a test slice of the service") { _, _, _ in },
        Field("flight_parameters", schema: true, "parameters of Microsoft's own tests") { _, _, _ in },
      ])
  }

  static func audienceFields(_ text: Codec<String>) -> Fields<AudienceEntry> {
    Fields(
      "an audience", unknownKeys: .foreign,
      [
        Field("type", text.located, into: \.type, "the audience's name, such as AzureADMyOrg"),
        Field("tenant_id", text.located, into: \.tenantID, "the tenant, for AzureADMyOrg"),
        Field("cloud_url", schema: true, "the login host; MSAL reads it no more") { _, _, _ in },
      ])
  }
}

extension Codec where Value == Bool {
  /// True or false as Gson, which MSAL for Android reads its files with, takes them: in quotes as well.
  fileprivate static var gsonBool: Self {
    Self(expecting: "true or false", schema: ["type": "boolean"]) { node, problems in
      if let text = node.string?.lowercased(), text == "true" || text == "false" { return text == "true" }
      return Codec<Bool>.bool.read(node, &problems)
    }
  }
}

extension AndroidConfig {
  /// What a document says, references left standing; loading the settings tells what is wrong with it.
  package static func read(_ root: Node) -> AndroidConfig {
    var config = AndroidConfig()
    var told = DiagnosticCollector()
    _ = fields(filling: .none.leavingReferences).read(root, into: &config, &told)
    return config
  }

  /// The redirect URI in its parts.
  package var redirect: AndroidRedirect? { redirectURI.map(AndroidRedirect.init) }

  /// Whether MSAL asks a broker, and holds the redirect URI to the package and its signature for that.
  package var usesBroker: Bool { brokerRedirectRegistered?.value ?? true }

  /// The entry marked as default; the first where none is.
  package var defaultAuthority: AuthorityEntry? {
    guard let entries = authorities?.value else { return nil }
    return (entries.first { $0.value.isDefault?.value == true } ?? entries.first)?.value
  }
}
