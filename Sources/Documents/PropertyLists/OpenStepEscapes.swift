/// A decoder for the escapes in quoted strings: letters as in C, octal codes in the NeXTSTEP character set, and `\U`
/// with a UTF-16 code unit.
enum OpenStepEscapes {
  static func decode(_ raw: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(raw.count)
    var index = 0
    while index < raw.count {
      let byte = raw[index]
      index += 1
      guard byte == UInt8(ascii: "\\"), index < raw.count else {
        text.append(byte)
        continue
      }
      let letter = raw[index]
      index += 1
      switch letter {
      case UInt8(ascii: "a"): text.append(0x07)
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "v"): text.append(0x0B)
      case UInt8(ascii: "0")...UInt8(ascii: "7"):
        var code = Int(letter - UInt8(ascii: "0"))
        var digits = 1
        while digits < 3, index < raw.count, raw[index] & 0xF8 == 0x30 {
          code = code << 3 | Int(raw[index] & 7)
          index += 1
          digits += 1
        }
        append(nextStep(UInt8(truncatingIfNeeded: code)), to: &text)
      case UInt8(ascii: "U"), UInt8(ascii: "u"):
        var value = unit(in: raw, at: &index)
        if value & 0xFC00 == 0xD800, index + 1 < raw.count, raw[index] == UInt8(ascii: "\\"),
          raw[index + 1] | 0x20 == UInt8(ascii: "u")
        {
          var ahead = index + 2
          let low = unit(in: raw, at: &ahead)
          if low & 0xFC00 == 0xDC00 {
            value = 0x10000 + (value & 0x3FF) << 10 + low & 0x3FF
            index = ahead
          }
        }
        append(Unicode.Scalar(value) ?? "\u{FFFD}", to: &text)
      default: text.append(letter)
      }
    }
    return text
  }

  private static func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
    text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  /// Reads up to four hexadecimal digits.
  private static func unit(in raw: UnsafeBufferPointer<UInt8>, at index: inout Int) -> UInt32 {
    var value: UInt32 = 0
    var digits = 0
    while digits < 4, index < raw.count, let digit = HexText.value(of: raw[index]) {
      value = value << 4 | UInt32(digit)
      index += 1
      digits += 1
    }
    return value
  }

  /// Returns the character for a NeXTSTEP code. The codes below 128 are ASCII.
  static func nextStep(_ code: UInt8) -> Unicode.Scalar {
    code < 0x80 ? Unicode.Scalar(code) : upperHalf[Int(code - 0x80)]
  }

  // Copied from Unicode's mapping table NEXTSTEP.TXT. The last two codes are not assigned.
  private static let upperHalf: [Unicode.Scalar] = Array(
    ("\u{A0}ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖÙÚÛÜÝÞµ×÷" + "©¡¢£⁄¥ƒ§¤’“«‹›ﬁﬂ®–†‡·¦¶•‚„”»…‰¬¿"
      + "¹ˋ´ˆ˜¯˘˙¨²˚¸³˝˛ˇ—±¼½¾àáâãäåçèéêë" + "ìÆíªîïðñŁØŒºòóôõöæùúûıüýłøœßþÿ\u{FFFD}\u{FFFD}").unicodeScalars)
}
