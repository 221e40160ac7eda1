import Documents

/// A redirect URI of MSAL for Android, cut into its parts as they are written: `msauth://<package>/<signature hash>`.
package struct AndroidRedirect: Sendable {
  package let written: Positioned<String>
  /// Nil where there is no `://`, or nothing before it.
  package let scheme: Substring?
  /// Nil where nothing stands between `://` and the path.
  package let host: Substring?
  /// With its slash; empty where there is none.
  package let path: Substring

  package init(_ written: Positioned<String>) {
    self.written = written
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

  /// What stands in the place of the signature hash, as it is written; nil where the URI has no such place.
  package var hash: Substring? {
    guard scheme == "msauth", host != nil, path.count > 1 else { return nil }
    return path.dropFirst()
  }

  /// Whether it has the form for which MSAL asks a broker: `msauth://<package>/…`, the scheme in lower case.
  package var isBrokerForm: Bool { scheme == "msauth" && host != nil && !path.isEmpty }

  /// Whether it is longer than any that a registration takes, so that it is not looked for anywhere.
  package var isEndless: Bool { written.value.utf8.count > 2000 }

  /// Whether it is `msauth.<bundle id>://auth`, the redirect URI of MSAL for iOS and macOS.
  package var isAppleForm: Bool { scheme?.lowercased().hasPrefix("msauth.") == true && host == "auth" }

  package var isWeb: Bool { scheme?.lowercased() == "https" || scheme?.lowercased() == "http" }
}

/// What is known of signature hashes: the SHA-1 of an app's certificate in base64, as `keytool … | openssl sha1 -binary |
/// openssl base64` prints it.
package enum SignatureHash {
  /// Whether a text is the base64 of 20 bytes, in the only way in which MSAL writes it.
  package static func isWellFormed(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 28 && text.hasSuffix("=") && isUnpadded(text.dropLast())
  }

  /// Whether only the `=` at the end is missing.
  package static func isUnpadded(_ text: some StringProtocol) -> Bool {
    guard text.utf8.count == 27, text.utf8.allSatisfy(isBase64), let last = Array(text.utf8).last else { return false }
    // Two of the last character's bits say nothing, and are zero.
    return lastCharacters.contains(last)
  }

  /// Whether somebody typed it to have something there: one or two characters over and over, or digits in their order.
  package static func isDummy(_ text: some StringProtocol) -> Bool {
    let letters = String(text).lowercased().filter { $0 != "=" && $0 != "-" && $0 != "_" }
    guard letters.count >= 4 else { return false }
    if Set(letters).count <= (letters.count < 8 ? 1 : 2) { return true }
    let inOrder = ["1234567", "0123456", "abcdefg", "abc123", "abcd1234", "qwerty", "a1b2c3d4", "deadbeef"]
    guard let found = inOrder.first(where: letters.hasPrefix) else { return false }
    // A real hash may begin with anything; a whole one that is nothing else is none.
    guard isWellFormed(text) || isUnpadded(text) else { return true }
    return isSequence(letters) || letters.hasPrefix(String(repeating: found, count: 2))
  }

  /// Words that stand for the hash.
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

  /// What a hash is of, where that is no certificate.
  package enum Mistake: Sendable {
    /// keytool printed nothing, or a line end.
    case nothing
    /// keytool complained, and the words of its complaint were hashed.
    case complaint(String)
  }

  /// Each of these is the SHA-1 of the words that keytool prints, on Unix or with Windows' line end.
  package static func mistake(_ text: some StringProtocol) -> Mistake? {
    switch String(text) {
    case "2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "rcg7GeeTSRscbqD9i0bNnzLlkvw=", "uoq1oCgLlTqpdDX/iUbLy7J1Wic=": .nothing
    case "ga0RGNYHvNM5d0SLGQfpQWAPGJ8=", "Bmce+9aHdOoVtE7fS3B07tfj7Bc=", "VzSiQcXRmi2kyjzcA+mYLEtbGVs=",
      "w5G662mc4o81BUzLaFO2xjZlnHw=":
      .complaint("the keystore's password is wrong")
    case "xSLzBBuLJunOQPB89rtzM54FXx4=", "NfgDlIG7XWJzUZRUL+bZySrMX1Q=":
      .complaint("the keystore holds no androiddebugkey")
    case "04gM+EAfhnq4ALbhOX8jG5oRuow=", "+J+3yf/mrgPgKeg1llIttpSjcws=": .complaint("there is no such keystore")
    case "e/wWXNjQurk5S5P0EkZaIvjcMps=", "/Vz+tZv4wylCiuI8jDyQYbSJqKI=": .complaint("the keystore cannot be read")
    default: nil
    }
  }

  /// Whose key a hash is of, where everybody has the key.
  package static func publicKey(_ text: some StringProtocol) -> String? {
    switch String(text) {
    case "Xo8WBi6jzSxKDVR4drqm84yr9iU=": "the debug keystore of React Native's template"
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

  /// Whether each character follows the one before it, most of the way.
  private static func isSequence(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let steps = zip(bytes, bytes.dropFirst()).count {
      $1 == $0 + 1 || $0 == UInt8(ascii: "9") && $1 == UInt8(ascii: "0")
    }
    return steps * 4 >= bytes.count * 3
  }
}
