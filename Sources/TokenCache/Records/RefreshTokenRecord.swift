import Documents
import Effects
import OrderedCollections
import RunTrace

/// A refresh token entry for an app or a family of apps.
package struct RefreshTokenRecord: CacheRecord {
  package var fields: OrderedDictionary<String, JSON>

  package static let knownFields: Set<String> = [
    "credential_type", "secret", "home_account_id", "environment", "client_id", "target", "last_modification_time",
    "family_id", "bound_device_id", "enrollment_id",
  ]

  /// The secret that marks a deleted credential whose entry still exists.
  package static let tombstone = "<tombstone>"

  package init(fields: OrderedDictionary<String, JSON>) {
    self.fields = fields
  }

  /// - Parameter familyID: The family ID, if this record is the copy that the family shares.
  init(_ secret: Secret, of tokens: TokensToSave, familyID: String?, modifiedAt: Instant) {
    fields = [:]
    set("credential_type", "RefreshToken")
    set("secret", secret.reveal())
    set("home_account_id", tokens.homeAccountID)
    set("environment", tokens.environment)
    set("client_id", tokens.clientID)
    set("target", tokens.target.joined(separator: " "))
    set("last_modification_time", modifiedAt)
    set("family_id", familyID)
  }

  package var secret: Secret { Secret(textOrEmpty("secret"), kind: .refreshToken) }
  package var homeAccountID: String { textOrEmpty("home_account_id") }
  package var environment: String { textOrEmpty("environment") }
  package var clientID: String { textOrEmpty("client_id") }
  /// The scopes that were granted with the token. Empty if the entry does not list them.
  package var target: [String] { textOrEmpty("target").split(separator: " ").map { String($0) } }
  package var familyID: String? { text("family_id").flatMap { $0.isEmpty ? nil : $0 } }

  /// Whether the token is an ordinary refresh token rather than a primary refresh token, a device-bound token, or a
  /// version 1.0 token for a single resource.
  var isPlain: Bool {
    (text("credential_type") ?? "RefreshToken").lowercased() == "refreshtoken"
      && nonBlank("bound_device_id") == nil
  }

  var isUsable: Bool {
    let secret = textOrEmpty("secret")
    return isPlain && !secret.isEmpty && secret != Self.tombstone
  }

  package var key: String {
    CacheKey.refreshToken(
      homeAccountID: homeAccountID, environment: environment, clientOrFamilyID: familyID ?? clientID,
      target: target)
  }
}
