import Documents
import OrderedCollections

/// A user with an account: in the tenant that lists them, and as a guest in others.
package struct User: Hashable, Sendable {
  package enum Role: String, Hashable, Sendable, CaseIterable {
    case member
    /// May consent for the whole organization.
    case admin
  }

  package enum MultiFactor: Hashable, Sendable {
    /// A notification that is approved or denied.
    case push
    /// Codes of an authenticator app (RFC 6238, SHA-1, 30 s, six digits) from this base32 seed.
    case totp(seed: String)
  }

  /// How likely the platform thinks it that somebody else signs in as the user.
  package enum Risk: String, Hashable, Sendable, CaseIterable {
    case none
    /// A second factor is asked for; who has none is stopped (AADSTS53004), as enrolling one would help a thief.
    case high
  }

  package var username = ""
  /// The object id; derived from tenant and username where it is left out.
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
  /// A second factor asked at every new sign-in; nil means that only a policy asks for one.
  package var mfa: MultiFactor?
  package var passwordExpired: Bool?
  package var disabled: Bool?
  package var risk: Risk?
  /// Names, ids or domains of tenants that have invited this user.
  package var guestIn: [String] = []
  /// The username of the manager.
  package var manager: String?
  /// Names of groups in the user's tenant.
  package var memberOf: [String] = []
  /// Whether a photo is served; it is drawn from the initials.
  package var photo: Bool?
  /// Messages to start with, as Graph's `message` resources. A `dateTime` that begins with `+N` or `-N` (days) counts
  /// from the day on which the data was first served, as in `-1T09:30:00`.
  package var messages: [JSON] = []
  /// Calendar events to start with, as Graph's `event` resources, dates as in `messages`.
  package var events: [JSON] = []
  package var contacts: [JSON] = []
  /// Further properties of Graph's `user` resource.
  package var properties: OrderedDictionary<String, JSON> = [:]

  package init() {}

  /// The name to show: the display name, or else the part of the username before the `@`.
  package var shownName: String {
    displayName ?? String(username.prefix { $0 != "@" })
  }
  package var isDisabled: Bool { disabled ?? false }
  package var isAdmin: Bool { role == .admin }
}
