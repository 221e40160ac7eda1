/// An emulated tenant: an organization, the personal accounts, or a tenant for customers (B2C, External ID).
package struct Tenant: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An organization's Microsoft Entra ID tenant.
    case work
    /// The tenant of all personal Microsoft accounts.
    case personal
    /// Azure AD B2C, with user flows at `{name}.b2clogin.com`.
    case b2c
    /// Microsoft Entra External ID (CIAM), at `{name}.ciamlogin.com`.
    case external
  }

  /// The users who can consent to permissions without an administrator.
  package enum UserConsent: String, Hashable, Sendable, CaseIterable {
    /// All users, for themselves.
    case all
    /// No users. Each new permission requires an administrator (AADSTS90094).
    case none
  }

  /// The persistence of the browser session.
  package enum StaySignedIn: String, Hashable, Sendable, CaseIterable {
    /// Persistent, without a prompt.
    case always
    /// The sign-in pages ask "Stay signed in?" after the second factor and before consent.
    case ask
    /// The session ends with the browser, and after a day.
    case never
  }

  /// The tenant of personal accounts, as on the live service.
  package static let personalID = "9188040d-6c67-4c5b-b112-36a304b66dad"

  package var name = ""
  /// The tenant's GUID. By default derived from the name.
  package var id = ""
  /// Verified domains. The first is the default for new usernames.
  package var domains: [String] = []
  /// The national cloud, with the names of `IdentityPlatform`. Hosts of other clouds reject the tenant (AADSTS90038,
  /// AADSTS900439). Nil for any cloud.
  package var cloud: String?
  package var kind: Kind?
  package var userConsent: UserConsent?
  package var staySignedIn: StaySignedIn?
  package var users: [User] = []
  package var groups: [Group] = []
  package var policies: [AccessPolicy] = []
  /// The B2C user flows. The name determines the type of a flow.
  package var userFlows: [String] = []
  /// Domains whose users sign in at a federated service, as user realm discovery reports.
  package var federatedDomains: [String] = []

  package init() {}

  /// The configured kind, or the one that the ID and the user flows imply.
  package var effectiveKind: Kind {
    if let kind { return kind }
    if id.lowercased() == Self.personalID { return .personal }
    return userFlows.isEmpty ? .work : .b2c
  }

  /// Whether a path segment (a GUID or domain, regardless of case) refers to this tenant.
  package func isNamed(_ segment: String) -> Bool {
    let wanted = segment.lowercased()
    return id.lowercased() == wanted || domains.contains { $0.lowercased() == wanted }
  }
}

/// A group of users.
package struct Group: Hashable, Sendable {
  package var name = ""
  /// The object ID. By default derived from the tenant and the name.
  package var id = ""
  package var description: String?
  package var mail: String?

  package init() {}
}
