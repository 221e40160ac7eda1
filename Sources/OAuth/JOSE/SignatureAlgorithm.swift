/// The signatures that authflow makes and believes. Neither `none` nor a shared secret (`HS256`) is one: with a public
/// client, everybody has the key.
package enum SignatureAlgorithm: String, Hashable, Sendable, CaseIterable {
  /// RSASSA-PKCS1-v1_5 with SHA-256, RFC 7518 §3.3.
  case rs256 = "RS256"
  /// ECDSA with P-256 and SHA-256, RFC 7518 §3.4.
  case es256 = "ES256"

  /// The `kty` of its keys.
  package var keyType: String {
    switch self {
    case .rs256: "RSA"
    case .es256: "EC"
    }
  }
}
