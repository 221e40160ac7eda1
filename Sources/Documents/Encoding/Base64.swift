/// Base64 with the URL-safe alphabet and without padding (RFC 4648 §5, RFC 7515 §2).
package enum Base64URL {
  /// Encodes bytes without padding.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    Base64.encode(bytes, alphabet: Base64.urlAlphabet, padded: false)
  }

  /// Decodes text strictly. Rejects padding, line breaks, characters of the standard alphabet, and nonzero unused
  /// bits in the last character, so that each byte sequence has exactly one encoding.
  package static func decode(_ text: some StringProtocol) throws(Base64Failure) -> [UInt8] {
    try decode(utf8: Array(text.utf8)[...])
  }

  /// Decodes UTF-8 text strictly.
  package static func decode(utf8 characters: ArraySlice<UInt8>) throws(Base64Failure) -> [UInt8] {
    try Base64.decode(characters, values: Base64.urlValues, padding: .none)
  }
}

/// Base64 with the standard alphabet and padding (RFC 4648 §4), as in certificates and HTTP Basic authentication.
package enum Base64 {
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    encode(bytes, alphabet: standardAlphabet, padded: true)
  }

  /// Strictly decodes padded text in the standard alphabet.
  package static func decode(_ text: some StringProtocol) throws(Base64Failure) -> [UInt8] {
    try decode(Array(text.utf8)[...], values: standardValues, padding: .required)
  }

  /// Decodes text in either alphabet, with or without padding. Servers use both alphabets for claims challenges.
  package static func decodeEitherAlphabet(_ text: some StringProtocol) throws(Base64Failure) -> [UInt8] {
    try decode(Array(text.utf8)[...], values: eitherValues, padding: .optional)
  }

  /// Leniently decodes text in the standard alphabet, as Apple's property list parser does. Ignores whitespace, missing
  /// padding, and unused bits.
  static func decodeLenient(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var characters = text.filter { !ByteClassification.isBlank($0) }
    for _ in 0..<2 where characters.last == UInt8(ascii: "=") { characters.removeLast() }
    return try? decode(characters[...], values: standardValues, padding: .none, checksUnusedBits: false)
  }

  static let urlAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  static let standardAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  enum Padding {
    case none, optional, required
  }

  static func encode(_ bytes: some Sequence<UInt8>, alphabet: [UInt8], padded: Bool) -> String {
    if let text = bytes.withContiguousStorageIfAvailable({ encode($0, alphabet: alphabet, padded: padded) }) {
      return text
    }
    return Array(bytes).withUnsafeBufferPointer { encode($0, alphabet: alphabet, padded: padded) }
  }

  private static func encode(_ bytes: UnsafeBufferPointer<UInt8>, alphabet: [UInt8], padded: Bool) -> String {
    String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
      var end = 0
      func add(_ bits: UInt32) {
        text.initializeElement(at: end, to: alphabet[Int(bits & 63)])
        end += 1
      }
      let complete = bytes.count - bytes.count % 3
      for index in stride(from: 0, to: complete, by: 3) {
        let bits = UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
        add(bits >> 18)
        add(bits >> 12)
        add(bits >> 6)
        add(bits)
      }
      let last = bytes[complete...].reduce(0) { $0 << 8 | UInt32($1) }
      switch bytes.count - complete {
      case 1:
        add(last >> 2)
        add(last << 4)
      case 2:
        add(last >> 10)
        add(last >> 4)
        add(last << 2)
      default: break
      }
      while padded, end % 4 != 0 {
        text.initializeElement(at: end, to: UInt8(ascii: "="))
        end += 1
      }
      return end
    }
  }

  static func decode(
    _ characters: ArraySlice<UInt8>, values: [UInt8], padding: Padding, checksUnusedBits: Bool = true
  ) throws(Base64Failure) -> [UInt8] {
    var end = characters.count
    if padding != .none {
      while end > 0, characters.count - end < 2, characters[characters.startIndex + end - 1] == UInt8(ascii: "=") {
        end -= 1
      }
      let isPadded = end < characters.count
      if padding == .required || isPadded, characters.count % 4 != 0 {
        throw Base64Failure(offset: characters.count, reason: "missing or wrong padding")
      }
    }
    if end % 4 == 1 { throw Base64Failure(offset: end, reason: "invalid length") }
    // Errors are rare, so checking all characters together is faster than checking each character separately.
    if characters.prefix(end).reduce(0, { $0 | values[Int($1)] }) >= 64,
      let invalid = characters.prefix(end).firstIndex(where: { values[Int($0)] >= 64 })
    {
      throw Base64Failure(
        offset: invalid - characters.startIndex, reason: "a character is not in the alphabet")
    }
    var bits: UInt32 = 0
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: end * 3 / 4) { bytes, written in
      for character in characters.prefix(end) {
        bits = bits << 6 | UInt32(values[Int(character)])
        count += 6
        if count >= 8 {
          count -= 8
          bytes.initializeElement(at: written, to: UInt8(truncatingIfNeeded: bits >> UInt32(count)))
          written += 1
        }
      }
    }
    if checksUnusedBits, bits & (1 << UInt32(count) - 1) != 0 {
      throw Base64Failure(offset: end - 1, reason: "the unused bits of the last character are not zero")
    }
    return bytes
  }

  private static let standardValues = values(of: [standardAlphabet])
  static let urlValues = values(of: [urlAlphabet])
  private static let eitherValues = values(of: [standardAlphabet, urlAlphabet])

  /// Returns a table with the value of each byte as a character, or 255 for a byte outside the alphabets. A table is
  /// faster than branches, because the branches would be unpredictable.
  private static func values(of alphabets: [[UInt8]]) -> [UInt8] {
    var values = [UInt8](repeating: .max, count: 256)
    for alphabet in alphabets {
      for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    }
    return values
  }
}

/// A base64 decoding error. The error does not contain the text, because the text may be a secret.
package struct Base64Failure: Error, Hashable, Sendable {
  /// The UTF-8 byte offset of the error, from zero.
  package var offset: Int
  package var reason: String
}
