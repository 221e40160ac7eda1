/// Tags of absurd length, found before libxml2 sees them: its check for equal attributes takes quadratic time.
enum XMLTagLengths {
  static let limit = 4096

  /// Where the first tag begins that is longer than the limit.
  static func firstOverlong(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "<") else {
        index += 1
        continue
      }
      let start = index
      index += 1
      guard index < bytes.count, TextBytes.isLetter(bytes[index]) || bytes[index] >= 0x80 else { continue }
      var quote: UInt8 = 0
      while index < bytes.count, quote != 0 || bytes[index] != UInt8(ascii: ">") {
        let byte = bytes[index]
        // No attribute value holds ‘<’ in well-formed XML: another tag begins.
        if byte == UInt8(ascii: "<") { break }
        if quote == 0, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
          quote = byte
        } else if byte == quote {
          quote = 0
        }
        index += 1
        if index - start > limit { return start }
      }
    }
    return nil
  }
}
