/// Classifies single bytes of UTF-8 text.
enum ByteClassification {
  /// Returns whether the byte is a space, tab, line feed, carriage return, vertical tab, or form feed.
  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
  }

  /// Returns a character as shown in messages: in backticks, or as `U+0007` if it is invisible.
  static func quoted(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> String {
    let text = character(bytes, at: offset)
    return text.unicodeScalars.count == 1 ? "`\(text)`" : text
  }

  /// Returns the character at an offset. An invisible character is returned as `U+0007`, and the end of the text as
  /// `the end`.
  static func character(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> String {
    let tail = String(decoding: bytes[min(offset, bytes.count)..<min(offset + 8, bytes.count)], as: UTF8.self)
    guard let scalar = tail.unicodeScalars.first else { return "the end" }
    if scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
      || scalar.properties.isWhitespace
    {
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
    return String(scalar)
  }
}
