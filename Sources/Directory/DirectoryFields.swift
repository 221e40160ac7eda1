import Documents
import IdentityPlatform
import OrderedCollections

// The keys of a directory file. Reading a second document into a directory overrides records with the same identity.
// For example, a scenario's `directory` overrides the workflow's `directory`.

extension Lifetimes {
  package static let fields = Fields<Lifetimes>(
    "lifetimes",
    [
      Field("accessToken", .duration, into: { $0.accessToken = $1 }, default: "1h", "access token lifetime"),
      Field(
        "extendedAccessToken", .duration, into: { $0.extendedAccessToken = $1 },
        "access token lifetime during an outage; not extended by default"),
      Field(
        "continuousAccessToken", .duration, into: { $0.continuousAccessToken = $1 }, default: "1d",
        "access token lifetime for clients that handle claims challenges (cp1)"),
      Field("idToken", .duration, into: { $0.idToken = $1 }, default: "1h", "ID token lifetime"),
      Field(
        "refreshToken", .duration, into: { $0.refreshToken = $1 }, default: "90d",
        "refresh token lifetime; each use restarts it"),
      Field(
        "refreshTokenMaximum", .duration, into: { $0.refreshTokenMaximum = $1 },
        "maximum time after sign-in during which refresh tokens can be renewed; unlimited by default"),
      Field(
        "singlePageRefreshToken", .duration, into: { $0.singlePageRefreshToken = $1 }, default: "1d",
        "refresh token lifetime for single-page apps, measured from the sign-in"),
      Field("authorizationCode", .duration, into: { $0.authorizationCode = $1 }, default: "10m", "authorization codes"),
      Field("deviceCode", .duration, into: { $0.deviceCode = $1 }, default: "15m", "device codes"),
      Field(
        "deviceCodeInterval", .duration, into: { $0.deviceCodeInterval = $1 }, default: "5s",
        "device code polling interval"),
      Field("session", .duration, into: { $0.session = $1 }, default: "90d", "browser session lifetime"),
    ])
}

extension User.MultiFactor {
  package static let codec = Codec<User.MultiFactor>(
    expecting: "`push`, or a mapping `{totp: SEED}`",
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
      Field("username", .nonEmptyString, into: { $0.username = $1 }, required: true, "sign-in name"),
      Field("id", .nonEmptyString, into: { $0.id = $1 }, "object ID; derived from the names by default"),
      Field(
        "password", .string, into: { $0.password = $1 },
        "fake password; without it, the user cannot sign in with a password"
      ),
      Field("displayName", .string, into: { $0.displayName = $1 }, "display name"),
      Field("givenName", .string, into: { $0.givenName = $1 }, "Graph's givenName"),
      Field("surname", .string, into: { $0.surname = $1 }, "Graph's surname"),
      Field("mail", .string, into: { $0.mail = $1 }, "email address; none by default"),
      Field("jobTitle", .string, into: { $0.jobTitle = $1 }, "Graph's jobTitle"),
      Field("department", .string, into: { $0.department = $1 }, "Graph's department"),
      Field("officeLocation", .string, into: { $0.officeLocation = $1 }, "Graph's officeLocation"),
      Field("mobilePhone", .string, into: { $0.mobilePhone = $1 }, "Graph's mobilePhone"),
      Field("businessPhones", .list(of: .string), into: { $0.businessPhones = $1 }, "Graph's businessPhones"),
      Field("preferredLanguage", .string, into: { $0.preferredLanguage = $1 }, "Graph's preferredLanguage"),
      Field("city", .string, into: { $0.city = $1 }, "Graph's city"),
      Field("country", .string, into: { $0.country = $1 }, "Graph's country"),
      Field(
        "role", .enumeration(), into: { $0.role = $1 }, default: "member",
        "`member`, or `admin`, who can consent for the organization"),
      Field("mfa", MultiFactor.codec, into: { $0.mfa = $1 }, "second factor for every interactive sign-in"),
      Field(
        "passwordExpired", .bool, into: { $0.passwordExpired = $1 }, default: false,
        "whether the next sign-in requires a new password"),
      Field("disabled", .bool, into: { $0.disabled = $1 }, default: false, "whether the account is disabled"),
      Field(
        "risk", .enumeration(), into: { $0.risk = $1 }, default: "none", "sign-in risk; `high` requires a second factor"
      ),
      Field("guestIn", .listOrOne(of: .string), into: { $0.guestIn = $1 }, "tenants in which the user is a guest"),
      Field("manager", .string, into: { $0.manager = $1 }, "username of the manager"),
      Field("memberOf", .listOrOne(of: .string), into: { $0.memberOf = $1 }, "names of the user's groups"),
      Field("photo", .bool, into: { $0.photo = $1 }, default: false, "whether the user has a photo"),
      Field(
        "messages", .list(of: .any), into: { $0.messages = $1 },
        "initial mail, as Microsoft Graph `message` resources"),
      Field(
        "events", .list(of: .any), into: { $0.events = $1 }, "initial calendar, as Microsoft Graph `event` resources"
      ),
      Field(
        "contacts", .list(of: .any), into: { $0.contacts = $1 },
        "initial contacts, as Microsoft Graph `contact` resources"),
      Field(
        "properties", .map(of: .any), into: { $0.properties = $1 },
        "other properties of the Microsoft Graph `user` resource"),
    ])
}

extension Group {
  package static let fields = Fields<Group>(
    "a group",
    [
      Field("name", .nonEmptyString, into: { $0.name = $1 }, required: true, "display name of the group"),
      Field("id", .nonEmptyString, into: { $0.id = $1 }, "object ID; derived by default"),
      Field("description", .string, into: { $0.description = $1 }, "description of the group"),
      Field("mail", .string, into: { $0.mail = $1 }, "email address of the group"),
    ])
}

extension AccessPolicy.Selection {
  package static let codec = Codec<AccessPolicy.Selection>(
    expecting: "`all`, or a list of names",
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
      Field("users", Selection.codec, into: { $0.users = $1 }, default: "all", "`all`, or usernames"),
      Field(
        "apps", Selection.codec, into: { $0.apps = $1 }, default: "all",
        "`all`, client IDs, or API IDs and URIs"),
    ])

  package static let fields = Fields<AccessPolicy>(
    "a policy",
    [
      Field("name", .nonEmptyString, into: { $0.name = $1 }, required: true, "name of the policy"),
      Field("id", .nonEmptyString, into: { $0.id = $1 }, "GUID of the policy; derived by default"),
      Field("for", schema: scopeFields.schema, "scope of the policy: `{users: all, apps: all}`") {
        node, policy, problems in
        _ = scopeFields.read(node, into: &policy, &problems)
      },
      Field("require", .enumeration(), into: { $0.require = $1 }, "requirement for sign-ins"),
      Field(
        "signInFrequency", .duration, into: { $0.signInFrequency = $1 },
        "maximum time since the user's last sign-in"),
      Field(
        "challengeWith", .enumeration(), into: { $0.challengeWith = $1 }, default: "signIn",
        "when the requirement applies: at sign-in (`signIn`), or when the API sends a claims challenge (`claims`)"),
    ])
}

extension Tenant {
  private static let guid: Codec<String> = .nonEmptyString.flatMap { text, node, problems -> String? in
    guard GUIDText.isWellFormed(text) else {
      problems.error("no-guid", "tenant ID is not a GUID such as `11111111-2222-4333-8444-555555555555`", at: node)
      return nil
    }
    return text
  }

  package static let fields = Fields<Tenant>(
    "a tenant",
    [
      Field("name", .nonEmptyString, into: { $0.name = $1 }, "the organization's name"),
      Field("id", guid, into: { $0.id = $1 }, "GUID of the tenant; derived from the name by default"),
      Field(
        "domains", .listOrOne(of: .nonEmptyString), into: { $0.domains = $1 },
        "verified domains; the first is the default"
      ),
      Field(
        "cloud", .nonEmptyString, into: { $0.cloud = $1 },
        "national cloud of the tenant; any by default"),
      Field(
        "kind", .enumeration(), into: { $0.kind = $1 },
        "`work`, `personal`, `b2c`, or `external`; detected by default"),
      Field(
        "userConsent", .enumeration(), into: { $0.userConsent = $1 }, default: "all",
        "users who can consent: `all`, or `none` (only an administrator)"),
      Field(
        "staySignedIn", .enumeration(), into: { $0.staySignedIn = $1 }, default: "always",
        "persistence of the browser session: `always`, `never`, or the user's choice (`ask`)"),
      .merging(
        "users", User.fields, empty: User(), into: \.users, sameAs: [\.username, \.id], "users of the tenant"),
      .merging("groups", Group.fields, empty: Group(), into: \.groups, sameAs: [\.name, \.id], "groups of users"),
      .merging(
        "policies", AccessPolicy.fields, empty: AccessPolicy(), into: \.policies, sameAs: [\.name, \.id],
        "Conditional Access policies"),
      Field("userFlows", .listOrOne(of: .nonEmptyString), into: { $0.userFlows = $1 }, "B2C user flows"),
      Field(
        "federatedDomains", .listOrOne(of: .nonEmptyString), into: { $0.federatedDomains = $1 },
        "domains that user realm discovery reports as federated"),
    ])
}

extension ResourceAPI {
  private static let scopeFields = Fields<Scope>(
    "a scope",
    [
      Field(
        "name", .nonEmptyString, into: { $0.name = $1 }, required: true, "scope name, without the API's URI"
      ),
      Field(
        "adminOnly", .bool, into: { $0.adminOnly = $1 }, default: false, "whether the scope requires admin consent"),
    ])

  private static let scopeCodec = Codec<Scope>(
    expecting: "a scope name, or a mapping such as `{name: …, adminOnly: true}`",
    schema: ["anyOf": [["type": "string"], scopeFields.schema]]
  ) { node, problems in
    if let name = node.string { return Scope(name) }
    var scope = Scope()
    return scopeFields.read(node, into: &scope, &problems) ? scope : nil
  }

  package static let fields = Fields<ResourceAPI>(
    "an API",
    [
      Field("name", .string, into: { $0.name = $1 }, "name on the consent page"),
      Field("appId", .nonEmptyString, into: { $0.appId = $1 }, "client ID of the API; derived by default"),
      Field("uris", .listOrOne(of: .nonEmptyString), into: { $0.uris = $1 }, aliases: ["uri"], "identifier URIs"),
      Field("scopes", .listOrOne(of: scopeCodec), into: { $0.scopes = $1 }, "delegated permissions"),
      Field("roles", .listOrOne(of: .nonEmptyString), into: { $0.roles = $1 }, "application permissions"),
      Field(
        "tokenVersion", .integer(in: 1...2), into: { $0.tokenVersion = $1 },
        "`requestedAccessTokenVersion`; the default is 2 if the app with this ID supports personal accounts, and 1 otherwise"
      ),
      Field(
        "continuousAccess", .bool, into: { $0.continuousAccess = $1 }, default: false,
        "whether the API supports continuous access evaluation (CAE)"),
      Field("answers", .map(of: .any), into: { $0.answers = $1 }, "response bodies, by absolute URL"),
      Field(
        "validAudiences", .listOrOne(of: .nonEmptyString), into: { $0.validAudiences = $1 },
        "audiences that the API accepts (IDX10214); its ID and URIs by default"),
      Field(
        "validIssuers", .listOrOne(of: .nonEmptyString), into: { $0.validIssuers = $1 },
        "issuers that the API accepts (IDX10205), with `{tenantid}` for the tenant; both token versions by default"),
      Field(
        "preauthorizedOnly", .listOrOne(of: .nonEmptyString), into: { $0.preauthorizedOnly = $1 },
        "client IDs of the apps that can get tokens; all apps by default"),
    ])
}

extension EmulatedDirectory {
  package static let fields = Fields<EmulatedDirectory>(
    "a directory",
    [
      Field("directory", .integer(in: 1...1), into: { $0.version = $1 }, "format version"),
      Field("$schema", .string, into: { $0.schema = $1 }, "for editors"),
      Field(
        "name", .nonEmptyString, into: { $0.name = $1 },
        "name under which the emulator state is saved next to the token cache"),
      Field(
        "extends", schema: ["enum": ["contoso"]], "built-in directory to override; must be the first key"
      ) { node, directory, problems in
        guard node.string == "contoso" else {
          problems.error("unknown-directory", "unknown built-in directory; only `contoso` is available", at: node)
          return
        }
        // Loading the built-in directory would overwrite the values of earlier keys, so this key must come first.
        if directory.tenants.isEmpty { directory = .contoso }
      },
      .merging(
        "tenants", Tenant.fields, empty: Tenant(), into: \.tenants, sameAs: [\.id, \.name], "tenants in the directory"),
      .merging(
        "apps", RegisteredApp.fields, empty: RegisteredApp(), into: \.apps, sameAs: [\.appId],
        onceAs: "an app with this `appId`",
        "app registrations; if there are none, each client ID is registered on first use"),
      .merging(
        "resources", ResourceAPI.fields, empty: ResourceAPI(), into: \.resources, sameAs: [\.appId, \.firstURI],
        "custom APIs"),
      Field("lifetimes", schema: Lifetimes.fields.schema, "token lifetimes") { node, directory, problems in
        _ = Lifetimes.fields.read(node, into: &directory.lifetimes, &problems)
      },
      Field(
        "device", .enumeration(), into: { $0.device = $1 }, default: "default", "device type: `default` or `shared`"),
      Field(
        "graph", .map(of: .any), into: { $0.graph = $1 }, "responses for Graph paths that the emulator does not support"
      ),
      Field(
        "keys", .listOrOne(of: .nonEmptyString), into: { $0.keys = $1 }, "RSA signing keys (PKCS #8 PEM), newest first"
      ),
      Field(
        "registersOnTheFly", .bool, into: { $0.registersOnTheFlyAsDeclared = $1 }, default: false,
        "whether unknown apps, tenants, policies, and APIs are registered on first use"),
      Field(
        "loopGuard", .bool, into: { $0.loopGuard = $1 }, default: false,
        "whether the sixteenth identical token request within five minutes is rejected (AADSTS50196)"),
    ])

  /// The format version. The value is validated but not stored.
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
  /// The `$schema` key for editors. The value is ignored.
  private var schema: String {
    get { "" }
    set {}
  }

  /// Decodes a directory document.
  /// - Parameter base: The directory to override, or nil. If it is nil, the emulator does not register unknown apps
  ///   automatically unless the document sets `registersOnTheFly`.
  /// - Returns: The directory, or nil if the document is not a mapping.
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
