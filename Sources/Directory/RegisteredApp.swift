import Documents
import OrderedCollections

/// An app registration: who may sign in to it, where answers may go, and what was consented to.
package struct RegisteredApp: Hashable, Sendable {
  package enum Audience: String, Hashable, Sendable, CaseIterable {
    case myOrg = "AzureADMyOrg"
    case multipleOrgs = "AzureADMultipleOrgs"
    case orgsAndPersonal = "AzureADandPersonalMicrosoftAccount"
    case personal = "PersonalMicrosoftAccount"
  }

  /// The platform type that a redirect URI was registered under; rules of the token endpoint hang on it.
  package enum RedirectType: String, Hashable, Sendable, CaseIterable {
    case publicClient, spa, web
  }

  /// Which memberships of the user tokens list.
  package enum GroupMembershipClaims: String, Hashable, Sendable, CaseIterable {
    case none = "None"
    case securityGroup = "SecurityGroup"
    case directoryRole = "DirectoryRole"
    case applicationGroup = "ApplicationGroup"
    case all = "All"
  }

  package var appId = ""
  package var name: String?
  package var audience: Audience?
  /// The tenant (name, id or domain) in which the app is registered; nil means the directory's first.
  package var tenant: String?
  package var publicRedirectUris: [String] = []
  package var spaRedirectUris: [String] = []
  package var webRedirectUris: [String] = []
  /// Called in hidden frames when a session ends.
  package var logoutUrl: String?
  /// Client secrets; an app with any is confidential unless `allowPublicClient` says otherwise.
  package var secrets: [String] = []
  /// Client secrets past their time (AADSTS7000222).
  package var expiredSecrets: [String] = []
  /// Certificates, or the public half (PEM) of keys that sign client assertions.
  package var certificates: [String] = []
  /// Whether device code and password grants are allowed without a secret ("Allow public client flows").
  package var allowPublicClient: Bool?
  /// Static permissions (`requiredResourceAccess`), written like scopes.
  package var permissions: [String] = []
  /// Application permissions that an administrator has granted, for client credentials.
  package var roles: [String] = []
  /// What users have consented to already, by username.
  package var consent: OrderedDictionary<String, [String]> = [:]
  /// What an administrator has consented to for everybody.
  package var adminConsent: [String] = []
  /// Whether it belongs to Microsoft's family of client ids, whose refresh tokens are shared.
  package var family: Bool?
  package var disabled: Bool?
  /// Whether only the assigned users may sign in (AADSTS50105); nil means everybody.
  package var assignedUsers: [String]?
  /// Whether id tokens may be issued straight from the authorize endpoint.
  package var implicitIdTokens: Bool?
  /// Whether access tokens may be issued straight from the authorize endpoint.
  package var implicitAccessTokens: Bool?
  /// Optional claims asked for in tokens, such as `auth_time` or `login_hint`.
  package var optionalClaims: [String] = []
  /// Those of access tokens for the app's own API; `optionalClaims` are those of its ID tokens.
  package var accessTokenClaims: [String] = []
  package var groupMembershipClaims: GroupMembershipClaims?
  /// App roles that users were assigned, by username.
  package var userRoles: OrderedDictionary<String, [String]> = [:]

  package init() {}

  package init(appId: String, publicRedirectUris: [String], permissions: [String] = []) {
    self.appId = appId
    self.publicRedirectUris = publicRedirectUris
    self.permissions = permissions
  }

  package var effectiveAudience: Audience { audience ?? .orgsAndPersonal }
  package var isPublic: Bool {
    allowPublicClient ?? (secrets.isEmpty && expiredSecrets.isEmpty && certificates.isEmpty)
  }
  /// Every redirect URI with the platform type that it stands under.
  package var redirects: [(uri: String, type: RedirectType)] {
    publicRedirectUris.map { ($0, .publicClient) } + spaRedirectUris.map { ($0, .spa) }
      + webRedirectUris.map { ($0, .web) }
  }
}

/// An API beside Microsoft Graph that tokens can be asked for.
package struct ResourceAPI: Hashable, Sendable {
  package struct Scope: Hashable, Sendable {
    package var name = ""
    /// Whether only an administrator may consent to it.
    package var adminOnly: Bool?

    package init() {}

    package init(_ name: String, adminOnly: Bool? = nil) {
      self.name = name
      self.adminOnly = adminOnly
    }
  }

  package var name: String?
  package var appId = ""
  /// Identifier URIs, such as `api://…` or `https://orders.contoso.com/`.
  package var uris: [String] = []
  package var scopes: [Scope] = []
  /// Application permissions.
  package var roles: [String] = []
  /// `requestedAccessTokenVersion`: 1 or 2. Nil means 2 if the app with the same id allows personal accounts, else 1.
  package var tokenVersion: Int?
  /// Whether it evaluates access continuously, so that capable clients get long-lived tokens.
  package var continuousAccess: Bool?
  /// Absolute URLs that it answers, to the answer's body; the token is checked first.
  package var answers: OrderedDictionary<String, JSON> = [:]
  /// The client ids that the API has authorized beforehand, where only those get tokens (AADSTS65002); nil: everybody.
  package var preauthorizedOnly: [String]?

  package init() {}
}
