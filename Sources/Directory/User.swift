import Documents
import OrderedCollections

/// A user account in a tenant. It can be a guest in other tenants.
package struct User: Hashable, Sendable {
  package enum Role: String, Hashable, Sendable, CaseIterable {
    case member
    /// An administrator, who can consent for the organization.
    case admin
  }

  package enum MultiFactor: Hashable, Sendable {
    /// A push notification that the user approves or denies.
    case push
    /// Codes from an authenticator app with this Base32-encoded seed. Codes have six digits and change every 30 seconds
    /// (RFC 6238 with SHA-1).
    case totp(seed: String)
  }

  /// The estimated risk that the account is compromised.
  package enum Risk: String, Hashable, Sendable, CaseIterable {
    case none
    /// Requires a second factor. The emulator blocks a user without a second factor (AADSTS53004), because an attacker
    /// could register one.
    case high
  }

  package var username = ""
  /// The object ID. By default, the emulator derives it from the tenant and the username.
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
  /// The second factor that each interactive sign-in requires. If it is nil, only access policies can require a second
  /// factor.
  package var mfa: MultiFactor?
  package var passwordExpired: Bool?
  package var disabled: Bool?
  package var risk: Risk?
  /// The names, IDs, or domains of the tenants in which the user is a guest.
  package var guestIn: [String] = []
  /// The username of the user's manager.
  package var manager: String?
  /// The names of the user's groups in the tenant.
  package var memberOf: [String] = []
  /// Whether the user has a photo.
  package var photo: Bool?
  /// The initial messages, as Microsoft Graph `message` resources. A `dateTime` such as `-1T09:30:00` starts with a
  /// number of days relative to the day of the first request.
  package var messages: [JSON] = []
  /// The initial calendar events, as Microsoft Graph `event` resources. They support the same relative dates as
  /// `messages`.
  package var events: [JSON] = []
  package var contacts: [JSON] = []
  /// Additional properties for the Microsoft Graph `user` resource.
  package var properties: OrderedDictionary<String, JSON> = [:]

  package init() {}

  /// The display name, or the username before the `@`.
  package var shownName: String {
    displayName ?? String(username.prefix { $0 != "@" })
  }
  package var isDisabled: Bool { disabled ?? false }
  package var isAdmin: Bool { role == .admin }
}
