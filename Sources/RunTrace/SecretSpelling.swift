/// An encoding of a secret that remains after the surrounding text is decoded.
enum SecretSpelling: Hashable, Sendable {
  case plain
  case hex(isUpper: Bool)
  /// The base64 characters that depend only on the secret. `offset` is the number of bytes before the secret in its
  /// group of three bytes.
  case base64(offset: Int)
  /// Base64 of the secret alone, for very short secrets, because parts of their encoding would match ordinary words.
  case wholeBase64

  /// Returns the number of encoded characters for a secret with `count` bytes.
  func length(of count: Int) -> Int {
    switch self {
    case .plain: count
    case .hex: count * 2
    case .base64(let offset): max(0, (offset + count) * 8 / 6 - Self.firstLetter(offset))
    case .wholeBase64: (count * 8 + 5) / 6
    }
  }

  /// Returns a character of the encoded secret. Base64 characters are from the standard alphabet, which contains `+`
  /// and `/`.
  func letter(at index: Int, of secret: [UInt8]) -> UInt8 {
    switch self {
    case .plain: return secret[index]
    case .hex(let isUpper):
      let byte = secret[index / 2]
      let digit = index.isMultiple(of: 2) ? byte >> 4 : byte & 15
      return digit < 10 ? digit + UInt8(ascii: "0") : digit - 10 + UInt8(ascii: isUpper ? "A" : "a")
    case .base64(let offset): return Self.base64Letter((index + Self.firstLetter(offset)) * 6 - offset * 8, of: secret)
    case .wholeBase64: return Self.base64Letter(index * 6, of: secret)
    }
  }

  /// Returns whether a byte matches the character, in either base64 alphabet.
  func accepts(_ byte: UInt8, at index: Int, of secret: [UInt8]) -> Bool {
    let letter = letter(at: index, of: secret)
    return byte == letter || isBase64 && byte == Self.urlLetter(letter)
  }

  var isBase64: Bool {
    switch self {
    case .base64, .wholeBase64: true
    case .plain, .hex: false
    }
  }

  /// Returns whether the adjacent characters also contain bits of the secret.
  func sharesLetters(count: Int) -> (before: Bool, after: Bool) {
    guard case .base64(let offset) = self else { return (false, false) }
    return (offset > 0, !((offset + count) * 8).isMultiple(of: 6))
  }

  /// Returns the character in the URL-safe alphabet (RFC 4648 §5).
  static func urlLetter(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "+"): UInt8(ascii: "-")
    case UInt8(ascii: "/"): UInt8(ascii: "_")
    default: letter
    }
  }

  private static func firstLetter(_ offset: Int) -> Int { (offset * 8 + 5) / 6 }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Returns the character for six bits of the secret. Missing bits are zero.
  private static func base64Letter(_ bit: Int, of secret: [UInt8]) -> UInt8 {
    let byte = bit >> 3
    let next = byte + 1 < secret.count ? UInt16(secret[byte + 1]) : 0
    let pair = UInt16(secret[byte]) << 8 | next
    return alphabet[Int(pair >> (10 - UInt16(bit & 7)) & 63)]
  }
}
