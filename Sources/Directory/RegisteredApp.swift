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

  /// The platform of a redirect URI. The token endpoint applies different rules to each platform.
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
  /// The name, ID, or domain of the tenant that contains the registration, or nil for the first tenant.
  package var tenant: String?
  package var publicRedirectUris: [String] = []
  package var spaRedirectUris: [String] = []
  package var webRedirectUris: [String] = []
  /// The URL for front-channel sign-out.
  package var logoutUrl: String?
  /// The client secrets. An app with a secret is confidential unless `allowPublicClient` is true.
  package var secrets: [String] = []
  /// The expired client secrets (AADSTS7000222).
  package var expiredSecrets: [String] = []
  /// The certificates or public keys (PEM) that verify client assertions.
  package var certificates: [String] = []
  /// Whether the app can use the device code and password grants without a secret. In the portal, this setting is
  /// called "Allow public client flows".
  package var allowPublicClient: Bool?
  /// The static permissions (`requiredResourceAccess`), written as scopes.
  package var permissions: [String] = []
  /// The application permissions with admin consent, for the client credentials grant.
  package var roles: [String] = []
  /// The scopes with user consent, by username.
  package var consent: OrderedDictionary<String, [String]> = [:]
  /// The scopes with admin consent for the organization.
  package var adminConsent: [String] = []
  /// Whether the app belongs to the family of Microsoft apps that share refresh tokens.
  package var family: Bool?
  package var disabled: Bool?
  /// The users who can sign in (AADSTS50105), or nil for all users.
  package var assignedUsers: [String]?
  /// Whether the authorize endpoint can issue ID tokens.
  package var implicitIdTokens: Bool?
  /// Whether the authorize endpoint can issue access tokens.
  package var implicitAccessTokens: Bool?
  /// The optional claims in ID tokens, such as `auth_time` or `login_hint`.
  package var optionalClaims: [String] = []
  /// The optional claims in access tokens for the app's own API.
  package var accessTokenClaims: [String] = []
  package var groupMembershipClaims: GroupMembershipClaims?
  /// The app roles that are assigned to users, by username.
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
  /// All redirect URIs with their platforms.
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
  /// The identifier URIs, such as `api://…` or `https://orders.contoso.com/`.
  package var uris: [String] = []
  package var scopes: [Scope] = []
  /// The application permissions of the API.
  package var roles: [String] = []
  /// The `requestedAccessTokenVersion`: 1 or 2. The default is 2 if the app with the same ID supports personal
  /// accounts, and 1 otherwise.
  package var tokenVersion: Int?
  /// Whether the API supports continuous access evaluation. If it does, clients that support claims challenges get
  /// long-lived tokens.
  package var continuousAccess: Bool?
  /// The response bodies by absolute URL. The API returns them only if the token is valid.
  package var answers: OrderedDictionary<String, JSON> = [:]
  /// The audiences that the API accepts, or nil for its ID and identifier URIs. Set a wrong audience to simulate a
  /// misconfigured API.
  package var validAudiences: [String]?
  /// The issuers that the API accepts, or nil for the issuers of both token versions. `{tenantid}` represents the
  /// token's tenant.
  package var validIssuers: [String]?
  /// The client IDs of the apps that can get tokens for the API (AADSTS65002), or nil for all apps.
  package var preauthorizedOnly: [String]?

  package init() {}
}
