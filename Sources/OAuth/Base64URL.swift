/// Base64 with the URL alphabet and without padding, RFC 4648 §5 as RFC 7515 §2 uses it.
package enum Base64URL {
  /// The text of the bytes, without padding.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    Base64.encode(bytes, alphabet: Base64.urlAlphabet, padded: false)
  }

  /// The bytes of a text, strictly: no padding, no line breaks, no letters of the other alphabet, and the unused bits of
  /// the last letter zero, so that no two texts stand for the same bytes.
  package static func decode(_ text: some StringProtocol) throws(Base64Failure) -> [UInt8] {
    try decode(utf8: Array(text.utf8)[...])
  }

  /// The same for a text that is at hand as bytes.
  static func decode(utf8 letters: ArraySlice<UInt8>) throws(Base64Failure) -> [UInt8] {
    try Base64.decode(letters, classic: false, url: true, padding: .none)
  }
}

/// Base64 with the classic alphabet and padding, RFC 4648 §4, as in certificates and HTTP Basic.
package enum Base64 {
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    encode(bytes, alphabet: classicAlphabet, padded: true)
  }

  /// The bytes of a padded text of the classic alphabet, strictly.
  package static func decode(_ text: some StringProtocol) throws(Base64Failure) -> [UInt8] {
    try decode(Array(text.utf8)[...], classic: true, url: false, padding: .required)
  }

  /// The bytes of a text of either alphabet, padded or not, as servers write claims challenges.
  package static func decodeEitherAlphabet(_ text: some StringProtocol) throws(Base64Failure) -> [UInt8] {
    try decode(Array(text.utf8)[...], classic: true, url: true, padding: .optional)
  }

  static let urlAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  static let classicAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

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
      let whole = bytes.count - bytes.count % 3
      for index in stride(from: 0, to: whole, by: 3) {
        let bits = UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
        add(bits >> 18)
        add(bits >> 12)
        add(bits >> 6)
        add(bits)
      }
      let last = bytes[whole...].reduce(0) { $0 << 8 | UInt32($1) }
      switch bytes.count - whole {
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
    _ letters: ArraySlice<UInt8>, classic: Bool, url: Bool, padding: Padding
  ) throws(Base64Failure) -> [UInt8] {
    var end = letters.count
    if padding != .none {
      while end > 0, letters.count - end < 2, letters[letters.startIndex + end - 1] == UInt8(ascii: "=") { end -= 1 }
      let isPadded = end < letters.count
      if padding == .required || isPadded, letters.count % 4 != 0 {
        throw Base64Failure(offset: letters.count, reason: "the padding is missing or of the wrong length")
      }
    }
    if end % 4 == 1 { throw Base64Failure(offset: end, reason: "one letter is left over") }
    let values = classic ? (url ? valuesOfEither : valuesOfClassic) : valuesOfURL
    // Looked at all together first: nearly always there is nothing to say about any of them.
    if letters.prefix(end).reduce(0, { $0 | values[Int($1)] }) >= 64,
      let wrong = letters.prefix(end).firstIndex(where: { values[Int($0)] >= 64 })
    {
      throw Base64Failure(
        offset: wrong - letters.startIndex, reason: "a letter that does not belong to the alphabet")
    }
    var bits: UInt32 = 0
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: end * 3 / 4) { bytes, written in
      for letter in letters.prefix(end) {
        bits = bits << 6 | UInt32(values[Int(letter)])
        count += 6
        if count >= 8 {
          count -= 8
          bytes.initializeElement(at: written, to: UInt8(truncatingIfNeeded: bits >> UInt32(count)))
          written += 1
        }
      }
    }
    if bits & (1 << UInt32(count) - 1) != 0 {
      throw Base64Failure(offset: end - 1, reason: "the unused bits of the last letter are not zero")
    }
    return bytes
  }

  private static let valuesOfClassic = values(of: [classicAlphabet])
  private static let valuesOfURL = values(of: [urlAlphabet])
  private static let valuesOfEither = values(of: [classicAlphabet, urlAlphabet])

  /// What each byte stands for as a letter, 255 where it is none: a table, because letters follow no pattern that a
  /// processor could guess.
  private static func values(of alphabets: [[UInt8]]) -> [UInt8] {
    var values = [UInt8](repeating: .max, count: 256)
    for alphabet in alphabets {
      for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
    }
    return values
  }
}

/// Why a text is no base64; the text itself is not repeated, it may be a secret.
package struct Base64Failure: Error, Hashable, Sendable {
  /// Counts UTF-8 bytes from zero.
  package var offset: Int
  package var reason: String
}
