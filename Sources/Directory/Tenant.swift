/// An emulated tenant: an organization, the tenant for personal accounts, or a customer tenant (B2C or External ID).
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
    /// All users can consent for themselves.
    case all
    /// Users cannot consent. An administrator must grant each new permission (AADSTS90094).
    case none
  }

  /// Whether the browser session is persistent.
  package enum StaySignedIn: String, Hashable, Sendable, CaseIterable {
    /// The session is always persistent, and the sign-in pages do not ask.
    case always
    /// The sign-in pages ask "Stay signed in?" after the second factor and before consent.
    case ask
    /// The session ends when the browser closes, or after a day.
    case never
  }

  /// The ID of the tenant for personal accounts. It is the same as in the live service.
  package static let personalID = "9188040d-6c67-4c5b-b112-36a304b66dad"

  package var name = ""
  /// The tenant's GUID. By default, the emulator derives it from the name.
  package var id = ""
  /// The verified domains. The first domain is the default for new usernames.
  package var domains: [String] = []
  /// The name of the tenant's cloud, as in `IdentityPlatform.Cloud`, or nil for any cloud. Hosts in other clouds reject
  /// the tenant (AADSTS90038, AADSTS900439).
  package var cloud: String?
  package var kind: Kind?
  package var userConsent: UserConsent?
  package var staySignedIn: StaySignedIn?
  package var users: [User] = []
  package var groups: [Group] = []
  package var policies: [AccessPolicy] = []
  /// The names of the B2C user flows. The name of a user flow determines its type.
  package var userFlows: [String] = []
  /// Domains whose users sign in with a federated identity provider. User realm discovery reports these domains as
  /// federated.
  package var federatedDomains: [String] = []

  package init() {}

  /// The configured kind, or by default the kind that the ID and the user flows imply.
  package var effectiveKind: Kind {
    if let kind { return kind }
    if id.lowercased() == Self.personalID { return .personal }
    return userFlows.isEmpty ? .work : .b2c
  }

  /// Whether a path segment (a GUID or domain) refers to this tenant, ignoring case.
  package func isNamed(_ segment: String) -> Bool {
    let wanted = segment.lowercased()
    return id.lowercased() == wanted || domains.contains { $0.lowercased() == wanted }
  }
}

/// A group of users.
package struct Group: Hashable, Sendable {
  package var name = ""
  /// The object ID. By default, the emulator derives it from the tenant and the group name.
  package var id = ""
  package var description: String?
  package var mail: String?

  package init() {}
}
