import Crypto
import Documents

/// SHA-256 hashes for comparing secrets without storing the secrets themselves.
package enum Thumbprint {
  /// Returns the hash as 43 base64url characters.
  package static func sha256(_ text: String) -> String { sha256(Array(text.utf8)) }

  package static func sha256(_ bytes: [UInt8]) -> String { Base64URL.encode(SHA256.hash(data: bytes)) }
}
