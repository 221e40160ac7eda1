/// The rules that determine the types of plain scalars (YAML 1.2.2 §10.3.2). `yes`, `on`, and dates are strings.
/// Numbers with `0o` or `0x` are integers.
enum YAMLCoreSchema {
  static let tagPrefix = "tag:yaml.org,2002:"

  static func kind(of text: UnsafeBufferPointer<UInt8>) -> NodeRecord.Kind {
    guard let first = text.first else { return .null }
    switch first {
    case UInt8(ascii: "~"): return text.count == 1 ? .null : .string
    case UInt8(ascii: "n"), UInt8(ascii: "N"): return isWord("null", "Null", "NULL", text) ? .null : .string
    case UInt8(ascii: "t"), UInt8(ascii: "T"): return isWord("true", "True", "TRUE", text) ? .bool : .string
    case UInt8(ascii: "f"), UInt8(ascii: "F"): return isWord("false", "False", "FALSE", text) ? .bool : .string
    case UInt8(ascii: "."):
      if isWord(".inf", ".Inf", ".INF", text) || isWord(".nan", ".NaN", ".NAN", text) { return .real }
      return number(text, from: 0)
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      let rest = UnsafeBufferPointer(rebasing: text[1...])
      if isWord(".inf", ".Inf", ".INF", rest) { return .real }
      return number(text, from: 1)
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      if first == UInt8(ascii: "0"), text.count > 2 {
        if text[1] == UInt8(ascii: "x") {
          return text[2...].allSatisfy { HexText.value(of: $0) != nil } ? inRange(text) : .string
        }
        if text[1] == UInt8(ascii: "o") {
          return text[2...].allSatisfy { $0 & 0xF8 == 0x30 } ? inRange(text) : .string
        }
      }
      return number(text, from: 0)
    default: return .string
    }
  }

  /// Treats hexadecimal numbers with more than 128 bits, such as hashes, as strings.
  private static func inRange(_ text: UnsafeBufferPointer<UInt8>) -> NodeRecord.Kind {
    NumberText.integer(text) == nil ? .string : .integer
  }

  private static func isWord(
    _ lower: StaticString, _ capital: StaticString, _ upper: StaticString, _ text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard text.count == lower.utf8CodeUnitCount else { return false }
    func equals(_ word: StaticString) -> Bool {
      for index in 0..<text.count where text[index] != word.utf8Start[index] { return false }
      return true
    }
    return equals(lower) || equals(capital) || equals(upper)
  }

  /// Recognizes `[0-9]+` as an integer and `(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?` as a float.
  private static func number(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> NodeRecord.Kind {
    var index = start
    func digits() -> Int {
      let before = index
      while index < text.count, ByteClassification.isDigit(text[index]) { index += 1 }
      return index - before
    }
    let whole = digits()
    if index == text.count { return whole > 0 ? .integer : .string }
    if text[index] == UInt8(ascii: ".") {
      index += 1
      let fraction = digits()
      guard whole > 0 || fraction > 0 else { return .string }
    } else if whole == 0 {
      return .string
    }
    if index < text.count, text[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < text.count, text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") { index += 1 }
      guard digits() > 0 else { return .string }
    }
    return index == text.count ? .real : .string
  }
}
