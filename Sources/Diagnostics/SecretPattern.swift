/// Secrets that show themselves by their form, whatever key they stand under: a client secret of Microsoft Entra, the
/// password in a URL's user information, and a token that is a JWT (RFC 7519).
package enum SecretPattern {
  /// A client secret as the portal has given them out since 2021: three characters, `7Q~` or `8Q~`, and some thirty more.
  package static func clientSecret(in text: String) -> String? {
    first(in: text) { clientSecret($0, at: $1).flatMap { (34...44).contains($0.count) ? $0 : nil } }
  }

  /// The password of `scheme://user:password@host`.
  package static func password(in text: String) -> String? { first(in: text, password) }

  /// The text with dots for every such secret, for words that anybody may read.
  package static func hiding(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "@") }) || text.contains("eyJ")
    else { return text }
    let bytes = Array(text.utf8)
    var shown = ""
    var position = 0
    bytes.withUnsafeBufferPointer { buffer in
      var index = 0
      while index < buffer.count {
        guard let range = secret(buffer, at: index) else {
          index += 1
          continue
        }
        shown += String(decoding: buffer[position..<range.lowerBound], as: UTF8.self)
        shown += String(repeating: "•", count: String(decoding: buffer[range], as: UTF8.self).count)
        position = range.upperBound
        index = max(index + 1, range.upperBound)
      }
    }
    return shown + String(decoding: bytes[position...], as: UTF8.self)
  }

  /// Where the first such secret begins at or behind an offset; nil where there is none.
  static func start(_ text: UnsafeBufferPointer<UInt8>, from first: Int) -> Int? {
    for index in first..<max(first, text.count) {
      if let range = secret(text, at: index) { return range.lowerBound }
    }
    return nil
  }

  // MARK: The forms

  private typealias Text = UnsafeBufferPointer<UInt8>

  /// Shorter ones are hidden too: where a line is cut, half a secret is one.
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

  /// The word around the tilde at an offset, where it is the one behind `7Q` or `8Q`.
  private static func clientSecret(_ text: Text, at tilde: Int) -> Range<Int>? {
    let start = tilde - 5
    guard text[tilde] == UInt8(ascii: "~"), start >= 0, text[tilde - 1] == UInt8(ascii: "Q"),
      text[tilde - 2] == UInt8(ascii: "7") || text[tilde - 2] == UInt8(ascii: "8"),
      text[start..<tilde].allSatisfy(isOfSecret), start == 0 || !isOfSecret(text[start - 1])
    else { return nil }
    var end = tilde + 1
    // No secret is longer; a line of tildes is not gone through again and again.
    while end < text.count, end - start <= 64, isOfSecret(text[end]) { end += 1 }
    return start..<end
  }

  /// A JWT from its `eyJ` on, which is `{"` in base64url: a header and at least the beginning of the claims.
  private static func token(_ text: Text, at start: Int) -> Range<Int>? {
    guard start + 2 < text.count, text[start + 1] == UInt8(ascii: "y"), text[start + 2] == UInt8(ascii: "J"),
      start == 0 || !isOfSecret(text[start - 1])
    else { return nil }
    var end = start
    while end < text.count, isOfSecret(text[end]) { end += 1 }
    let parts = text[start..<end].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count > 1 && parts[1].count >= 16 ? start..<end : nil
  }

  /// The longest user information that is looked for.
  private static let longestUserInformation = 512

  /// The password of a URL whose `://` begins at an offset.
  private static func password(_ text: Text, at colon: Int) -> Range<Int>? {
    guard colon + 3 < text.count, text[colon] == UInt8(ascii: ":"), text[colon + 1] == UInt8(ascii: "/"),
      text[colon + 2] == UInt8(ascii: "/")
    else { return nil }
    var start: Int?
    var end: Int?
    var index = colon + 3
    while index < text.count, index - colon < longestUserInformation, !endsAuthority(text[index]) {
      if text[index] == UInt8(ascii: ":"), start == nil { start = index + 1 }
      if text[index] == UInt8(ascii: "@") { end = index }
      index += 1
    }
    guard let start, let end, start < end else { return nil }
    let first = text[start]
    // `${NAME}` says nothing.
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

  private static func isOfSecret(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "~"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
