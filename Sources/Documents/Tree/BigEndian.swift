/// Functions that decode the numbers and text in binary property lists.
enum BigEndian {
  static func unsigned(_ bytes: UnsafeBufferPointer<UInt8>) -> Int128? {
    guard bytes.count <= 15 || (bytes.count == 16 && bytes[0] < 0x80) else { return nil }
    return bytes.reduce(into: Int128(0)) { $0 = $0 << 8 | Int128($1) }
  }

  /// Decodes an integer. It is unsigned if it has up to four bytes, and signed if it has eight or sixteen bytes.
  static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> Int128? {
    guard bytes.count <= 16 else { return nil }
    if bytes.count == 8 {
      return Int128(Int64(truncatingIfNeeded: bytes.reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }))
    }
    return Int128(truncatingIfNeeded: bytes.reduce(into: UInt128(0)) { $0 = $0 << 8 | UInt128($1) })
  }

  /// Decodes an IEEE 754 number with four or eight bytes.
  static func real(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    let pattern = bytes.prefix(8).reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
    switch bytes.count {
    case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: pattern)))
    case 8: return Double(bitPattern: pattern)
    default: return nil
    }
  }

  /// Decodes UTF-16 text. An unpaired surrogate becomes U+FFFD.
  static func text(utf16 bytes: UnsafeBufferPointer<UInt8>) -> String {
    let units = (0..<bytes.count / 2).map { UInt16(bytes[2 * $0]) << 8 | UInt16(bytes[2 * $0 + 1]) }
    return String(decoding: units, as: UTF16.self)
  }
}
