/// One emulated organization, the home of personal accounts, or a customer (B2C, External ID) tenant.
package struct Tenant: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An organization's Entra ID tenant.
    case work
    /// The tenant that all personal Microsoft accounts share.
    case personal
    /// Azure AD B2C, reached at `{name}.b2clogin.com` through user flows.
    case b2c
    /// Entra External ID (CIAM), reached at `{name}.ciamlogin.com`.
    case external
  }

  /// Who may consent to permissions that need no administrator.
  package enum UserConsent: String, Hashable, Sendable, CaseIterable {
    /// Every user for themselves.
    case all
    /// Nobody: each new permission asks an administrator (AADSTS90094).
    case none
  }

  /// Whether the browser's session outlives the browser.
  package enum StaySignedIn: String, Hashable, Sendable, CaseIterable {
    /// It does, and nobody is asked.
    case always
    /// The sign-in pages ask "Stay signed in?" after the second factor and before consent.
    case ask
    /// It ends with the browser, and after a day.
    case never
  }

  /// The tenant of personal accounts, the same on the real platform.
  package static let personalID = "9188040d-6c67-4c5b-b112-36a304b66dad"

  package var name = ""
  /// The tenant's GUID; derived from the name where it is left out.
  package var id = ""
  /// Verified domains, the first being the one that new usernames take.
  package var domains: [String] = []
  /// `public`, `usGovernment`, `china`, … as `IdentityPlatform` names the clouds: at another cloud's hosts the tenant is
  /// refused (AADSTS90038, AADSTS900439). Nil: it is wherever it is asked for.
  package var cloud: String?
  package var kind: Kind?
  package var userConsent: UserConsent?
  package var staySignedIn: StaySignedIn?
  package var users: [User] = []
  package var groups: [Group] = []
  package var policies: [AccessPolicy] = []
  /// The B2C user flows, such as `B2C_1_signupsignin`; what one does is told by its name.
  package var userFlows: [String] = []
  /// Domains whose users sign in at a service of the organization's own; user realm discovery says so.
  package var federatedDomains: [String] = []

  package init() {}

  /// The kind said, or else told by the id and the presence of user flows.
  package var effectiveKind: Kind {
    if let kind { return kind }
    if id.lowercased() == Self.personalID { return .personal }
    return userFlows.isEmpty ? .work : .b2c
  }

  /// Whether a path segment (GUID or domain, any case) names this tenant.
  package func isNamed(_ segment: String) -> Bool {
    let wanted = segment.lowercased()
    return id.lowercased() == wanted || domains.contains { $0.lowercased() == wanted }
  }
}

/// A group that users are members of.
package struct Group: Hashable, Sendable {
  package var name = ""
  /// The object id; derived from tenant and name where it is left out.
  package var id = ""
  package var description: String?
  package var mail: String?

  package init() {}
}
