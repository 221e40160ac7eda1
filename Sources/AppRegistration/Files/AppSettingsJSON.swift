import Diagnostics
import Documents
import Effects
import IdentityPlatform

/// An `AzureAd` section of an ASP.NET Core appsettings file, limited to the keys that affect settings and rules.
package struct AzureAdSection: Sendable {
  /// May be nil in a complete section: user secrets, the environment, or a key vault can contain the value.
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
  /// The user flow for sign-in (`SignUpSignInPolicyId`).
  package var policy: Positioned<String>?
  package var clientSecret: Positioned<String>?
  /// All policies by key, including `SignUpSignInPolicyId`.
  package var policies: [(key: String, value: Positioned<String>)] = []
  /// All paths of the app by key, such as `CallbackPath`.
  package var paths: [(key: String, value: Positioned<String>)] = []
  /// The `SourceType` of each entry in `ClientCredentials`, `ClientCertificates`, and the decryption lists.
  package var sourceTypes: [Positioned<String>] = []
  /// The token audiences that the API accepts: `Audience` and `Audiences`.
  package var audiences: [Positioned<String>] = []
  /// The section, or the mapping that contains the section's keys if they have a prefix, as in `AzureAd:ClientId`.
  package var node: Node?
  /// The name of the section with the location of its key.
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
      Field(
        "Instance", text.located, into: { $0.instance = $1 },
        "URL of the login host, such as `https://login.microsoftonline.com/`"),
      Field(
        "TenantId", text.located, into: { $0.tenantID = $1 }, "tenant, or `common`, `organizations`, or `consumers`"),
      Field("Domain", text.located, into: { $0.domain = $1 }, "domain of the tenant"),
      Field("ClientId", text.located, into: { $0.clientID = $1 }, required: true, "application (client) ID"),
      Field("Authority", text.located, into: { $0.authority = $1 }, "authority; replaces `Instance` and `TenantId`"),
      Field(
        "Scopes", Codec<[Positioned<String>]>.separatedStrings(text).located, into: { $0.scopes = $1 },
        "permissions separated by spaces"),
      Field("RedirectUri", text.located, into: { $0.redirectURI = $1 }, "redirect URI"),
      Field(
        "ClientCapabilities", Codec<[Positioned<String>]>.separatedStrings(text).located,
        into: { $0.clientCapabilities = $1 },
        "client capabilities, such as `cp1` for claims challenges"),
      Field("AzureCloudInstance", text.located, into: { $0.cloud = $1 }, "national cloud"),
      Field("AadAuthorityAudience", text.located, into: { $0.audience = $1 }, "accounts that can sign in"),
      Field(
        "ClientSecret", text.located, into: { $0.clientSecret = $1 },
        "client secret; only for confidential clients"),
      audienceField("Audience", text), audienceField("Audiences", text),
    ]
  }

  private static func audienceField(_ key: String, _ text: Codec<String>) -> Field<AzureAdSection> {
    Field(key, schema: true, "token audiences that the API accepts") { node, section, problems in
      for value in node.kind == .array ? Array(node.elements) : [node] where value.kind == .string {
        if let value = text.located.read(value, &problems) { section.audiences.append(value) }
      }
    }
  }

  private static func policies(_ text: Codec<String>) -> [Field<AzureAdSection>] {
    let keys: [(String, String)] = [
      ("SignUpSignInPolicyId", "B2C user flow for sign-in"), ("DefaultPolicy", "B2C user flow for sign-in"),
      ("ResetPasswordPolicyId", "B2C user flow for password reset"),
      ("EditProfilePolicyId", "B2C user flow for profile editing"),
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
      ("CallbackPath", "path of the redirect URI, such as `/signin-oidc`"),
      ("SignedOutCallbackPath", "path after sign-out, such as `/signout-callback-oidc`"),
      ("RemoteSignOutPath", "path for front-channel sign-out requests"),
      ("ResetPasswordPath", "path for password reset"), ("ErrorPath", "path for errors"),
      ("AccessDeniedPath", "path for users without access"),
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
      Field(key, schema: ["type": "array"], "credentials of the app") { node, section, problems in
        // A single certificate may be specified without a list, as in environment variables.
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

  /// Keys that Microsoft.Identity.Web reads and authflow ignores. They are declared so that they are not reported as
  /// misspellings.
  private static let passedOver: [Field<AzureAdSection>] = [
    "SendX5C", "AzureRegion", "ExtraQueryParameters", "ShowPII", "EnablePiiLogging",
    "WithSpaAuthCode", "AllowWebApiToBeAuthorizedByACL", "UserAssignedManagedIdentityClientId",
    "LegacyCacheCompatibilityEnabled", "ClientName", "ClientVersion", "ValidateAuthority", "ClientIds", "TenantName",
    "ClientAssertion", "ResponseType", "SaveTokens", "Prompt", "DomainHint", "Authorities", "Issuer", "Resource",
    "ResourceId", "AppIdUri", "AppIDURL", "BaseUrl", "Scope", "TenantIds", "ApiClientId", "ObjectId",
    "CallbackUri", "CallbackUrl", "ClientCertificate", "Name", "Secret", "ClientApp", "Policy", "Enabled",
  ].map { key in Field(key, schema: true, "used by other libraries") { _, _, _ in } }
}

extension AzureAdSection {
  /// Whether the section is for Azure AD B2C: it has a user flow or a B2C host.
  package var isB2C: Bool {
    policies.contains { !$0.value.isBlank } || Authority.hasB2CHost(host ?? "")
  }

  /// The host of `Instance`, or of `Authority` if `Instance` is missing.
  package var host: String? { (instance ?? authority).flatMap { URLReference(valid: $0.value)?.host } }

  /// Returns the equivalent settings.
  func settings(_ problems: inout DiagnosticCollector) -> AppSettings {
    var settings = AppSettings()
    settings.appIDKey = "ClientId"
    settings.appID = clientID
    // An API uses the same key for the scopes that it requires from its callers. The app requests only scopes that are
    // URIs or belong to Microsoft Graph.
    if let scopes, scopes.value.allSatisfy({ $0.value.contains("/") || GraphPermission.named($0.value) != nil }) {
      settings.scopes = scopes
    }
    settings.clientCapabilities = clientCapabilities
    settings.redirectURI = redirectURI
    // .NET and web apps have no bundle ID to compare with the redirect URI, and B2C hosts are trusted.
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
        .error, rule: "unknown-value", "unknown \(name) `\(text.value)`",
        help: "use one of \(words.map { "`\($0)`" }.joined(separator: ", "))", at: text.place))
    return nil
  }
}
