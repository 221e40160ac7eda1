import Documents
import IdentityPlatform
import OrderedCollections

extension RegisteredApp {
  /// The codec for a redirect URI. Rejects schemes whose URLs browsers would display as a page or execute as a script.
  private static let redirect: Codec<String> = .nonEmptyString.flatMap { text, node, problems -> String? in
    let scheme = text.prefix { $0 != ":" }.filter { !$0.isWhitespace }.lowercased()
    guard !["javascript", "data", "vbscript"].contains(scheme) else {
      problems.error("unsafe-redirect", "redirect URI has the unsafe scheme `\(scheme):`", at: node)
      return nil
    }
    return text
  }

  /// Creates a field for a platform in an app registration, with the platform's redirect URIs.
  private static func platform(
    _ key: String, into put: @escaping @Sendable (inout RegisteredApp, [String]) -> Void, _ words: String
  ) -> Field<RegisteredApp> {
    let fields = Fields<RegisteredApp>(
      "`\(key)`", [Field("redirectUris", .listOrOne(of: redirect), into: put, "redirect URIs")])
    return Field(key, schema: fields.schema, words) { node, app, problems in
      _ = fields.read(node, into: &app, &problems)
    }
  }

  private static let optionalClaimsSchema: JSON = {
    let names: JSON = [
      "type": "array", "items": ["anyOf": [["type": "string"], ["type": "object", "required": ["name"]]]],
    ]
    return [
      "anyOf": [
        ["type": "string"], names, ["type": "object", "properties": ["idToken": names, "accessToken": names]],
      ]
    ]
  }()

  /// Decodes optional claims: a list of names, or a mapping as in an app manifest, `{idToken: [{name: …}], accessToken:
  /// […]}`.
  private static func readOptionalClaims(
    _ node: Node, into app: inout RegisteredApp, _ problems: inout DiagnosticCollector
  ) {
    func names(_ list: Node?) -> [String] {
      list?.elements.compactMap { $0.string ?? $0["name"]?.string } ?? []
    }
    switch node.kind {
    case .mapping:
      app.optionalClaims = names(node["idToken"])
      app.accessTokenClaims = names(node["accessToken"])
    case .array: app.optionalClaims = names(node)
    default:
      guard let name = node.string else { return problems.mismatch(node, expected: "a list of claims") }
      app.optionalClaims = [name]
    }
  }

  package static let fields = Fields<RegisteredApp>(
    "an app",
    [
      Field("appId", .nonEmptyString, into: { $0.appId = $1 }, aliases: ["clientId"], required: true, "client ID"),
      Field("name", .string, into: { $0.name = $1 }, "name on the consent page"),
      Field(
        "audience", .enumeration(), into: { $0.audience = $1 }, aliases: ["signInAudience"],
        default: "AzureADandPersonalMicrosoftAccount", "supported account types"),
      Field(
        "tenant", .nonEmptyString, into: { $0.tenant = $1 }, "tenant of the registration; the first tenant by default"),
      platform("publicClient", into: { $0.publicRedirectUris = $1 }, "redirect URIs of mobile and desktop apps"),
      platform("spa", into: { $0.spaRedirectUris = $1 }, "redirect URIs of single-page apps"),
      platform("web", into: { $0.webRedirectUris = $1 }, "redirect URIs of web apps"),
      Field("logoutUrl", .string, into: { $0.logoutUrl = $1 }, "URL for front-channel sign-out"),
      Field(
        "secrets", .listOrOne(of: .nonEmptyString), into: { $0.secrets = $1 },
        "client secrets; they make the client confidential"),
      Field(
        "expiredSecrets", .listOrOne(of: .nonEmptyString), into: { $0.expiredSecrets = $1 }, "expired client secrets"),
      Field(
        "certificates", .listOrOne(of: .nonEmptyString), into: { $0.certificates = $1 },
        "certificates or public keys for client assertions, in PEM format"),
      Field(
        "allowPublicClient", .bool, into: { $0.allowPublicClient = $1 },
        "whether the device code and password flows work without a secret; otherwise, listed apps require one"),
      Field(
        "permissions", .listOrOne(of: .nonEmptyString), into: { $0.permissions = $1 }, "static permissions, as scopes"),
      Field(
        "roles", .listOrOne(of: .nonEmptyString), into: { $0.roles = $1 }, "application permissions with admin consent"),
      Field(
        "consent", .map(of: .listOrOne(of: .string)), into: { $0.consent = $1 },
        "scopes with user consent, by username"),
      Field(
        "adminConsent", .listOrOne(of: .nonEmptyString), into: { $0.adminConsent = $1 },
        "scopes with admin consent"),
      Field(
        "family", .bool, into: { $0.family = $1 }, default: false,
        "whether the app belongs to the family of Microsoft apps that share refresh tokens"),
      Field(
        "disabled", .bool, into: { $0.disabled = $1 }, default: false, "whether the app is disabled (AADSTS7000112)"),
      Field("assignedUsers", .listOrOne(of: .string), into: { $0.assignedUsers = $1 }, "users who can sign in"),
      Field(
        "implicitIdTokens", .bool, into: { $0.implicitIdTokens = $1 }, default: false,
        "whether the authorize endpoint issues ID tokens"),
      Field(
        "implicitAccessTokens", .bool, into: { $0.implicitAccessTokens = $1 }, default: false,
        "whether the authorize endpoint issues access tokens"),
      Field("optionalClaims", schema: optionalClaimsSchema, "optional claims, as a list or as in an app manifest") {
        node, app, problems in
        readOptionalClaims(node, into: &app, &problems)
      },
      Field(
        "accessTokenClaims", .listOrOne(of: .string), into: { $0.accessTokenClaims = $1 },
        "optional claims in access tokens for the app's own API"),
      Field(
        "groupMembershipClaims", .enumeration(), into: { $0.groupMembershipClaims = $1 }, default: "None",
        "group memberships in tokens"),
      Field(
        "userRoles", .map(of: .listOrOne(of: .string)), into: { $0.userRoles = $1 }, "app roles of users, by username"),
    ])
}
