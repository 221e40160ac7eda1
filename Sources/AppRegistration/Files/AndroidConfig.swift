import Diagnostics
import Documents
import IdentityPlatform

/// An MSAL for Android configuration (`auth_config*.json`), limited to the keys that affect settings and rules.
package struct AndroidConfig: Sendable {
  /// An entry of `authorities`.
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
  /// `authorization_in_current_task`: whether the sign-in page opens in the app's task. If so, another activity
  /// receives the redirect.
  package var isInCurrentTask: Positioned<Bool>?

  package static let fields = fields(filling: .none)

  static func fields(filling definitions: Definitions) -> Fields<AndroidConfig> {
    let text = Codec<String>.text(filling: definitions)
    return Fields("an MSAL Android configuration", unknownKeys: .foreign, identity(text) + options(text) + passedOver)
  }

  private static func identity(_ text: Codec<String>) -> [Field<AndroidConfig>] {
    [
      Field("client_id", text.located, into: { $0.clientID = $1 }, required: true, "application (client) ID"),
      Field(
        "redirect_uri", text.located, into: { $0.redirectURI = $1 }, required: true,
        "`msauth://<package>/<signature hash, percent-encoded>`"),
      Field(
        "authorities",
        Codec<[Positioned<AuthorityEntry>]>.list(
          of: Codec.record(authorityFields(text), empty: AuthorityEntry()).located
        )
        .located,
        into: { $0.authorities = $1 },
        "authorities that issue tokens; if there are several, exactly one must be the default"),
    ]
  }

  private static func options(_ text: Codec<String>) -> [Field<AndroidConfig>] {
    [
      Field("account_mode", text.located, into: { $0.accountMode = $1 }, default: "MULTIPLE", "`SINGLE` or `MULTIPLE`"),
      Field(
        "broker_redirect_uri_registered", Codec<Bool>.gsonBool.located, into: { $0.brokerRedirectRegistered = $1 },
        default: true, "whether the redirect URI is registered for a broker"),
      Field(
        "authorization_user_agent", text.located, into: { $0.userAgent = $1 }, default: "DEFAULT",
        "`DEFAULT`, `BROWSER`, or `WEBVIEW`"
      ),
      Field(
        "authorization_in_current_task", Codec<Bool>.gsonBool.located, into: { $0.isInCurrentTask = $1 },
        default: false,
        "whether the sign-in page opens in the app's own task"),
      Field(
        "multiple_clouds_supported", Codec<Bool>.gsonBool.located, into: { $0.multipleClouds = $1 }, default: false,
        "whether accounts from other national clouds can sign in"),
      Field(
        "client_capabilities", Codec<[Positioned<String>]>.separatedStrings(text, commas: true).located,
        into: { $0.clientCapabilities = $1 },
        "client capabilities separated by commas, such as `CP1` for claims challenges"),
      Field(
        "environment", text.located, into: { $0.environment = $1 }, default: "Production",
        "`Production` or `PreProduction`"
      ),
      Field("logging", schema: ["type": "object"], "logging options: `pii_enabled`, `log_level`, `logcat_enabled`") {
        node, config, problems in
        guard let level = node["log_level"] else { return }
        config.logLevel = text.located.read(level, &problems)
      },
    ]
  }

  /// Keys that MSAL reads and authflow ignores. They are declared so that they are not reported as misspellings.
  private static let passedOver: [Field<AndroidConfig>] = [
    "minimum_required_broker_protocol_version", "http", "preferred_browser", "browser_safelist", "telemetry",
    "web_view_zoom_controls_enabled", "web_view_zoom_enabled", "power_opt_check_for_network_req_enabled",
    "handle_null_taskaffinity", "webauthn_capable", "webauthn_version", "challenge_types", "capabilities",
    "shared_device_mode_supported",
  ].map { key in Field(key, schema: true, "used by MSAL only") { _, _, _ in } }

  static func authorityFields(_ text: Codec<String>) -> Fields<AuthorityEntry> {
    Fields(
      "an authority", unknownKeys: .foreign,
      [
        Field("type", text.located, into: { $0.type = $1 }, "`AAD`, `B2C`, `ADFS`, or `CIAM`"),
        Field("authority_url", text.located, into: { $0.url = $1 }, "URL of the authority"),
        Field(
          "audience", Codec.record(audienceFields(text), empty: AudienceEntry()).located, into: { $0.audience = $1 },
          "accounts that can sign in; replaces `authority_url`"),
        Field(
          "default", Codec<Bool>.gsonBool.located, into: { $0.isDefault = $1 }, default: false,
          "whether this is the default authority"),
        Field("slice", schema: true, "test slice of the service") { _, _, _ in },
        Field("flight_parameters", schema: true, "parameters for Microsoft's tests") { _, _, _ in },
      ])
  }

  static func audienceFields(_ text: Codec<String>) -> Fields<AudienceEntry> {
    Fields(
      "an audience", unknownKeys: .foreign,
      [
        Field("type", text.located, into: { $0.type = $1 }, "name of the audience, such as `AzureADMyOrg`"),
        Field("tenant_id", text.located, into: { $0.tenantID = $1 }, "tenant for `AzureADMyOrg`"),
        Field("cloud_url", schema: true, "login host; MSAL no longer uses it") { _, _, _ in },
      ])
  }
}

extension Codec where Value == Bool {
  /// A boolean as read by Gson, MSAL for Android's JSON parser, which also accepts strings.
  fileprivate static var gsonBool: Self {
    Self(expecting: "a boolean", schema: ["type": "boolean"]) { node, problems in
      if let text = node.string?.lowercased(), text == "true" || text == "false" { return text == "true" }
      return Codec<Bool>.bool.read(node, &problems)
    }
  }
}

extension AndroidConfig {
  /// Decodes a configuration without resolving references or reporting problems.
  package static func read(_ root: Node) -> AndroidConfig {
    var config = AndroidConfig()
    var ignored = DiagnosticCollector()
    _ = fields(filling: .none.preservingReferences).read(root, into: &config, &ignored)
    return config
  }

  /// The components of the redirect URI.
  package var redirect: AndroidRedirect? { redirectURI.map(AndroidRedirect.init) }

  /// Whether MSAL uses a broker, which requires a redirect URI with the package name and the signature hash.
  package var usesBroker: Bool { brokerRedirectRegistered?.value ?? true }

  /// The default entry, or the first one if no entry is marked as the default.
  package var defaultAuthority: AuthorityEntry? {
    guard let entries = authorities?.value else { return nil }
    return (entries.first { $0.value.isDefault?.value == true } ?? entries.first)?.value
  }
}
