import Documents
import OAuth

/// The left half of the SHA-256 hash of a token or code, for `at_hash` and `c_hash` (OpenID Connect Core §3.1.3.6).
enum TokenHash {
  static func of(_ value: String) -> String {
    let digest = (try? Base64URL.decode(Thumbprint.sha256(value))) ?? []
    return Base64URL.encode(digest.prefix(16))
  }
}
