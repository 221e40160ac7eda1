import Documents

/// The components of an MSAL for Android redirect URI, as written: `msauth://<package>/<signature hash>`.
package struct AndroidRedirect: Sendable {
  package let source: Positioned<String>
  /// Nil if there is no `://`, or if nothing precedes it.
  package let scheme: Substring?
  /// Nil if there is nothing between `://` and the path.
  package let host: Substring?
  /// The path with its leading slash, or an empty string.
  package let path: Substring

  package init(_ written: Positioned<String>) {
    self.source = written
    let text = written.value[...]
    guard let mark = text.firstRange(of: "://") else {
      (scheme, host, path) = (nil, nil, "")
      return
    }
    scheme = mark.lowerBound > text.startIndex ? text[..<mark.lowerBound] : nil
    let rest = text[mark.upperBound...]
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    host = rest[..<end].isEmpty ? nil : rest[..<end]
    path = rest[end...]
  }

  /// The part of the path that should contain the signature hash, as written, or nil if it is missing.
  package var hash: Substring? {
    guard scheme == "msauth", host != nil, path.count > 1 else { return nil }
    return path.dropFirst()
  }

  /// Whether MSAL uses a broker for this URI: `msauth://<package>/…` with the scheme in lowercase.
  package var isBrokerForm: Bool { scheme == "msauth" && host != nil && !path.isEmpty }

  /// Whether the URI has more than 2,000 bytes and is therefore longer than any registered URI.
  package var isEndless: Bool { source.value.utf8.count > 2000 }

  /// Whether the URI is `msauth.<bundle ID>://auth`, the redirect URI of MSAL for iOS and macOS.
  package var isAppleForm: Bool { scheme?.lowercased().hasPrefix("msauth.") == true && host == "auth" }

  package var isWeb: Bool { scheme?.lowercased() == "https" || scheme?.lowercased() == "http" }
}

/// Signature hashes. A signature hash is the base64-encoded SHA-1 hash of an app's certificate, as printed by `keytool
/// … | openssl sha1 -binary | openssl base64`.
package enum SignatureHash {
  /// Whether a string is the canonical base64 encoding of 20 bytes, which is the only form that MSAL uses.
  package static func isWellFormed(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 28 && text.hasSuffix("=") && isUnpadded(text.dropLast())
  }

  /// Whether only the final `=` is missing.
  package static func isUnpadded(_ text: some StringProtocol) -> Bool {
    guard text.utf8.count == 27, text.utf8.allSatisfy(isBase64), let last = Array(text.utf8).last else { return false }
    // The last two bits of the last character are unused and must be zero.
    return lastCharacters.contains(last)
  }

  /// Whether the hash is a placeholder: one or two repeated characters, or a sequence of digits or letters.
  package static func isDummy(_ text: some StringProtocol) -> Bool {
    let letters = String(text).lowercased().filter { $0 != "=" && $0 != "-" && $0 != "_" }
    guard letters.count >= 4 else { return false }
    if Set(letters).count <= (letters.count < 8 ? 1 : 2) { return true }
    let inOrder = ["1234567", "0123456", "abcdefg", "abc123", "abcd1234", "qwerty", "a1b2c3d4", "deadbeef"]
    guard let sequence = inOrder.first(where: letters.hasPrefix) else { return false }
    // A real hash can start with any characters. A complete hash is a dummy only if the entire hash fits the pattern.
    guard isWellFormed(text) || isUnpadded(text) else { return true }
    return isSequence(letters) || letters.hasPrefix(String(repeating: sequence, count: 2))
  }

  /// Whether the string is a word that stands for the hash, such as `signature_hash` or `todo`.
  package static func isItsName(_ text: some StringProtocol) -> Bool {
    let word = String(text).lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " && $0 != "=" }
    return [
      "hash", "sig", "signature", "signaturehash", "packagesignature", "keyhash", "base64", "base64hash",
      "base64encoded",
      "base64signature", "base64signaturehash", "base64encodedhash", "base64encodedsignature", "sha1", "sha1hash",
      "urlencodedhash", "urlencodedsignature", "urlencodedsignaturehash", "dummy", "fake", "todo", "tbd", "example",
      "sample", "samplehash", "dummyhash", "fakehash", "testhash", "debughash", "releasehash",
    ].contains(word)
  }

  /// Invalid input that was hashed instead of a certificate.
  package enum InvalidInput: Sendable {
    /// keytool printed nothing or an empty line.
    case empty
    /// keytool printed an error message, which was hashed.
    case errorMessage(String)
  }

  /// Returns the invalid input from which a hash was computed, or nil if it is unknown. Recognizes the SHA-1 hashes of
  /// keytool's messages with Unix or Windows line endings.
  package static func invalidInput(_ text: some StringProtocol) -> InvalidInput? {
    switch String(text) {
    case "2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "rcg7GeeTSRscbqD9i0bNnzLlkvw=", "uoq1oCgLlTqpdDX/iUbLy7J1Wic=": .empty
    case "ga0RGNYHvNM5d0SLGQfpQWAPGJ8=", "Bmce+9aHdOoVtE7fS3B07tfj7Bc=", "VzSiQcXRmi2kyjzcA+mYLEtbGVs=",
      "w5G662mc4o81BUzLaFO2xjZlnHw=":
      .errorMessage("wrong keystore password")
    case "xSLzBBuLJunOQPB89rtzM54FXx4=", "NfgDlIG7XWJzUZRUL+bZySrMX1Q=":
      .errorMessage("no `androiddebugkey` in the keystore")
    case "04gM+EAfhnq4ALbhOX8jG5oRuow=", "+J+3yf/mrgPgKeg1llIttpSjcws=": .errorMessage("keystore not found")
    case "e/wWXNjQurk5S5P0EkZaIvjcMps=", "/Vz+tZv4wylCiuI8jDyQYbSJqKI=": .errorMessage("keystore not readable")
    default: nil
    }
  }

  /// Returns the name of the publicly known key that a hash belongs to, or nil.
  package static func publicKey(_ text: some StringProtocol) -> String? {
    switch String(text) {
    case "Xo8WBi6jzSxKDVR4drqm84yr9iU=": "the debug keystore in the React Native template"
    case "1wIqXSqBj7w+h11ZifsnqwgyKrY=": "the debug keystore of Microsoft's samples for Android"
    default: nil
    }
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
      true
    default: false
    }
  }

  private static let lastCharacters = Set("AEIMQUYcgkosw048".utf8)

  /// Whether at least three quarters of the characters are consecutive, as in `abc` or `123`.
  private static func isSequence(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let steps = zip(bytes, bytes.dropFirst()).count {
      $1 == $0 + 1 || $0 == UInt8(ascii: "9") && $1 == UInt8(ascii: "0")
    }
    return steps * 4 >= bytes.count * 3
  }
}
