import Documents
import OrderedCollections

/// An account entry for one tenant.
package struct AccountRecord: CacheRecord {
  package var fields: OrderedDictionary<String, JSON>

  package static let knownFields: Set<String> = [
    "home_account_id", "environment", "realm", "local_account_id", "username", "authority_type", "account_source",
    "name", "given_name", "middle_name", "family_name", "client_info",
  ]

  package init(fields: OrderedDictionary<String, JSON>) {
    self.fields = fields
  }

  package init(
    homeAccountID: String, environment: String, realm: String, localAccountID: String, username: String,
    authorityType: String, source: String?, name: String?, givenName: String?, middleName: String?, familyName: String?,
    clientInfo: String?
  ) {
    fields = [:]
    set("home_account_id", homeAccountID)
    set("environment", environment)
    set("realm", realm)
    set("local_account_id", localAccountID)
    set("username", username)
    set("authority_type", authorityType)
    set("account_source", source)
    set("name", name)
    set("given_name", givenName)
    set("middle_name", middleName)
    set("family_name", familyName)
    set("client_info", clientInfo)
  }

  /// The home account ID, `uid.utid`.
  package var homeAccountID: String { textOrEmpty("home_account_id") }
  package var environment: String { textOrEmpty("environment") }
  /// The tenant ID.
  package var realm: String { textOrEmpty("realm") }
  /// The object ID of the account in this tenant.
  package var localAccountID: String { textOrEmpty("local_account_id") }
  package var username: String { textOrEmpty("username") }
  package var name: String? { text("name") }

  package var key: String {
    CacheKey.account(homeAccountID: homeAccountID, environment: environment, realm: realm)
  }
}
