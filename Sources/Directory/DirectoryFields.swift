import Documents
import IdentityPlatform
import OrderedCollections

// The keys of a directory file, each declared once. A list of records merges by its identity, so that reading a second
// document into a directory lays it over the first: a scenario's `directory:` over its workflow's.

extension Lifetimes {
  package static let fields = Fields<Lifetimes>(
    "lifetimes",
    [
      Field("accessToken", .duration, into: \.accessToken, default: "1h", "how long access tokens are good"),
      Field(
        "extendedAccessToken", .duration, into: \.extendedAccessToken,
        "how long access tokens may serve while the service is down; no longer than they are good by default"),
      Field(
        "continuousAccessToken", .duration, into: \.continuousAccessToken, default: "1d",
        "access tokens of clients that handle claims challenges (cp1)"),
      Field("idToken", .duration, into: \.idToken, default: "1h", "how long id tokens are good"),
      Field(
        "refreshToken", .duration, into: \.refreshToken, default: "90d",
        "refresh tokens; each use starts the time anew"),
      Field(
        "refreshTokenMaximum", .duration, into: \.refreshTokenMaximum,
        "the greatest age of a chain of refresh tokens; left out: none"),
      Field(
        "singlePageRefreshToken", .duration, into: \.singlePageRefreshToken, default: "1d",
        "refresh tokens of single-page apps, counted from the sign-in"),
      Field("authorizationCode", .duration, into: \.authorizationCode, default: "10m", "authorization codes"),
      Field("deviceCode", .duration, into: \.deviceCode, default: "15m", "device codes"),
      Field(
        "deviceCodeInterval", .duration, into: \.deviceCodeInterval, default: "5s", "time between two polls"),
      Field("session", .duration, into: \.session, default: "90d", "the browser's session"),
    ])
}

extension User.MultiFactor {
  package static let codec = Codec<User.MultiFactor>(
    expecting: "push, or a mapping {totp: SEED}",
    schema: [
      "anyOf": [
        ["const": "push"],
        [
          "type": "object", "properties": ["totp": ["type": "string"]], "required": ["totp"],
          "additionalProperties": false,
        ],
      ]
    ]
  ) { node in
    if node.string == "push" { return .push }
    guard node.count == 1, let seed = node["totp"]?.string, !seed.isEmpty else { return nil }
    return .totp(seed: seed)
  }
}

extension User {
  package static let fields = Fields<User>(
    "a user",
    [
      Field("username", .nonEmptyString, into: \.username, required: true, "the name to sign in with"),
      Field("id", .nonEmptyString, into: \.id, "the object id; derived from the names where it is left out"),
      Field("password", .string, into: \.password, "obviously fake, please; left out: nobody can sign in with one"),
      Field("displayName", .string, into: \.displayName, "the name to show"),
      Field("givenName", .string, into: \.givenName, "Graph's givenName"),
      Field("surname", .string, into: \.surname, "Graph's surname"),
      Field("mail", .string, into: \.mail, "the mail address; left out: the account has none"),
      Field("jobTitle", .string, into: \.jobTitle, "Graph's jobTitle"),
      Field("department", .string, into: \.department, "Graph's department"),
      Field("officeLocation", .string, into: \.officeLocation, "Graph's officeLocation"),
      Field("mobilePhone", .string, into: \.mobilePhone, "Graph's mobilePhone"),
      Field("businessPhones", .list(of: .string), into: \.businessPhones, "Graph's businessPhones"),
      Field("preferredLanguage", .string, into: \.preferredLanguage, "Graph's preferredLanguage"),
      Field("city", .string, into: \.city, "Graph's city"),
      Field("country", .string, into: \.country, "Graph's country"),
      Field("role", .enumeration(), into: \.role, default: "member", "member, or admin, who may consent for all"),
      Field("mfa", MultiFactor.codec, into: \.mfa, "the second factor asked at every new sign-in"),
      Field("passwordExpired", .bool, into: \.passwordExpired, default: false, "the next sign-in needs a new password"),
      Field("disabled", .bool, into: \.disabled, default: false, "the account cannot sign in"),
      Field("risk", .enumeration(), into: \.risk, default: "none", "none, or high: a second factor is demanded"),
      Field("guestIn", .listOrOne(of: .string), into: \.guestIn, "tenants that have invited this user"),
      Field("manager", .string, into: \.manager, "the username of the manager"),
      Field("memberOf", .listOrOne(of: .string), into: \.memberOf, "names of groups"),
      Field("photo", .bool, into: \.photo, default: false, "whether a photo is served"),
      Field("messages", .list(of: .any), into: \.messages, "mail to start with, as Graph's message resources"),
      Field("events", .list(of: .any), into: \.events, "calendar to start with, as Graph's event resources"),
      Field("contacts", .list(of: .any), into: \.contacts, "contacts to start with, as Graph's contact resources"),
      Field("properties", .map(of: .any), into: \.properties, "further properties of Graph's user resource"),
    ])
}

extension Group {
  package static let fields = Fields<Group>(
    "a group",
    [
      Field("name", .nonEmptyString, into: \.name, required: true, "the group's display name"),
      Field("id", .nonEmptyString, into: \.id, "the object id; derived where it is left out"),
      Field("description", .string, into: \.description, "what the group is for"),
      Field("mail", .string, into: \.mail, "the group's mail address"),
    ])
}

extension AccessPolicy.Selection {
  package static let codec = Codec<AccessPolicy.Selection>(
    expecting: "all, or a list of names",
    schema: ["anyOf": [["type": "string"], ["type": "array", "items": ["type": "string"]]]]
  ) { node in
    if let word = node.string { return word == "all" ? .all : .listed([word]) }
    guard node.kind == .array else { return nil }
    let names = node.elements.compactMap(\.string)
    guard names.count == node.count else { return nil }
    return names.contains("all") ? .all : .listed(names)
  }
}

extension AccessPolicy {
  private static let scopeFields = Fields<AccessPolicy>(
    "a policy's `for`",
    [
      Field("users", Selection.codec, into: \.users, default: "all", "all, or usernames"),
      Field("apps", Selection.codec, into: \.apps, default: "all", "all, or client ids, or ids and URIs of APIs"),
    ])

  package static let fields = Fields<AccessPolicy>(
    "a policy",
    [
      Field("name", .nonEmptyString, into: \.name, required: true, "what people call the policy"),
      Field("id", .nonEmptyString, into: \.id, "the policy's GUID; derived where it is left out"),
      Field("for", schema: scopeFields.schema, "whom it concerns: {users: all, apps: all}") { node, policy, problems in
        _ = scopeFields.read(node, into: &policy, &problems)
      },
      Field("require", .enumeration(), into: \.require, "what a sign-in must satisfy"),
      Field(
        "signInFrequency", .duration, into: \.signInFrequency, "the longest time since the user last signed in"),
      Field(
        "challengeWith", .enumeration(), into: \.challengeWith, default: "signIn",
        "where it is asked for: at signIn, or by the API with a claims challenge"),
    ])
}

extension Tenant {
  private static let guid: Codec<String> = .nonEmptyString.flatMap { text, node, problems -> String? in
    guard GUIDText.isWellFormed(text) else {
      problems.error("no-guid", "a tenant's id is a GUID such as 11111111-2222-4333-8444-555555555555", at: node)
      return nil
    }
    return text
  }

  package static let fields = Fields<Tenant>(
    "a tenant",
    [
      Field("name", .nonEmptyString, into: \.name, "the organization's name"),
      Field("id", guid, into: \.id, "the tenant's GUID; derived from the name where it is left out"),
      Field("domains", .listOrOne(of: .nonEmptyString), into: \.domains, "verified domains, the default one first"),
      Field(
        "cloud", .nonEmptyString, into: \.cloud,
        "the national cloud it lives in; left out: whichever it is asked for in"),
      Field("kind", .enumeration(), into: \.kind, "work, personal, b2c or external; told by the rest where left out"),
      Field(
        "userConsent", .enumeration(), into: \.userConsent, default: "all",
        "who may consent: all users, or none without an administrator"),
      Field(
        "staySignedIn", .enumeration(), into: \.staySignedIn, default: "always",
        "whether the browser's session outlives the browser: always, never, or what the user says (ask)"),
      .merging(
        "users", User.fields, empty: User(), into: \.users, sameAs: [\.username, \.id], "who has an account here"),
      .merging("groups", Group.fields, empty: Group(), into: \.groups, sameAs: [\.name, \.id], "groups of users"),
      .merging(
        "policies", AccessPolicy.fields, empty: AccessPolicy(), into: \.policies, sameAs: [\.name, \.id],
        "conditional access in miniature"),
      Field("userFlows", .listOrOne(of: .nonEmptyString), into: \.userFlows, "B2C user flows"),
      Field(
        "federatedDomains", .listOrOne(of: .nonEmptyString), into: \.federatedDomains,
        "domains that user realm discovery calls federated"),
    ])
}

extension RegisteredApp {
  /// A redirect URI that no browser takes for a page or a script in itself.
  private static let redirect: Codec<String> = .nonEmptyString.flatMap { text, node, problems -> String? in
    let scheme = text.prefix { $0 != ":" }.filter { !$0.isWhitespace }.lowercased()
    guard !["javascript", "data", "vbscript"].contains(scheme) else {
      problems.error("unsafe-redirect", "a redirect URI cannot have the scheme \(scheme):", at: node)
      return nil
    }
    return text
  }

  /// A platform's block of an app registration, with its redirect URIs.
  private static func platform(
    _ key: String, into path: any WritableKeyPath<RegisteredApp, [String]> & Sendable, _ words: String
  ) -> Field<RegisteredApp> {
    let fields = Fields<RegisteredApp>(
      "`\(key)`", [Field("redirectUris", .listOrOne(of: redirect), into: path, "where answers may go")])
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

  /// Reads a list of names, or the manifest's `{idToken: [{name: …}], accessToken: […]}`.
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
      Field("appId", .nonEmptyString, into: \.appId, aliases: ["clientId"], required: true, "the client id"),
      Field("name", .string, into: \.name, "the name that the consent page shows"),
      Field(
        "audience", .enumeration(), into: \.audience, aliases: ["signInAudience"],
        default: "AzureADandPersonalMicrosoftAccount", "who may sign in"),
      Field("tenant", .nonEmptyString, into: \.tenant, "the tenant that registered it; default: the first"),
      platform("publicClient", into: \.publicRedirectUris, "mobile and desktop redirect URIs"),
      platform("spa", into: \.spaRedirectUris, "redirect URIs of single-page apps"),
      platform("web", into: \.webRedirectUris, "redirect URIs of web apps"),
      Field("logoutUrl", .string, into: \.logoutUrl, "called in a hidden frame when a session ends"),
      Field("secrets", .listOrOne(of: .nonEmptyString), into: \.secrets, "client secrets; they make it confidential"),
      Field("expiredSecrets", .listOrOne(of: .nonEmptyString), into: \.expiredSecrets, "secrets past their time"),
      Field(
        "certificates", .listOrOne(of: .nonEmptyString), into: \.certificates,
        "certificates or public keys (PEM) for assertions"),
      Field(
        "allowPublicClient", .bool, into: \.allowPublicClient,
        "whether device code and password flows need no secret; without it they need one if the app is listed here"),
      Field("permissions", .listOrOne(of: .nonEmptyString), into: \.permissions, "static permissions, as scopes"),
      Field("roles", .listOrOne(of: .nonEmptyString), into: \.roles, "granted application permissions"),
      Field("consent", .map(of: .listOrOne(of: .string)), into: \.consent, "what users have consented to, by username"),
      Field(
        "adminConsent", .listOrOne(of: .nonEmptyString), into: \.adminConsent, "what an admin consented to for all"),
      Field("family", .bool, into: \.family, default: false, "member of Microsoft's family of client ids"),
      Field("disabled", .bool, into: \.disabled, default: false, "nobody can sign in to it (AADSTS7000112)"),
      Field("assignedUsers", .listOrOne(of: .string), into: \.assignedUsers, "only these may sign in"),
      Field("implicitIdTokens", .bool, into: \.implicitIdTokens, default: false, "id tokens straight from authorize"),
      Field(
        "implicitAccessTokens", .bool, into: \.implicitAccessTokens, default: false,
        "access tokens straight from authorize"),
      Field("optionalClaims", schema: optionalClaimsSchema, "optional claims: a list, or as in an app manifest") {
        node, app, problems in
        readOptionalClaims(node, into: &app, &problems)
      },
      Field(
        "accessTokenClaims", .listOrOne(of: .string), into: \.accessTokenClaims,
        "optional claims of access tokens for the app's own API"),
      Field(
        "groupMembershipClaims", .enumeration(), into: \.groupMembershipClaims, default: "None",
        "which memberships tokens list"),
      Field(
        "userRoles", .map(of: .listOrOne(of: .string)), into: \.userRoles, "app roles of users, by username"),
    ])
}

extension ResourceAPI {
  private static let scopeFields = Fields<Scope>(
    "a scope",
    [
      Field("name", .nonEmptyString, into: \.name, required: true, "the scope's name, without the API's URI"),
      Field("adminOnly", .bool, into: \.adminOnly, default: false, "only an administrator may consent"),
    ])

  private static let scopeCodec = Codec<Scope>(
    expecting: "a scope's name, or a mapping {name, adminOnly}",
    schema: ["anyOf": [["type": "string"], scopeFields.schema]]
  ) { node, problems in
    if let name = node.string { return Scope(name) }
    var scope = Scope()
    return scopeFields.read(node, into: &scope, &problems) ? scope : nil
  }

  package static let fields = Fields<ResourceAPI>(
    "an API",
    [
      Field("name", .string, into: \.name, "the name that the consent page shows"),
      Field("appId", .nonEmptyString, into: \.appId, "the API's client id; derived where it is left out"),
      Field("uris", .listOrOne(of: .nonEmptyString), into: \.uris, aliases: ["uri"], "identifier URIs"),
      Field("scopes", .listOrOne(of: scopeCodec), into: \.scopes, "delegated permissions"),
      Field("roles", .listOrOne(of: .nonEmptyString), into: \.roles, "application permissions"),
      Field(
        "tokenVersion", .integer(in: 1...2), into: \.tokenVersion,
        "requestedAccessTokenVersion; without it 1, or 2 if the app with this id allows personal accounts"),
      Field(
        "continuousAccess", .bool, into: \.continuousAccess, default: false, "evaluates access continuously (CAE)"),
      Field("answers", .map(of: .any), into: \.answers, "what it answers, by absolute URL"),
      Field(
        "preauthorizedOnly", .listOrOne(of: .nonEmptyString), into: \.preauthorizedOnly,
        "client ids that get tokens, and no others do; left out: everybody"),
    ])
}

extension EmulatedDirectory {
  package static let fields = Fields<EmulatedDirectory>(
    "a directory",
    [
      Field("directory", .integer(in: 1...1), into: \.version, "version of this format: 1"),
      Field("$schema", .string, into: \.schema, "for editors"),
      Field("name", .nonEmptyString, into: \.name, "under which its state is kept beside the cache"),
      Field(
        "extends", schema: ["enum": ["contoso"]], "the built-in directory that this one is laid over; first of all keys"
      ) { node, directory, problems in
        guard node.string == "contoso" else {
          problems.error("unknown-directory", "the only built-in directory is \"contoso\"", at: node)
          return
        }
        // What was read before stays on top only where lists merge; the key is therefore asked to come first.
        if directory.tenants.isEmpty { directory = .contoso }
      },
      .merging(
        "tenants", Tenant.fields, empty: Tenant(), into: \.tenants, sameAs: [\.id, \.name], "organizations and others"),
      .merging(
        "apps", RegisteredApp.fields, empty: RegisteredApp(), into: \.apps, sameAs: [\.appId],
        onceAs: "an app of this appId",
        "app registrations; left out: any client id is registered when first seen"),
      .merging(
        "resources", ResourceAPI.fields, empty: ResourceAPI(), into: \.resources, sameAs: [\.appId, \.firstURI],
        "APIs beside Microsoft Graph"),
      Field("lifetimes", schema: Lifetimes.fields.schema, "how long tokens are good") { node, directory, problems in
        _ = Lifetimes.fields.read(node, into: &directory.lifetimes, &problems)
      },
      Field("device", .enumeration(), into: \.device, default: "default", "default, or shared"),
      Field("graph", .map(of: .any), into: \.graph, "data for Graph paths that the built-in subset lacks"),
      Field("keys", .listOrOne(of: .nonEmptyString), into: \.keys, "RSA keys (PKCS#8 PEM) that sign, newest first"),
      Field(
        "registersOnTheFly", .bool, into: \.registersOnTheFlyAsDeclared, default: false,
        "register unknown apps, tenants, policies and APIs when first seen"),
      Field(
        "loopGuard", .bool, into: \.loopGuard, default: false,
        "refuse the sixteenth equal token request within five minutes"),
    ])

  /// The file's format version, read and checked only.
  private var version: Int {
    get { 1 }
    set {}
  }
  private var registersOnTheFlyAsDeclared: Bool {
    get { registersOnTheFly }
    set {
      registersOnTheFly = newValue
      saysWhatIsRegistered = true
    }
  }
  /// The editor's hint, read past.
  private var schema: String {
    get { "" }
    set {}
  }

  /// Reads a directory document.
  /// - Parameter base: what it is laid over, as a scenario's directory over its workflow's; nil: it stands alone, and
  ///   nothing is registered on the fly unless it says so.
  /// - Returns: nil where it is no mapping; the problems are told either way.
  package static func read(
    _ node: Node, over base: EmulatedDirectory? = nil, _ problems: inout DiagnosticCollector
  ) -> EmulatedDirectory? {
    var directory = base ?? EmulatedDirectory()
    if base == nil { directory.registersOnTheFly = false }
    guard fields.read(node, into: &directory, &problems) else { return nil }
    directory.checkReferences(of: node, &problems)
    return directory.completed()
  }
}

extension ResourceAPI {
  fileprivate var firstURI: String { uris.first ?? "" }
}
