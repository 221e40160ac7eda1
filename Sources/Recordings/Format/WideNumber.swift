import Documents

/// Numbers that `Int64` and `Double` cannot represent exactly. Recordings must not round numbers from a service.
///
/// `JSON` cannot represent these numbers. During parsing and serialization, a marked string with all digits replaces
/// the number. The recording contains a placeholder such as `‹number 123456789012345678901234›`.
enum WideNumber {
  /// The start of a marked string. It begins with a Unicode noncharacter, which does not occur in interchanged text.
  private static let mark = "\u{10FFFF}number "

  /// The minimum number of digits in a wide number. Numbers with fewer digits are always exact.
  private static let minDigits = 17
  private static let maxDigits = 1000

  /// Replaces wide numbers in a JSON body with marked strings. Returns nil if the body does not contain wide numbers.
  static func marked(_ json: [UInt8]) -> [UInt8]? {
    guard mayContainWideNumber(json) else { return nil }
    var result: [UInt8] = []
    var index = 0
    var isInString = false
    var hasWideNumber = false
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
        while end < json.count, isNumberByte(json[end]) { end += 1 }
        let number = json[index..<end]
        if isWide(number) {
          hasWideNumber = true
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
    return hasWideNumber ? result : nil
  }

  /// Returns the digits of a marked string, or nil if the string is not marked.
  static func digits(_ text: String) -> String? {
    guard text.hasPrefix(mark) else { return nil }
    let digits = text.dropFirst(mark.count)
    return isNumber(digits) ? String(digits) : nil
  }

  /// Returns a marked string for the digits.
  static func marked(digits: String) -> String { mark + digits }

  /// Replaces marked strings in a JSON body with numbers.
  static func unmarked(_ json: [UInt8]) -> [UInt8] {
    let start = Array("\"\(mark)".utf8)
    guard json.firstRange(of: start) != nil else { return json }
    var result: [UInt8] = []
    var rest = json[...]
    while let match = rest.firstRange(of: start) {
      result += rest[..<match.lowerBound]
      rest = rest[match.upperBound...]
      guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { break }
      result += rest[..<end]
      rest = rest[(end + 1)...]
    }
    return result + rest
  }

  /// Whether the text is a valid JSON number of limited length.
  static func isNumber(_ text: some StringProtocol) -> Bool {
    (1...maxDigits).contains(text.utf8.count) && text.utf8.allSatisfy(isNumberByte)
      && (try? JSON(parsing: Array(text.utf8))) != nil
  }

  private static func mayContainWideNumber(_ json: [UInt8]) -> Bool {
    var run = 0
    for byte in json {
      run = isDigit(byte) ? run + 1 : byte == UInt8(ascii: ".") ? run : 0
      if run >= minDigits { return true }
    }
    return false
  }

  private static func isWide(_ number: ArraySlice<UInt8>) -> Bool {
    guard number.count <= maxDigits else { return false }
    let text = String(decoding: number, as: UTF8.self)
    if Int64(text) != nil { return false }
    return number.prefix { $0 | 0x20 != UInt8(ascii: "e") }.count(where: isDigit) >= minDigits
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func isNumberByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || "+-.eE".utf8.contains(byte)
  }
}
