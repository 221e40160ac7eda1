import Documents
import OrderedCollections
import RunTrace

/// The entry for the most recent ID token for an account, tenant, and client.
package struct IDTokenRecord: CacheRecord {
  package var fields: OrderedDictionary<String, JSON>

  package static let knownFields: Set<String> = [
    "credential_type", "secret", "home_account_id", "environment", "realm", "client_id",
  ]

  package init(fields: OrderedDictionary<String, JSON>) {
    self.fields = fields
  }

  package init(homeAccountID: String, environment: String, clientID: String, realm: String, secret: Secret) {
    fields = [:]
    set("credential_type", "IdToken")
    set("secret", secret.reveal())
    set("home_account_id", homeAccountID)
    set("environment", environment)
    set("realm", realm)
    set("client_id", clientID)
  }

  package var secret: Secret { Secret(textOrEmpty("secret"), kind: .idToken) }
  package var homeAccountID: String { textOrEmpty("home_account_id") }
  package var environment: String { textOrEmpty("environment") }
  package var clientID: String { textOrEmpty("client_id") }
  package var realm: String { textOrEmpty("realm") }

  /// Whether the token is not empty and has the expected type. Version 1.0 endpoints, for example, issue tokens of type
  /// `V1IdToken`.
  var isUsable: Bool {
    !textOrEmpty("secret").isEmpty && (text("credential_type") ?? "IdToken").lowercased() == "idtoken"
  }

  package var key: String {
    CacheKey.idToken(homeAccountID: homeAccountID, environment: environment, clientID: clientID, realm: realm)
  }
}
