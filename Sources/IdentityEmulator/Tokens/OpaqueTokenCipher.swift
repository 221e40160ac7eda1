import Crypto
import Documents
import Effects
import OAuth

/// A cipher that encrypts values as opaque text. The emulator therefore does not have to store codes, refresh tokens,
/// or the state of sign-in pages, and other emulator processes accept these values.
///
/// The key is built in and public, like the signing keys. The encryption only makes the text opaque to clients.
enum OpaqueTokenCipher {
  /// The purpose of encrypted text. Text for one purpose is invalid for all other purposes.
  enum Purpose: String, Sendable {
    case authorizationCode, refreshToken, accessToken, signInFlow, browserSession, deviceGrant
  }

  private static let key = SymmetricKey(
    data: SHA256.hash(data: Array("authflow emulator, worthless sealing key 1".utf8)))

  /// Encrypts a value with AES-GCM.
  static func seal(_ value: JSON, for purpose: Purpose, randomness: any Randomness) -> String {
    let plain = value.utf8(sortedKeys: false)
    guard let nonce = try? AES.GCM.Nonce(data: randomness.bytes(12)),
      let box = try? AES.GCM.seal(plain, using: key, nonce: nonce, authenticating: Array(purpose.rawValue.utf8)),
      let combined = box.combined
    else { return "" }
    return Base64URL.encode(combined)
  }

  /// Decrypts text.
  /// - Returns: The value, or nil if the text is malformed, was modified, or has a different purpose.
  static func open(_ text: String, for purpose: Purpose) -> JSON? {
    guard text.utf8.count <= 65_536, let bytes = try? Base64URL.decode(text),
      let box = try? AES.GCM.SealedBox(combined: bytes),
      let plain = try? AES.GCM.open(box, using: key, authenticating: Array(purpose.rawValue.utf8))
    else { return nil }
    return try? JSON(parsing: Array(plain))
  }

  /// Returns a stable, unique, and irreversible pseudonym for the input.
  static func pseudonym(_ parts: String...) -> String {
    Base64URL.encode(SHA256.hash(data: Array(parts.joined(separator: "\u{1F}").utf8)))
  }
}
