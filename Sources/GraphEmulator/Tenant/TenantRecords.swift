import Directory
import Effects
import IdentityPlatform
import OrderedCollections

/// Data of the identity emulator about a tenant: registrations, grants, and sign-ins. Graph returns them read-only.
package struct TenantRecords: Sendable {
  /// A delegated permission grant.
  package struct Grant: Sendable {
    package var clientID: String
    package var resourceAppID: String
    /// The object id of the user, or nil for a grant by an administrator for all users.
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
    /// The owner tenant, or nil for Microsoft's apps.
    package var ownerTenantID: String?
    package var uris: [String] = []
    package var replyURLs: [String] = []
    package var scopes: [String] = []
    package var roles: [String] = []
    package var isDisabled = false

    package init(
      appID: String, name: String, ownerTenantID: String? = nil, uris: [String] = [], replyURLs: [String] = [],
      scopes: [String] = [], roles: [String] = [], isDisabled: Bool = false
    ) {
      self.appID = appID
      self.name = name
      self.ownerTenantID = ownerTenantID
      self.uris = uris
      self.replyURLs = replyURLs
      self.scopes = scopes
      self.roles = roles
      self.isDisabled = isDisabled
    }
  }

  /// A successful or failed sign-in.
  package struct SignIn: Sendable {
    /// The number, starting at 1.
    package var number: Int
    package var time: Instant
    /// The username.
    package var user: String?
    package var clientID: String?
    /// The error code, such as `AADSTS50126`, or nil for a success.
    package var code: String?
    /// The reason for the failure.
    package var reason: String?
    /// The grant type.
    package var grant: String?
    /// The name of the policy that determined the result.
    package var policy: String?

    package init(
      number: Int, time: Instant, user: String? = nil, clientID: String? = nil, code: String? = nil,
      reason: String? = nil, grant: String? = nil, policy: String? = nil
    ) {
      self.number = number
      self.time = time
      self.user = user
      self.clientID = clientID
      self.code = code
      self.reason = reason
      self.grant = grant
      self.policy = policy
    }
  }

  package var tenant: Tenant
  /// The apps that are registered in the tenant.
  package var apps: [RegisteredApp] = []
  package var principals: [Principal] = []
  package var grants: [Grant] = []
  /// Sign-ins, newest first.
  package var signIns: [SignIn] = []

  package init(tenant: Tenant) { self.tenant = tenant }
}
