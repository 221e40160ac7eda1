/// Secrets that are recognized by their format, regardless of their key: a client secret of Microsoft Entra ID, the
/// password in a URL's user information, and a JSON Web Token (RFC 7519).
package enum SecretPattern {
  /// Matches a client secret in the format that the portal has used since 2021: three characters, `7Q~` or `8Q~`, and
  /// about 30 more characters.
  package static func clientSecret(in text: String) -> String? {
    first(in: text) { clientSecret($0, at: $1).flatMap { (34...44).contains($0.count) ? $0 : nil } }
  }

  /// Matches the password in `scheme://user:password@host`.
  package static func password(in text: String) -> String? { first(in: text, password) }

  /// Returns the text with all such secrets masked, for messages and logs.
  package static func redacting(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "@") }) || text.contains("eyJ")
    else { return text }
    let bytes = Array(text.utf8)
    var result = ""
    var position = 0
    bytes.withUnsafeBufferPointer { buffer in
      var index = 0
      while index < buffer.count {
        guard let range = secret(buffer, at: index) else {
          index += 1
          continue
        }
        result += String(decoding: buffer[position..<range.lowerBound], as: UTF8.self)
        result += String(repeating: "•", count: String(decoding: buffer[range], as: UTF8.self).count)
        position = range.upperBound
        index = max(index + 1, range.upperBound)
      }
    }
    return result + String(decoding: bytes[position...], as: UTF8.self)
  }

  /// Returns the start of the first such secret at or after an offset, or nil.
  static func start(_ text: UnsafeBufferPointer<UInt8>, from first: Int) -> Int? {
    for index in first..<max(first, text.count) {
      if let range = secret(text, at: index) { return range.lowerBound }
    }
    return nil
  }

  // MARK: Formats

  private typealias Text = UnsafeBufferPointer<UInt8>

  /// Finds truncated secrets too, because a shortened line can contain part of a secret.
  private static func secret(_ text: Text, at index: Int) -> Range<Int>? {
    switch text[index] {
    case UInt8(ascii: "~"): clientSecret(text, at: index).flatMap { $0.count >= 16 ? $0 : nil }
    case UInt8(ascii: ":"): password(text, at: index)
    case UInt8(ascii: "e"): token(text, at: index)
    default: nil
    }
  }

  private static func first(in text: String, _ find: (Text, Int) -> Range<Int>?) -> String? {
    guard text.utf8.contains(UInt8(ascii: "~")) || text.utf8.contains(UInt8(ascii: "@")) else { return nil }
    var text = text
    return text.withUTF8 { bytes in
      for index in bytes.indices {
        if let range = find(bytes, index) { return String(decoding: bytes[range], as: UTF8.self) }
      }
      return nil
    }
  }

  /// Returns the word around the tilde at an offset, if the tilde follows `7Q` or `8Q`.
  private static func clientSecret(_ text: Text, at tilde: Int) -> Range<Int>? {
    let start = tilde - 5
    guard text[tilde] == UInt8(ascii: "~"), start >= 0, text[tilde - 1] == UInt8(ascii: "Q"),
      text[tilde - 2] == UInt8(ascii: "7") || text[tilde - 2] == UInt8(ascii: "8"),
      text[start..<tilde].allSatisfy(isSecretCharacter), start == 0 || !isSecretCharacter(text[start - 1])
    else { return nil }
    var end = tilde + 1
    // No secret is longer. The limit prevents quadratic run time for a line of tildes.
    while end < text.count, end - start <= 64, isSecretCharacter(text[end]) { end += 1 }
    return start..<end
  }

  /// Returns a JWT that starts with `eyJ`, which is `{"` in base64url. The JWT has a header and at least the start of
  /// the claims.
  private static func token(_ text: Text, at start: Int) -> Range<Int>? {
    guard start + 2 < text.count, text[start + 1] == UInt8(ascii: "y"), text[start + 2] == UInt8(ascii: "J"),
      start == 0 || !isSecretCharacter(text[start - 1])
    else { return nil }
    var end = start
    while end < text.count, isSecretCharacter(text[end]) { end += 1 }
    let parts = text[start..<end].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count > 1 && parts[1].count >= 16 ? start..<end : nil
  }

  /// The maximum length of user information to search.
  private static let maximumUserInformation = 512

  /// Returns the password in a URL whose `://` starts at an offset.
  private static func password(_ text: Text, at colon: Int) -> Range<Int>? {
    guard colon + 3 < text.count, text[colon] == UInt8(ascii: ":"), text[colon + 1] == UInt8(ascii: "/"),
      text[colon + 2] == UInt8(ascii: "/")
    else { return nil }
    var start: Int?
    var end: Int?
    var index = colon + 3
    while index < text.count, index - colon < maximumUserInformation, !endsAuthority(text[index]) {
      if text[index] == UInt8(ascii: ":"), start == nil { start = index + 1 }
      if text[index] == UInt8(ascii: "@") { end = index }
      index += 1
    }
    guard let start, let end, start < end else { return nil }
    let first = text[start]
    // A placeholder such as `${NAME}` is not a secret.
    return first == UInt8(ascii: "$") || first == UInt8(ascii: "{") || first == UInt8(ascii: "<") ? nil : start..<end
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "'"),
      UInt8(ascii: "\\"), 0...0x20:
      true
    default: false
    }
  }

  private static func isSecretCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "~"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
