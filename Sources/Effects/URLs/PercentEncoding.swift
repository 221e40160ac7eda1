/// Percent-encoding in URLs (RFC 3986 §2.1).
package enum PercentEncoding {
  /// The characters that an encoded text contains unchanged.
  package struct Characters: Sendable {
    fileprivate let contains: [Bool]

    /// The unreserved characters, which never need an escape: ASCII letters, digits, and `-._~` (RFC 3986 §2.3).
    package static let unreserved = Characters(adding: "")

    /// Adds ASCII characters to the unreserved characters.
    package init(adding others: String) {
      let all = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8).union(others.utf8)
      contains = (UInt8.min...UInt8.max).map { all.contains($0) }
    }
  }

  /// Encodes a text. Escapes have uppercase digits.
  /// - Parameter keepingEscapes: Whether existing escapes such as `%41` are kept. Otherwise, their `%` is encoded.
  package static func encode(
    _ text: some StringProtocol, keeping characters: Characters = .unreserved, keepingEscapes: Bool = false
  ) -> String {
    var encoded: [UInt8] = []
    encoded.reserveCapacity(text.utf8.count)
    append(String(text), to: &encoded, keeping: characters, keepingEscapes: keepingEscapes)
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Encodes a text and appends the result.
  package static func append(
    _ text: String, to encoded: inout [UInt8], keeping characters: Characters = .unreserved,
    keepingEscapes: Bool = false
  ) {
    let contains = characters.contains
    var text = text
    text.withUTF8 { bytes in
      // Copy each run of unchanged characters in one operation, because encrypted `state` values are long.
      var start = 0
      for index in 0..<bytes.count where !contains[Int(bytes[index])] {
        let byte = bytes[index]
        if keepingEscapes, byte == UInt8(ascii: "%"), index + 2 < bytes.count, value(bytes[index + 1]) != nil,
          value(bytes[index + 2]) != nil
        {
          continue
        }
        encoded += bytes[start..<index]
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        start = index + 1
      }
      encoded += bytes[start...]
    }
  }

  /// Decodes escapes. Keeps invalid escapes and replaces invalid UTF-8 with U+FFFD.
  package static func decode(_ text: some StringProtocol) -> String {
    decode(Array(text.utf8)[...], plusIsSpace: false)
  }

  /// Decodes escapes and, if `plusIsSpace` is true, decodes `+` as a space. Keeps invalid escapes and replaces invalid
  /// UTF-8 with U+FFFD.
  package static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> String {
    guard bytes.contains(where: { $0 == UInt8(ascii: "%") || plusIsSpace && $0 == UInt8(ascii: "+") }) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    return String(unsafeUninitializedCapacity: bytes.count) { decoded in
      var end = 0
      var index = bytes.startIndex
      while index < bytes.endIndex {
        var byte = bytes[index]
        if byte == UInt8(ascii: "%"), index + 2 < bytes.endIndex, let high = value(bytes[index + 1]),
          let low = value(bytes[index + 2])
        {
          byte = high << 4 | low
          index += 3
        } else {
          if plusIsSpace, byte == UInt8(ascii: "+") { byte = UInt8(ascii: " ") }
          index += 1
        }
        decoded.initializeElement(at: end, to: byte)
        end += 1
      }
      return end
    }
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Returns the value of a hexadecimal digit, or nil if the byte is not a hexadecimal digit.
  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
