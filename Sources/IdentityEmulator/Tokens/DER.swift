/// The subset of DER (X.690) that certificates use.
enum DER {
  enum Tag: UInt8 {
    case integer = 0x02, bitString = 0x03, null = 0x05, identifier = 0x06, utf8String = 0x0C, utcTime = 0x17
    case generalizedTime = 0x18, sequence = 0x30, set = 0x31
    /// The explicit tag `[0]` of a certificate's version.
    case version = 0xA0
  }

  static func write(_ tag: Tag, _ content: [UInt8]) -> [UInt8] {
    var length: [UInt8] = []
    if content.count < 0x80 {
      length = [UInt8(content.count)]
    } else {
      var rest = content.count
      while rest > 0 {
        length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
        rest >>= 8
      }
      length.insert(0x80 | UInt8(length.count), at: 0)
    }
    return [tag.rawValue] + length + content
  }

  static func write(_ tag: Tag, _ parts: [[UInt8]]) -> [UInt8] { write(tag, parts.flatMap { $0 }) }

  /// Encodes a positive integer from its big-endian bytes.
  static func number(_ bytes: [UInt8]) -> [UInt8] {
    let short = Array(bytes.drop { $0 == 0 })
    return write(.integer, (short.first ?? 0x80) >= 0x80 ? [0] + short : short)
  }

  /// A DER element.
  struct Element {
    var tag: UInt8
    var content: ArraySlice<UInt8>
    /// The encoded element, including the tag and length.
    var encoding: ArraySlice<UInt8>
  }

  /// Parses a sequence of elements. Returns nil if the bytes are not valid DER.
  static func read(_ bytes: ArraySlice<UInt8>) -> [Element]? {
    var elements: [Element] = []
    var rest = bytes
    while !rest.isEmpty {
      let start = rest.startIndex
      guard rest.count >= 2, let tag = rest.popFirst(), let first = rest.popFirst() else { return nil }
      var length = Int(first)
      if first >= 0x80 {
        let count = Int(first & 0x7F)
        guard (1...3).contains(count), rest.count >= count else { return nil }
        length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(count)
      }
      guard rest.count >= length else { return nil }
      let content = rest.prefix(length)
      elements.append(Element(tag: tag, content: content, encoding: bytes[start..<content.endIndex]))
      rest = rest.dropFirst(length)
    }
    return elements
  }
}
