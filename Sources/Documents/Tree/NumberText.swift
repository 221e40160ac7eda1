/// Functions that parse numbers in the text syntaxes. The readers have already validated the grammar.
enum NumberText {
  /// Parses a decimal, `0x`, or `0o` integer with an optional sign. Returns nil if it is invalid or does not fit into
  /// 128 bits.
  static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> Int128? {
    var index = 0
    var negative = false
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
      negative = bytes[index] == UInt8(ascii: "-")
      index += 1
    }
    var radix: Int128 = 10
    if index + 1 < bytes.count, bytes[index] == UInt8(ascii: "0") {
      if bytes[index + 1] | 0x20 == UInt8(ascii: "x") {
        radix = 16
        index += 2
      } else if bytes[index + 1] == UInt8(ascii: "o") {
        radix = 8
        index += 2
      }
    }
    guard index < bytes.count else { return nil }
    // Fast path: eighteen decimal digits always fit into 64 bits.
    if radix == 10, bytes.count - index <= 18 {
      var value: Int64 = 0
      while index < bytes.count {
        let digit = bytes[index] &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        value = value &* 10 &+ Int64(digit)
        index += 1
      }
      return Int128(negative ? -value : value)
    }
    var value: Int128 = 0
    while index < bytes.count {
      guard let digit = HexText.value(of: bytes[index]), Int128(digit) < radix else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: radix)
      let (difference, tooFar) = product.subtractingReportingOverflow(Int128(digit))
      guard !overflow, !tooFar else { return nil }
      value = difference
      index += 1
    }
    // The digits are accumulated as a negative number, because the lowest number has no positive counterpart.
    if negative { return value }
    return value == .min ? nil : -value
  }

  /// Returns the nearest double. Also accepts `.inf` from YAML, and `nan` and `infinity` from property lists.
  static func real(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    let text = String(decoding: bytes, as: UTF8.self)
    if let last = text.utf8.last, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(last) || last == UInt8(ascii: ".") {
      let number = last == UInt8(ascii: ".") ? text + "0" : text
      if let value = Double(number) { return value }
    }
    return named(text)
  }

  private static func named(_ text: String) -> Double? {
    switch text.lowercased() {
    case "nan", "+nan", "-nan", ".nan": .nan
    case "inf", "+inf", "infinity", "+infinity", ".inf", "+.inf": .infinity
    case "-inf", "-infinity", "-.inf": -.infinity
    default: nil
    }
  }

  /// Returns a decimal integer of any length with its plus sign and leading zeros removed. Returns nil if the text is
  /// not decimal.
  static func normalizedDecimal(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    var digits = Substring(String(decoding: bytes, as: UTF8.self))
    let negative = digits.first == "-"
    if digits.first == "-" || digits.first == "+" { digits = digits.dropFirst() }
    digits = digits.drop { $0 == "0" }
    guard digits.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else { return nil }
    return digits.isEmpty ? "0" : (negative ? "-" : "") + digits
  }
}
