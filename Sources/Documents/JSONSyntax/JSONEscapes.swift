/// Functions that decode the content of a JSON string whose escapes are valid.
package enum JSONEscapes {
  /// Resolves the escapes. An unpaired surrogate becomes U+FFFD.
  package static func decode(_ raw: UnsafeBufferPointer<UInt8>) -> [UInt8] {
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
      case UInt8(ascii: "b"): text.append(0x08)
      case UInt8(ascii: "f"): text.append(0x0C)
      case UInt8(ascii: "n"): text.append(0x0A)
      case UInt8(ascii: "r"): text.append(0x0D)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "u"):
        guard let unit = unit(in: raw, at: index) else {
          text.append(letter)
          continue
        }
        index += 4
        var value = UInt32(unit)
        if unit & 0xFC00 == 0xD800, index + 1 < raw.count, raw[index] == UInt8(ascii: "\\"),
          raw[index + 1] == UInt8(ascii: "u"), let low = self.unit(in: raw, at: index + 2), low & 0xFC00 == 0xDC00
        {
          value = 0x10000 + (UInt32(unit) & 0x3FF) << 10 + UInt32(low) & 0x3FF
          index += 6
        }
        let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      default: text.append(letter)
      }
    }
    return text
  }

  /// Returns the value of the four hexadecimal digits in a `\u` escape.
  package static func unit(in raw: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt16? {
    guard index + 4 <= raw.count else { return nil }
    var value: UInt16 = 0
    for offset in 0..<4 {
      guard let digit = HexText.value(of: raw[index + offset]) else { return nil }
      value = value << 4 | UInt16(digit)
    }
    return value
  }
}
