/// Tags of absurd length, found before libxml2 sees them: its check for equal attributes takes quadratic time.
enum XMLTagLengths {
  static let limit = 4096

  /// Where the first tag begins that is longer than the limit, or holds more attributes than `attributes`.
  ///
  /// Attributes are counted only in tags that are longer than four bytes for each: shorter ones cannot hold too many.
  static func firstOverlong(
    _ bytes: UnsafeBufferPointer<UInt8>, limit: Int = Self.limit, attributes: Int = .max
  ) -> Int? {
    let suspicious = attributes == .max ? limit : min(limit, 4 * attributes)
    guard let base = bytes.baseAddress else { return nil }
    let raw = UnsafeRawPointer(base)
    var index = 0
    var opening = 0
    while index < bytes.count {
      if index + 8 <= bytes.count {
        let marks = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ 0x3C3C_3C3C_3C3C_3C3C
        let found = (marks &- 0x0101_0101_0101_0101) & ~marks & 0x8080_8080_8080_8080
        guard found != 0 else {
          index += 8
          continue
        }
        index += found.littleEndian.trailingZeroBitCount >> 3
      } else if bytes[index] != UInt8(ascii: "<") {
        index += 1
        continue
      }
      // Between two ‘<’ that are near each other no long tag fits.
      if index - opening > suspicious, isOverlong(bytes, from: opening, limit, attributes) { return opening }
      opening = index
      index += 1
    }
    return bytes.count - opening > suspicious && isOverlong(bytes, from: opening, limit, attributes) ? opening : nil
  }

  /// Whether the tag that begins here, if one does, has no end within the limits; quoted values may hold ‘>’.
  private static func isOverlong(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ limit: Int, _ attributes: Int
  ) -> Bool {
    guard bytes[start] == UInt8(ascii: "<"), start + 1 < bytes.count,
      ByteClassification.isLetter(bytes[start + 1]) || bytes[start + 1] >= 0x80
    else { return false }
    var quote: UInt8 = 0
    var values = 0
    for byte in bytes[start..<min(start + limit, bytes.count)] {
      if quote == 0, byte == UInt8(ascii: ">") { return false }
      if quote == 0, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
        values += 1
        if values > attributes { return true }
      } else if byte == quote {
        quote = 0
      }
    }
    return bytes.count - start > limit
  }
}
