import Directory
import Effects
import IdentityPlatform
import OrderedCollections

/// The identity emulator's data about a tenant: registrations, grants, and sign-ins. The Graph emulator only reads this
/// data.
package struct TenantRecords: Sendable {
  /// A delegated permission grant.
  package struct Grant: Sendable {
    package var clientID: String
    package var resourceAppID: String
    /// The user's object id, or nil if an administrator granted the permission for all users.
    package var userID: String?
    package var scopes: [String]

    package init(clientID: String, resourceAppID: String, userID: String? = nil, scopes: [String]) {
      self.clientID = clientID
      self.resourceAppID = resourceAppID
      self.userID = userID
      self.scopes = scopes
    }
  }

  /// An app or API with a service principal in the tenant.
  package struct Principal: Sendable {
    package var appID: String
    package var name: String
    /// The id of the tenant that owns the app, or nil for Microsoft's apps.
    package var ownerTenantID: String?
    package var uris: [String] = []
    package var replyURLs: [String] = []
    package var scopes: [String] = []
    package var roles: [String] = []
    package var isDisabled = false

    package init(
      appID: String, name: String, ownerTenantID: String? = nil, uris: [String] = [], scopes: [String] = []
    ) {
      self.appID = appID
      self.name = name
      self.ownerTenantID = ownerTenantID
      self.uris = uris
      self.scopes = scopes
    }
  }

  /// A successful or failed sign-in.
  package struct SignIn: Sendable {
    /// The sequence number, starting at 1.
    package var number: Int
    package var time: Instant
    /// The username.
    package var user: String?
    package var clientID: String?
    /// The error code, such as `AADSTS50126`, or nil if the sign-in succeeded.
    package var code: String?
    /// The reason for the failure.
    package var reason: String?
    /// The OAuth grant type.
    package var grant: String?
    /// The name of the access policy that determined the result.
    package var policy: String?

    package init(number: Int, time: Instant) {
      self.number = number
      self.time = time
    }
  }

  package var tenant: Tenant
  /// The apps that are registered in the tenant.
  package var apps: [RegisteredApp] = []
  package var principals: [Principal] = []
  package var grants: [Grant] = []
  /// The sign-ins, newest first.
  package var signIns: [SignIn] = []

  package init(tenant: Tenant) { self.tenant = tenant }
}
