/// Checks whether part of a string is a separate word or value.
enum WordBoundary {
  /// Returns whether no letter or digit is directly before or after the part.
  static func isAlone(_ range: Range<Int>, in text: [UInt8]) -> Bool {
    !(isWord(endingAt: range.lowerBound, in: text) && isWord(at: range.lowerBound, in: text))
      && !(isWord(endingAt: range.upperBound, in: text) && isWord(at: range.upperBound, in: text))
  }

  /// Returns whether the part is the entire text or the value in `name=value`, `"name": "value"`, or `name: value`.
  static func isWholeValue(_ range: Range<Int>, in text: [UInt8]) -> Bool {
    var start = range.lowerBound
    if start > 1, text[start - 1] == UInt8(ascii: " ") {
      start -= 1
      guard text[start - 1] == UInt8(ascii: ":") || text[start - 1] == UInt8(ascii: "=") else { return false }
    }
    let startsAtBoundary = start == 0 || "=:\"'>".utf8.contains(text[start - 1])
    return startsAtBoundary
      && (range.upperBound == text.count || "&;,\"'<# \n\r}])".utf8.contains(text[range.upperBound]))
  }

  /// Returns whether a byte is a character in either base64 alphabet.
  static func isBase64(_ byte: UInt8) -> Bool {
    isASCIIWord(byte) || "+/-_".utf8.contains(byte)
  }

  private static func isASCIIWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  /// Returns whether a letter or digit starts at an offset.
  private static func isWord(at index: Int, in text: [UInt8]) -> Bool {
    guard index < text.count else { return false }
    guard text[index] >= 0x80 else { return isASCIIWord(text[index]) }
    // Latin-1 punctuation, and general punctuation (U+2000 to U+207F) such as quotes, dashes, and placeholder marks.
    return text[index] != 0xC2 && !(text[index] == 0xE2 && index + 1 < text.count && text[index + 1] <= 0x81)
  }

  /// Returns whether a letter or digit ends at an offset.
  private static func isWord(endingAt end: Int, in text: [UInt8]) -> Bool {
    guard end > 0 else { return false }
    var start = end - 1
    while start > 0, text[start] & 0xC0 == 0x80, end - start < 4 { start -= 1 }
    return isWord(at: start, in: text)
  }
}
