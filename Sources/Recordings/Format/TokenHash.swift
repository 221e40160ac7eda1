import OAuth

/// The left half of SHA-256, as `at_hash` and `c_hash` have it (OpenID Connect Core §3.1.3.6).
enum TokenHash {
  static func of(_ value: String) -> String {
    let digest = (try? Base64URL.decode(Thumbprint.sha256(value))) ?? []
    return Base64URL.encode(digest.prefix(16))
  }
}
