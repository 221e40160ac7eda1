import Crypto

/// A text's SHA-256, for places that must compare secrets without keeping them.
package enum Thumbprint {
  /// 43 letters of base64url.
  package static func sha256(_ text: String) -> String { sha256(Array(text.utf8)) }

  package static func sha256(_ bytes: [UInt8]) -> String { Base64URL.encode(SHA256.hash(data: bytes)) }
}
