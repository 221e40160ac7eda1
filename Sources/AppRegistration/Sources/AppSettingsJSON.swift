import DeclaredFields
import Diagnostics
import Documents
import IdentityPlatform

/// The `AzureAd` section of ASP.NET Core's appsettings, as far as it says what settings say.
package struct AzureAdSection: Sendable {
  package var instance: Located<String>?
  package var tenantID: Located<String>?
  package var domain: Located<String>?
  package var clientID: Located<String>?
  package var authority: Located<String>?
  package var scopes: Located<[Located<String>]>?
  package var redirectURI: Located<String>?
  package var clientCapabilities: Located<[Located<String>]>?
  package var cloud: Located<String>?
  package var audience: Located<String>?
  package var policy: Located<String>?
  package var clientSecret: Located<String>?

  package static let fields = fields(filling: .none)

  static func fields(filling definitions: Definitions) -> Fields<AzureAdSection> {
    let text = Codec<String>.text(filling: definitions)
    return Fields(
      "the AzureAd section", matching: .ignoringCase, unknownKeys: .foreign,
      [
        Field("Instance", text.located, into: \.instance, "the login host, with https:// before and / after"),
        Field("TenantId", text.located, into: \.tenantID, "the tenant, or common, organizations, consumers"),
        Field("Domain", text.located, into: \.domain, "the tenant's domain"),
        Field("ClientId", text.located, into: \.clientID, required: true, "the application (client) id"),
        Field("Authority", text.located, into: \.authority, "the authority, in place of Instance and TenantId"),
        Field(
          "Scopes", Codec<[Located<String>]>.words(text).located, into: \.scopes, "permissions, separated by spaces"),
        Field("RedirectUri", text.located, into: \.redirectURI, "where the answer comes back"),
        Field(
          "ClientCapabilities", Codec<[Located<String>]>.words(text).located, into: \.clientCapabilities,
          "what the app can do: cp1 for claims challenges"),
        Field("AzureCloudInstance", text.located, into: \.cloud, "the national cloud"),
        Field("AadAuthorityAudience", text.located, into: \.audience, "whose accounts may sign in"),
        Field("SignUpSignInPolicyId", text.located, into: \.policy, "the B2C user flow that signs in"),
        Field(
          "ClientSecret", text.located, into: \.clientSecret,
          "the secret of a confidential app; a public client has none"),
      ])
  }

  /// The section of a document: the first key that begins with `AzureAd`.
  static func section(of root: Node) -> Node? {
    for (key, value) in root.entries
    where key.string?.lowercased().hasPrefix("azuread") == true && value.kind == .mapping {
      return value
    }
    return nil
  }

  /// The settings that it amounts to.
  func settings(_ problems: inout Problems) -> AppSettings {
    var settings = AppSettings()
    settings.appID = clientID
    settings.scopes = scopes
    settings.clientCapabilities = clientCapabilities
    settings.redirectURI = redirectURI
    settings.cloud = read(cloud, "cloud", among: Cloud.allCases.map(\.rawValue), &problems) { Cloud(named: $0) }
    settings.audience = read(audience, "audience", among: Audience.allCases.map(\.rawValue), &problems) {
      Audience(named: $0)
    }
    if let authority {
      settings.authority = authority
      return settings
    }
    guard let instance else {
      settings.tenantID = tenantID
      return settings
    }
    let host = instance.value.hasSuffix("/") ? String(instance.value.dropLast()) : instance.value
    if let policy {
      let tenant = (domain ?? tenantID)?.value ?? ""
      settings.authority = Located("\(host)/tfp/\(tenant)/\(policy.value)", at: instance.place)
    } else {
      let tenant = tenantID ?? domain
      settings.authority = Located("\(host)/\(tenant?.value ?? "common")", at: tenant?.place ?? instance.place)
    }
    return settings
  }

  private func read<Value>(
    _ text: Located<String>?, _ name: String, among words: [String], _ problems: inout Problems,
    _ meaning: (String) -> Value?
  ) -> Located<Value>? {
    guard let text, text.value.lowercased() != "none" else { return nil }
    if let value = meaning(text.value) { return Located(value, at: text.place) }
    problems.add(
      Diagnostic(
        .error, rule: "unknown-value", "\"\(text.value)\" is no \(name)",
        help: "write one of \(words.joined(separator: ", "))", at: text.place))
    return nil
  }
}
