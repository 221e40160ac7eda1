import Documents

/// Numbers that 64 bits do not hold exactly: a recording must not round what a service said.
///
/// JSON values have no place for them, so they travel as marked strings from a body to the recording and from the recording to a
/// body, digit for digit. In the recording itself they stand as `‹number 123456789012345678901234›`.
enum WideNumber {
  /// No text in the world has this in it (Unicode keeps the last code point for itself).
  private static let mark = "\u{10FFFF}number "

  /// Fewer digits in a row are held exactly.
  private static let fewestDigits = 17
  private static let mostDigits = 1000

  /// The body with each such number as a marked string; nil where it has none.
  static func marked(_ json: [UInt8]) -> [UInt8]? {
    guard mayHaveOne(json) else { return nil }
    var result: [UInt8] = []
    var index = 0
    var isInString = false
    var found = false
    while index < json.count {
      let byte = json[index]
      if isInString {
        result.append(byte)
        if byte == UInt8(ascii: "\\"), index + 1 < json.count {
          index += 1
          result.append(json[index])
        }
        if byte == UInt8(ascii: "\"") { isInString = false }
        index += 1
      } else if byte == UInt8(ascii: "-") || isDigit(byte) {
        var end = index
        while end < json.count, isOfNumber(json[end]) { end += 1 }
        let number = json[index..<end]
        if isWide(number) {
          found = true
          result += Array("\"\(mark)".utf8) + number + [UInt8(ascii: "\"")]
        } else {
          result += number
        }
        index = end
      } else {
        if byte == UInt8(ascii: "\"") { isInString = true }
        result.append(byte)
        index += 1
      }
    }
    return found ? result : nil
  }

  /// The digits of a marked string.
  static func digits(_ text: String) -> String? {
    guard text.hasPrefix(mark) else { return nil }
    let digits = text.dropFirst(mark.count)
    return isNumber(digits) ? String(digits) : nil
  }

  /// A marked string.
  static func marked(digits: String) -> String { mark + digits }

  /// The body with the marked strings as numbers again.
  static func unmarked(_ json: [UInt8]) -> [UInt8] {
    let start = Array("\"\(mark)".utf8)
    guard json.firstRange(of: start) != nil else { return json }
    var result: [UInt8] = []
    var rest = json[...]
    while let found = rest.firstRange(of: start) {
      result += rest[..<found.lowerBound]
      rest = rest[found.upperBound...]
      guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { break }
      result += rest[..<end]
      rest = rest[(end + 1)...]
    }
    return result + rest
  }

  /// Whether the text is a number that may stand in a recording as one.
  static func isNumber(_ text: some StringProtocol) -> Bool {
    (1...mostDigits).contains(text.utf8.count) && text.utf8.allSatisfy(isOfNumber)
      && (try? JSON(parsing: Array(text.utf8))) != nil
  }

  private static func mayHaveOne(_ json: [UInt8]) -> Bool {
    var run = 0
    for byte in json {
      run = isDigit(byte) ? run + 1 : byte == UInt8(ascii: ".") ? run : 0
      if run >= fewestDigits { return true }
    }
    return false
  }

  private static func isWide(_ number: ArraySlice<UInt8>) -> Bool {
    guard number.count <= mostDigits else { return false }
    let text = String(decoding: number, as: UTF8.self)
    if Int64(text) != nil { return false }
    return number.prefix { $0 | 0x20 != UInt8(ascii: "e") }.count(where: isDigit) >= fewestDigits
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    isDigit(byte) || "+-.eE".utf8.contains(byte)
  }
}
