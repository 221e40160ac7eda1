import Documents
import OrderedCollections

/// A user account of a tenant, which can be a guest in others.
package struct User: Hashable, Sendable {
  package enum Role: String, Hashable, Sendable, CaseIterable {
    case member
    /// Can consent for the organization.
    case admin
  }

  package enum MultiFactor: Hashable, Sendable {
    /// A notification that the user approves or denies.
    case push
    /// Codes of an authenticator app (RFC 6238, SHA-1, 30 s, six digits) with this base32 seed.
    case totp(seed: String)
  }

  /// The estimated risk that the account is compromised.
  package enum Risk: String, Hashable, Sendable, CaseIterable {
    case none
    /// Requires a second factor. A user without one is blocked (AADSTS53004), because an attacker could register one.
    case high
  }

  package var username = ""
  /// The object ID. By default derived from the tenant and the username.
  package var id = ""
  package var password: String?
  package var displayName: String?
  package var givenName: String?
  package var surname: String?
  package var mail: String?
  package var jobTitle: String?
  package var department: String?
  package var officeLocation: String?
  package var mobilePhone: String?
  package var businessPhones: [String] = []
  package var preferredLanguage: String?
  package var city: String?
  package var country: String?
  package var role: Role?
  /// The second factor for each interactive sign-in. Nil if only policies require one.
  package var mfa: MultiFactor?
  package var passwordExpired: Bool?
  package var disabled: Bool?
  package var risk: Risk?
  /// The tenants in which the user is a guest, by name, ID, or domain.
  package var guestIn: [String] = []
  /// The username of the manager.
  package var manager: String?
  /// The names of the user's groups in the tenant.
  package var memberOf: [String] = []
  /// Whether the user has a photo.
  package var photo: Bool?
  /// Initial messages, as `message` resources of Microsoft Graph. A `dateTime` that starts with `+N` or `-N` (days) is relative
  /// to the day of the first request, as in `-1T09:30:00`.
  package var messages: [JSON] = []
  /// Initial calendar events, as `event` resources of Microsoft Graph, with dates as in `messages`.
  package var events: [JSON] = []
  package var contacts: [JSON] = []
  /// Further properties of the `user` resource of Microsoft Graph.
  package var properties: OrderedDictionary<String, JSON> = [:]

  package init() {}

  /// The display name, or the username before the `@`.
  package var shownName: String {
    displayName ?? String(username.prefix { $0 != "@" })
  }
  package var isDisabled: Bool { disabled ?? false }
  package var isAdmin: Bool { role == .admin }
}
