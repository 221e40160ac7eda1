import Crypto
import Documents
import Effects
import OAuth

/// Turns values into opaque texts that only the emulator can read back, so that codes, refresh tokens and sign-in pages
/// need no memory: another process with the same build honors them.
///
/// The key is built in and public, as the signing keys are: nothing here keeps a secret from anybody but the client.
enum OpaqueTokenCipher {
  /// What a text was sealed for; a text of one purpose is none of another's.
  enum Purpose: String, Sendable {
    case authorizationCode, refreshToken, accessToken, signInFlow, browserSession, deviceGrant
  }

  private static let key = SymmetricKey(
    data: SHA256.hash(data: Array("authflow emulator, worthless sealing key 1".utf8)))

  static func seal(_ value: JSON, for purpose: Purpose, randomness: any Randomness) -> String {
    let plain = value.utf8(sortedKeys: false)
    guard let nonce = try? AES.GCM.Nonce(data: randomness.bytes(12)),
      let box = try? AES.GCM.seal(plain, using: key, nonce: nonce, authenticating: Array(purpose.rawValue.utf8)),
      let whole = box.combined
    else { return "" }
    return Base64URL.encode(whole)
  }

  /// - Returns: nil for a text that is none, was changed, or was sealed for something else.
  static func open(_ text: String, for purpose: Purpose) -> JSON? {
    guard text.utf8.count <= 65_536, let bytes = try? Base64URL.decode(text),
      let box = try? AES.GCM.SealedBox(combined: bytes),
      let plain = try? AES.GCM.open(box, using: key, authenticating: Array(purpose.rawValue.utf8))
    else { return nil }
    return try? JSON(parsing: Array(plain))
  }

  /// A stable pseudonym: what one input gives, another does not, and nobody reads it back.
  static func pseudonym(_ parts: String...) -> String {
    Base64URL.encode(SHA256.hash(data: Array(parts.joined(separator: "\u{1F}").utf8)))
  }
}
