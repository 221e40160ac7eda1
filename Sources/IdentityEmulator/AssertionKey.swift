import Crypto
import Documents
import OAuth

/// The key that the header of a client assertion names. Entra looks the key up by this name and tries no other.
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

  /// Whether the header names a key at all.
  var isNamed: Bool { sha1 != nil || sha256 != nil || keyID != nil }

  /// The name in hexadecimal digits if it is a thumbprint, as Entra's errors show it.
  var shownThumbprint: String {
    if let bytes = (sha1 ?? sha256).flatMap({ Self.bytes($0) }) { return Self.hexadecimal(bytes) }
    return String((sha1 ?? sha256 ?? keyID ?? "").prefix(100))
  }

  /// Whether the name fits a registered credential. A bare public key has no thumbprint, so every name fits it.
  func mayBe(_ pem: String) -> Bool {
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

  /// The bytes of a thumbprint. RFC 7515 §4.1.7 demands base64url without padding, but MSAL Go sends the classic
  /// alphabet and MSAL Python sends padding.
  private static func bytes(_ text: String) -> [UInt8]? { try? Base64.decodeEitherAlphabet(text) }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
  }
}
