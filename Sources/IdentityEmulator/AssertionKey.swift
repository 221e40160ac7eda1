import Crypto
import Documents
import OAuth

/// The signing key that the header of a client assertion identifies. Entra verifies the assertion only with that key.
struct AssertionKey: Sendable {
  private let sha1: String?
  private let sha256: String?
  private let keyID: String?

  init(_ header: JSON) {
    func text(_ name: String) -> String? { header[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
    sha1 = text("x5t")
    sha256 = text("x5t#S256")
    keyID = text("kid")
  }

  /// Whether the header identifies a key.
  var isNamed: Bool { sha1 != nil || sha256 != nil || keyID != nil }

  /// The thumbprint in hexadecimal, as in Entra's error messages, or the key ID if the header does not contain a
  /// thumbprint.
  var displayedThumbprint: String {
    if let bytes = (sha1 ?? sha256).flatMap({ Self.bytes($0) }) { return Self.hexadecimal(bytes) }
    return String((sha1 ?? sha256 ?? keyID ?? "").prefix(100))
  }

  /// Whether this key may belong to a registered credential. A bare public key has no thumbprint, so it always matches.
  func matches(_ pem: String) -> Bool {
    guard let certificate = Certificate(pem: pem) else { return true }
    let short = Array(Insecure.SHA1.hash(data: certificate.der))
    let long = Array(SHA256.hash(data: certificate.der))
    if let sha1, Self.bytes(sha1) != short { return false }
    if let sha256, Self.bytes(sha256) != long { return false }
    guard sha1 == nil, sha256 == nil, let keyID else { return true }
    let digits = keyID.uppercased()
    if digits == Self.hexadecimal(short) || digits == Self.hexadecimal(long) { return true }
    return Self.bytes(keyID).map { $0 == short || $0 == long } ?? false
  }

  /// Decodes a thumbprint. RFC 7515 §4.1.7 requires base64url without padding, but MSAL Go uses the standard alphabet,
  /// and MSAL Python adds padding.
  private static func bytes(_ text: String) -> [UInt8]? { try? Base64.decodeEitherAlphabet(text) }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
  }
}
