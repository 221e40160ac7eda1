/// A search for oversized tags before libxml2 reads them. libxml2's check for duplicate attributes takes quadratic
/// time.
enum XMLTagLengths {
  static let limit = 4096

  /// Returns the offset of the first tag that is longer than the limit or has more than `attributes` attributes, or nil
  /// if there is none.
  ///
  /// The attributes of a tag are counted only if the tag has more than four bytes per allowed attribute. A shorter tag
  /// cannot exceed the limit.
  static func firstOverlong(
    _ bytes: UnsafeBufferPointer<UInt8>, limit: Int = Self.limit, attributes: Int = .max
  ) -> Int? {
    let minimumLength = attributes == .max ? limit : min(limit, 4 * attributes)
    guard let base = bytes.baseAddress else { return nil }
    let raw = UnsafeRawPointer(base)
    var index = 0
    var opening = 0
    while index < bytes.count {
      if index + 8 <= bytes.count {
        let marks = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ 0x3C3C_3C3C_3C3C_3C3C
        let matchBits = (marks &- 0x0101_0101_0101_0101) & ~marks & 0x8080_8080_8080_8080
        guard matchBits != 0 else {
          index += 8
          continue
        }
        index += matchBits.littleEndian.trailingZeroBitCount >> 3
      } else if bytes[index] != UInt8(ascii: "<") {
        index += 1
        continue
      }
      // Skips the check if the distance between two `<` is too short for an oversized tag.
      if index - opening > minimumLength, isOverlong(bytes, from: opening, limit, attributes) { return opening }
      opening = index
      index += 1
    }
    return bytes.count - opening > minimumLength && isOverlong(bytes, from: opening, limit, attributes) ? opening : nil
  }

  /// Returns whether the tag that starts here exceeds the limits. Quoted values may contain `>`.
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
