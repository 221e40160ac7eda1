import Diagnostics
import Documents
import IdentityPlatform

/// An `AzureAd` section of ASP.NET Core's appsettings, as far as it says what settings say.
package struct AzureAdSection: Sendable {
  /// Values without which a section may well be whole: they may come from user secrets, the environment or a key vault.
  package var instance: Positioned<String>?
  package var tenantID: Positioned<String>?
  package var domain: Positioned<String>?
  package var clientID: Positioned<String>?
  package var authority: Positioned<String>?
  package var scopes: Positioned<[Positioned<String>]>?
  package var redirectURI: Positioned<String>?
  package var clientCapabilities: Positioned<[Positioned<String>]>?
  package var cloud: Positioned<String>?
  package var audience: Positioned<String>?
  /// The user flow that signs in: `SignUpSignInPolicyId`.
  package var policy: Positioned<String>?
  package var clientSecret: Positioned<String>?
  /// Every policy by its key, `SignUpSignInPolicyId` among them.
  package var policies: [(key: String, value: Positioned<String>)] = []
  /// Every path at which the app answers, by its key: `CallbackPath` and its like.
  package var paths: [(key: String, value: Positioned<String>)] = []
  /// `SourceType` of every entry of `ClientCredentials`, `ClientCertificates` and the lists for decryption.
  package var sourceTypes: [Positioned<String>] = []
  /// The APIs for which it is written that tokens name it as their audience: `Audience`, and each of `Audiences`.
  package var audiences: [Positioned<String>] = []
  /// The section as a whole; the mapping that holds its keys where they are written as `AzureAd:ClientId`.
  package var node: Node?
  /// Where its key stands.
  package var name: Positioned<String>?

  package static let fields = fields(filling: .none)

  static func fields(filling definitions: Definitions) -> Fields<AzureAdSection> {
    let text = Codec<String>.text(filling: definitions)
    return Fields(
      "the AzureAd section", matching: .ignoringCase, unknownKeys: .foreign,
      identity(text) + policies(text) + paths(text) + credentials(text) + passedOver)
  }

  private static func identity(_ text: Codec<String>) -> [Field<AzureAdSection>] {
    [
      Field("Instance", text.located, into: \.instance, "the login host, with https:// before and / after"),
      Field("TenantId", text.located, into: \.tenantID, "the tenant, or common, organizations, consumers"),
      Field("Domain", text.located, into: \.domain, "the tenant's domain"),
      Field("ClientId", text.located, into: \.clientID, required: true, "the application (client) id"),
      Field("Authority", text.located, into: \.authority, "the authority, in place of Instance and TenantId"),
      Field(
        "Scopes", Codec<[Positioned<String>]>.words(text).located, into: \.scopes, "permissions, separated by spaces"),
      Field("RedirectUri", text.located, into: \.redirectURI, "where the answer comes back"),
      Field(
        "ClientCapabilities", Codec<[Positioned<String>]>.words(text).located, into: \.clientCapabilities,
        "what the app can do: cp1 for claims challenges"),
      Field("AzureCloudInstance", text.located, into: \.cloud, "the national cloud"),
      Field("AadAuthorityAudience", text.located, into: \.audience, "whose accounts may sign in"),
      Field(
        "ClientSecret", text.located, into: \.clientSecret,
        "the secret of a confidential app; a public client has none"),
      audienceField("Audience", text), audienceField("Audiences", text),
    ]
  }

  private static func audienceField(_ key: String, _ text: Codec<String>) -> Field<AzureAdSection> {
    Field(key, schema: true, "for whom an API's tokens are") { node, section, problems in
      for value in node.kind == .array ? Array(node.elements) : [node] where value.kind == .string {
        if let value = text.located.read(value, &problems) { section.audiences.append(value) }
      }
    }
  }

  private static func policies(_ text: Codec<String>) -> [Field<AzureAdSection>] {
    let keys: [(String, String)] = [
      ("SignUpSignInPolicyId", "the B2C user flow that signs in"), ("DefaultPolicy", "the B2C user flow that signs in"),
      ("ResetPasswordPolicyId", "the B2C user flow for a forgotten password"),
      ("EditProfilePolicyId", "the B2C user flow for the profile"),
    ]
    return keys.map { key, words in
      Field(key, schema: ["type": "string"], words) { node, section, problems in
        guard let value = text.located.read(node, &problems) else { return }
        section.policies.append((key, value))
        if key == "SignUpSignInPolicyId" { section.policy = value }
      }
    }
  }

  private static func paths(_ text: Codec<String>) -> [Field<AzureAdSection>] {
    let keys: [(String, String)] = [
      ("CallbackPath", "where the sign-in's answer comes back: /signin-oidc"),
      ("SignedOutCallbackPath", "where the browser comes back after sign-out: /signout-callback-oidc"),
      ("RemoteSignOutPath", "where the platform asks for sign-out"),
      ("ResetPasswordPath", "where a forgotten password leads"), ("ErrorPath", "where errors lead"),
      ("AccessDeniedPath", "where people go who may not sign in"),
    ]
    return keys.map { key, words in
      Field(key, schema: ["type": "string"], words) { node, section, problems in
        if let value = text.located.read(node, &problems) { section.paths.append((key, value)) }
      }
    }
  }

  private static func credentials(_ text: Codec<String>) -> [Field<AzureAdSection>] {
    ["ClientCredentials", "ClientCertificates", "TokenDecryptionCredentials", "TokenDecryptionCertificates"].map {
      key in
      Field(key, schema: ["type": "array"], "what the app proves itself with") { node, section, problems in
        // A single certificate may stand there without a list, as the environment would give it.
        let entries = node.kind == .array ? Array(node.elements) : [node]
        for entry in entries {
          guard let type = entry["SourceType"], type.string != nil, let value = text.located.read(type, &problems)
          else {
            continue
          }
          section.sourceTypes.append(value)
        }
      }
    }
  }

  /// Keys that Microsoft.Identity.Web reads and that are of no concern here; named so that none is taken for a misspelling.
  private static let passedOver: [Field<AzureAdSection>] = [
    "SendX5C", "AzureRegion", "ExtraQueryParameters", "ShowPII", "EnablePiiLogging",
    "WithSpaAuthCode", "AllowWebApiToBeAuthorizedByACL", "UserAssignedManagedIdentityClientId",
    "LegacyCacheCompatibilityEnabled", "ClientName", "ClientVersion", "ValidateAuthority", "ClientIds", "TenantName",
    "ClientAssertion", "ResponseType", "SaveTokens", "Prompt", "DomainHint", "Authorities", "Issuer", "Resource",
    "ResourceId", "AppIdUri", "AppIDURL", "BaseUrl", "Scope", "TenantIds", "ApiClientId", "ObjectId",
    "CallbackUri", "CallbackUrl", "ClientCertificate", "Name", "Secret", "ClientApp", "Policy", "Enabled",
  ].map { key in Field(key, schema: true, "read by others") { _, _, _ in } }
}

extension AzureAdSection {
  /// Whether it is for Azure AD B2C: it names a user flow, or a host of B2C's.
  package var isB2C: Bool {
    policies.contains { !$0.value.isBlank } || Authority.hasB2CHost(host ?? "")
  }

  /// The host that `Instance`, or else `Authority`, names.
  package var host: String? { (instance ?? authority).flatMap { URLParts($0.value)?.host } }

  /// The settings that it amounts to.
  func settings(_ problems: inout DiagnosticCollector) -> AppSettings {
    var settings = AppSettings()
    settings.appIDKey = "ClientId"
    settings.appID = clientID
    // An API's own scopes, which callers must bring, are written under the same key; only those with an address, or of Graph,
    // are asked for.
    if let scopes, scopes.value.allSatisfy({ $0.value.contains("/") || GraphPermission.named($0.value) != nil }) {
      settings.scopes = scopes
    }
    settings.clientCapabilities = clientCapabilities
    settings.redirectURI = redirectURI
    // Neither .NET nor a web app holds its redirect URI to a bundle id, and B2C's hosts are believed.
    settings.bypassRedirectURIValidation = redirectURI.map { Positioned(true, at: $0.place) }
    if policy != nil { settings.validateAuthority = instance.map { Positioned(false, at: $0.place) } }
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
    var host = instance.value[...]
    while host.hasSuffix("/") { host = host.dropLast() }
    if host.hasSuffix("/tfp") { host = host.dropLast(4) }
    if let policy {
      let tenant = (domain ?? tenantID)?.value ?? ""
      settings.authority = Positioned("\(host)/tfp/\(tenant)/\(policy.value)", at: instance.place)
    } else {
      let tenant = tenantID ?? domain
      settings.authority = Positioned("\(host)/\(tenant?.value ?? "common")", at: tenant?.place ?? instance.place)
    }
    return settings
  }

  private func read<Value>(
    _ text: Positioned<String>?, _ name: String, among words: [String], _ problems: inout DiagnosticCollector,
    _ meaning: (String) -> Value?
  ) -> Positioned<Value>? {
    guard let text, text.value.lowercased() != "none" else { return nil }
    if let value = meaning(text.value) { return Positioned(value, at: text.place) }
    problems.add(
      Diagnostic(
        .error, rule: "unknown-value", "\"\(text.value)\" is no \(name)",
        help: "write one of \(words.joined(separator: ", "))", at: text.place))
    return nil
  }
}
