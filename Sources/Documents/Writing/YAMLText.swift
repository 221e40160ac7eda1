/// Functions that format a string so that parsers of YAML 1.2 and YAML 1.1 read the same string.
enum YAMLText {
  /// Returns a plain scalar if possible, or a literal block if the text has several lines and `indent` is set.
  /// Otherwise, returns a quoted scalar.
  static func of(_ text: String, indent: Int?) -> String {
    if let indent, let block = literal(text, indent: indent) { return block }
    return inline(text)
  }

  static func inline(_ text: String) -> String {
    isPlain(text) ? text : quoted(text)
  }

  /// Words that YAML 1.1 does not read as strings.
  private static let yaml11Words: Set<String> = ["y", "n", "yes", "no", "on", "off", "<<", "="]

  static func isPlain(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let first = bytes.first, let last = bytes.last, first != 0x20, last != 0x20, last != UInt8(ascii: ":"),
      !yaml11Words.contains(text.lowercased())
    else { return false }
    // Quote everything that starts like a number or a date, because parsers differ in how they read it.
    guard !indicators.contains(first), !ByteClassification.isDigit(first), first != UInt8(ascii: "+"),
      first != UInt8(ascii: ".")
    else { return false }
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: ":"), index + 1 < bytes.count, bytes[index + 1] == 0x20 { return false }
      if bytes[index] == UInt8(ascii: "#"), index > 0, bytes[index - 1] == 0x20 { return false }
    }
    guard text.unicodeScalars.allSatisfy({ !needsEscape($0) && $0 != "\n" && $0 != "\t" }) else { return false }
    return bytes.withUnsafeBufferPointer { YAMLCoreSchema.kind(of: $0) } == .string
  }

  private static let indicators: [UInt8] = Array("-?:,[]{}#&*!|>'\"%@`".utf8)

  /// Returns whether the character must be escaped in a double-quoted string.
  private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: true
    default: scalar.value & 0xFFFE == 0xFFFE
    }
  }

  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case _ where needsEscape(scalar):
        let digits = String(scalar.value, radix: 16)
        let (letter, width) = scalar.value < 0x100 ? ("x", 2) : scalar.value < 0x10000 ? ("u", 4) : ("U", 8)
        result += "\\" + letter + String(repeating: "0", count: width - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Returns a literal block without its last line ending. Returns nil if the text has one line or a block would not
  /// preserve it.
  private static func literal(_ text: String, indent: Int) -> String? {
    guard text.unicodeScalars.contains("\n"), let first = text.unicodeScalars.first, first != " ", first != "\n",
      first != "\t", text.unicodeScalars.allSatisfy({ !needsEscape($0) })
    else { return nil }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let endsLine = lines.last?.isEmpty == true
    if endsLine { lines.removeLast() }
    let keepsTrailingLines = endsLine && lines.last?.isEmpty == true
    // Editors remove trailing spaces, and a last line that consists of spaces is ambiguous.
    guard !lines.contains(where: { $0.utf8.last == 0x20 || $0.utf8.last == 0x09 }) else { return nil }
    let margin = String(repeating: " ", count: max(indent, 2))
    let header = keepsTrailingLines ? "|+" : endsLine ? "|" : "|-"
    return header + "\n" + lines.map { $0.isEmpty ? "" : margin + $0 }.joined(separator: "\n")
  }
}
