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

  package init(homeAccountID: String, environment: String, realm: String, localAccountID: String, username: String) {
    fields = [:]
    set("home_account_id", homeAccountID)
    set("environment", environment)
    set("realm", realm)
    set("local_account_id", localAccountID)
    set("username", username)
    set("authority_type", "MSSTS")
  }

  /// Sets the optional fields, in MSAL's order.
  /// - Parameters:
  ///   - source: The OAuth grant that added the account.
  ///   - claims: The ID token's claims, which contain the user's names.
  ///   - clientInfo: The `client_info` of the token response.
  package mutating func setDetails(source: String?, claims: JSON?, clientInfo: String?) {
    set("account_source", source)
    for field in ["name", "given_name", "middle_name", "family_name"] { set(field, claims?[field]?.string) }
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
