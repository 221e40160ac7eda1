/// A start tag, parsed from the text because libxml2 does not report the locations of attributes.
struct XMLTag {
  struct Attribute {
    var name: Range<Int>
    /// The range of the value inside the quotes.
    var value: Range<Int>
    /// The offset after the value and, if there is one, its closing quote.
    var end: Int
  }

  var name: Range<Int>
  var attributes: [Attribute] = []
  /// The offset after the tag's `>`, or the offset of the next `<` if the tag is not closed.
  var end: Int
  /// Whether the tag is an empty-element tag such as `<a/>`.
  var isEmptyElement = false

  /// - Parameter start: The offset of the `<`.
  init(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
    var index = min(start + 1, bytes.count)
    func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }
    func skip(while isIncluded: (UInt8) -> Bool) {
      while index < bytes.count, isIncluded(bytes[index]) { index += 1 }
    }
    skip { Self.isNamePart($0) }
    name = min(start + 1, bytes.count)..<index
    while index < bytes.count {
      skip(while: ByteClassification.isBlank)
      let next = byte(index)
      if index >= bytes.count || next == UInt8(ascii: "<") { break }
      if next == UInt8(ascii: ">") {
        index += 1
        isEmptyElement = bytes[index - 2] == UInt8(ascii: "/")
        break
      }
      let nameStart = index
      skip { Self.isNamePart($0) }
      let name = nameStart..<index
      skip(while: ByteClassification.isBlank)
      guard !name.isEmpty, byte(index) == UInt8(ascii: "=") else {
        if name.isEmpty, byte(index) != UInt8(ascii: "<"), byte(index) != UInt8(ascii: ">") { index += 1 }
        continue
      }
      index += 1
      skip(while: ByteClassification.isBlank)
      let quote = byte(index)
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { continue }
      index += 1
      let valueStart = index
      skip { $0 != quote && $0 != UInt8(ascii: "<") }
      let valueEnd = index
      if byte(index) == quote { index += 1 }
      attributes.append(Attribute(name: name, value: valueStart..<valueEnd, end: index))
    }
    end = index
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "/"), UInt8(ascii: "<"), UInt8(ascii: "\""),
      UInt8(ascii: "'"):
      false
    default: !ByteClassification.isBlank(byte)
    }
  }
}
