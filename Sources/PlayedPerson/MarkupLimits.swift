/// What no honest page does, and what libxml2 would take minutes for: it compares each attribute of a tag with all others.
enum MarkupLimits {
  static let mostAttributes = 500

  /// Whether some tag has more attributes than any page needs. Text of scripts and comments is passed over.
  static func areExceeded(by bytes: [UInt8]) -> Bool {
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "<") else {
        index += 1
        continue
      }
      let rest = bytes[(index + 1)...]
      if rest.starts(with: "!--".utf8) {
        index = end(of: "-->", in: bytes, from: index + 4)
      } else if let first = rest.first, isLetter(first) {
        let name = String(decoding: rest.prefix(while: isLetter).prefix(16), as: UTF8.self).lowercased()
        guard let next = endOfTag(in: bytes, from: index + 1 + name.utf8.count) else { return true }
        index = next
        if name == "script" || name == "style" { index = end(of: "</", in: bytes, from: index) }
      } else {
        index += 1
      }
    }
    return false
  }

  /// The position behind the tag; nil where it has too many attributes.
  private static func endOfTag(in bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    var attributes = 0
    var isInside = false
    while index < bytes.count, bytes[index] != UInt8(ascii: ">") {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        index = bytes[(index + 1)...].firstIndex(of: byte) ?? bytes.count
        isInside = false
      } else if byte <= 0x20 || byte == UInt8(ascii: "/") {
        isInside = false
      } else if !isInside {
        isInside = true
        attributes += 1
        if attributes > mostAttributes { return nil }
      }
      index += 1
    }
    return min(index + 1, bytes.count)
  }

  private static func end(of mark: String, in bytes: [UInt8], from start: Int) -> Int {
    let mark = Array(mark.utf8)
    var index = start
    while index + mark.count <= bytes.count {
      if bytes[index..<index + mark.count].elementsEqual(mark) {
        return index + (mark == Array("</".utf8) ? 0 : mark.count)
      }
      index += 1
    }
    return bytes.count
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
  }
}
