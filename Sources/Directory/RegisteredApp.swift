import Documents
import OrderedCollections

/// An app registration: supported accounts, redirect URIs, and consent.
package struct RegisteredApp: Hashable, Sendable {
  package enum Audience: String, Hashable, Sendable, CaseIterable {
    case myOrg = "AzureADMyOrg"
    case multipleOrgs = "AzureADMultipleOrgs"
    case orgsAndPersonal = "AzureADandPersonalMicrosoftAccount"
    case personal = "PersonalMicrosoftAccount"
  }

  /// The platform of a redirect URI. The token endpoint applies different rules to each.
  package enum RedirectType: String, Hashable, Sendable, CaseIterable {
    case publicClient, spa, web
  }

  /// The group memberships that tokens contain.
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
  /// The tenant of the registration, by name, ID, or domain. Nil for the first tenant.
  package var tenant: String?
  package var publicRedirectUris: [String] = []
  package var spaRedirectUris: [String] = []
  package var webRedirectUris: [String] = []
  /// The URL for front-channel sign-out.
  package var logoutUrl: String?
  /// Client secrets. An app with a secret is confidential unless `allowPublicClient` is set.
  package var secrets: [String] = []
  /// Expired client secrets (AADSTS7000222).
  package var expiredSecrets: [String] = []
  /// Certificates or public keys (PEM) for client assertions.
  package var certificates: [String] = []
  /// Whether device code and password grants are allowed without a secret (in the portal: Allow public client flows).
  package var allowPublicClient: Bool?
  /// Static permissions (`requiredResourceAccess`), in the form of scopes.
  package var permissions: [String] = []
  /// Application permissions with admin consent, for client credentials.
  package var roles: [String] = []
  /// Scopes with user consent, by username.
  package var consent: OrderedDictionary<String, [String]> = [:]
  /// Scopes with admin consent for the organization.
  package var adminConsent: [String] = []
  /// Whether the app is in the family of Microsoft client IDs, which share refresh tokens.
  package var family: Bool?
  package var disabled: Bool?
  /// The users who can sign in (AADSTS50105). Nil for all users.
  package var assignedUsers: [String]?
  /// Whether the authorize endpoint issues ID tokens.
  package var implicitIdTokens: Bool?
  /// Whether the authorize endpoint issues access tokens.
  package var implicitAccessTokens: Bool?
  /// Optional claims in ID tokens, such as `auth_time` or `login_hint`.
  package var optionalClaims: [String] = []
  /// Optional claims in access tokens for the app's own API.
  package var accessTokenClaims: [String] = []
  package var groupMembershipClaims: GroupMembershipClaims?
  /// App roles of users, by username.
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
  /// All redirect URIs with their platform.
  package var redirects: [(uri: String, type: RedirectType)] {
    publicRedirectUris.map { ($0, .publicClient) } + spaRedirectUris.map { ($0, .spa) }
      + webRedirectUris.map { ($0, .web) }
  }
}

/// A custom API.
package struct ResourceAPI: Hashable, Sendable {
  package struct Scope: Hashable, Sendable {
    package var name = ""
    /// Whether the scope requires admin consent.
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
  /// `requestedAccessTokenVersion`: 1 or 2. By default 2 if the app with the same ID supports personal accounts, or else 1.
  package var tokenVersion: Int?
  /// Whether the API supports continuous access evaluation, so that capable clients get long-lived tokens.
  package var continuousAccess: Bool?
  /// Response bodies by absolute URL. The API validates the token first.
  package var answers: OrderedDictionary<String, JSON> = [:]
  /// The client IDs that can get tokens (AADSTS65002). Nil for all clients.
  package var preauthorizedOnly: [String]?

  package init() {}
}
