import Documents
import OAuth

/// Hash of a token or code: the left half of its SHA-256 hash, as in `at_hash` and `c_hash` (OpenID Connect Core
/// §3.1.3.6).
enum TokenHash {
  static func of(_ value: String) -> String {
    let digest = (try? Base64URL.decode(Thumbprint.sha256(value))) ?? []
    return Base64URL.encode(digest.prefix(16))
  }
}
