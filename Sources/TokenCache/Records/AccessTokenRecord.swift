import Documents
import Effects
import OrderedCollections
import RunTrace

/// An access token entry.
package struct AccessTokenRecord: CacheRecord {
  package var fields: OrderedDictionary<String, JSON>

  package static let knownFields: Set<String> = [
    "credential_type", "secret", "home_account_id", "environment", "client_id", "target", "realm", "token_type",
    "cached_at", "expires_in", "expires_on", "extended_expires_on", "ext_expires_on", "refresh_on",
    "application_cache_identifier", "ext_cache_key", "requested_claims", "kid", "key_id", "enrollment_id",
    "bound_device_id",
  ]

  package init(fields: OrderedDictionary<String, JSON>) {
    self.fields = fields
  }

  init(_ secret: Secret, of tokens: TokensToSave, cachedAt: Instant) {
    fields = [:]
    set("credential_type", "AccessToken")
    set("secret", secret.reveal())
    set("home_account_id", tokens.homeAccountID)
    set("environment", tokens.environment)
    set("client_id", tokens.clientID)
    set("target", tokens.target.joined(separator: " "))
    set("realm", tokens.realm)
    set("token_type", tokens.tokenType)
    set("cached_at", cachedAt)
    set("expires_on", tokens.expiresOn)
    set("extended_expires_on", tokens.extendedExpiresOn)
    set("refresh_on", tokens.refreshOn)
  }

  package var secret: Secret { Secret(textOrEmpty("secret"), kind: .accessToken) }
  package var homeAccountID: String { textOrEmpty("home_account_id") }
  package var environment: String { textOrEmpty("environment") }
  package var clientID: String { textOrEmpty("client_id") }
  package var realm: String { textOrEmpty("realm") }
  /// The granted scopes as the server wrote them.
  package var scopes: [String] { textOrEmpty("target").utf8.split(separator: 0x20).map { String(Substring($0)) } }
  package var tokenType: String { text("token_type") ?? "Bearer" }
  /// The expiration time, or nil if the entry does not contain a valid time. If it is nil, the token counts as expired.
  package var expiresOn: Instant? { moment("expires_on") }
  package var extendedExpiresOn: Instant? { moment("extended_expires_on") ?? moment("ext_expires_on") }
  package var refreshOn: Instant? { moment("refresh_on") }
  package var cachedAt: Instant? { moment("cached_at") }
  /// The ID of the key that the token is bound to, or nil for a bearer token. MSAL for Python calls this field
  /// `key_id`.
  package var keyID: String? { nonBlank("kid") ?? nonBlank("key_id") }

  package var key: String {
    CacheKey.accessToken(
      homeAccountID: homeAccountID, environment: environment, clientID: clientID, realm: realm, target: scopes)
  }
}
