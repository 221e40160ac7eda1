/// Base64 as property lists and YAML spell it (RFC 4648 §4), with white space anywhere.
enum Base64Text {
  /// Nil where a character is outside the alphabet, padding stands in the wrong place, or a lone digit is left over.
  ///
  /// Missing padding is accepted, because Apple's reader accepts it.
  static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var collected: UInt32 = 0
    var digits = 0
    var padding = 0
    for byte in text where !ByteClassification.isBlank(byte) {
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let digit = value(of: byte) else { return nil }
      collected = collected << 6 | digit
      digits += 1
      if digits == 4 {
        bytes.append(UInt8(truncatingIfNeeded: collected >> 16))
        bytes.append(UInt8(truncatingIfNeeded: collected >> 8))
        bytes.append(UInt8(truncatingIfNeeded: collected))
        collected = 0
        digits = 0
      }
    }
    guard padding <= 2, digits != 1 else { return nil }
    if digits == 2 { bytes.append(UInt8(truncatingIfNeeded: collected >> 4)) }
    if digits == 3 {
      bytes.append(UInt8(truncatingIfNeeded: collected >> 10))
      bytes.append(UInt8(truncatingIfNeeded: collected >> 2))
    }
    return bytes
  }

  static func value(of byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let second = index + 1 < bytes.count ? bytes[index + 1] : 0
      let third = index + 2 < bytes.count ? bytes[index + 2] : 0
      let group = UInt32(bytes[index]) << 16 | UInt32(second) << 8 | UInt32(third)
      text.append(alphabet[Int(group >> 18 & 63)])
      text.append(alphabet[Int(group >> 12 & 63)])
      text.append(index + 1 < bytes.count ? alphabet[Int(group >> 6 & 63)] : UInt8(ascii: "="))
      text.append(index + 2 < bytes.count ? alphabet[Int(group & 63)] : UInt8(ascii: "="))
      index += 3
    }
    return String(decoding: text, as: UTF8.self)
  }
}
