/// The signature algorithms that authflow supports. authflow rejects `none` and `HS256`, because a public client cannot
/// keep a shared secret (RFC 8725 §3.1).
package enum SignatureAlgorithm: String, Hashable, Sendable, CaseIterable {
  /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 §3.3).
  case rs256 = "RS256"
  /// ECDSA with P-256 and SHA-256 (RFC 7518 §3.4).
  case es256 = "ES256"

  /// The `kty` value of keys for this algorithm.
  package var keyType: String {
    switch self {
    case .rs256: "RSA"
    case .es256: "EC"
    }
  }
}
