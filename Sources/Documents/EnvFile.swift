import Diagnostics

/// A `.env` file with one variable per line, `NAME=value`, in the format of dotenv tools and Docker Compose.
///
/// `export` before a name is ignored. A value without quotes ends at the end of the line, or at whitespace and `#`.
/// Single quotes enclose a literal value. Double quotes allow the escapes `\n`, `\r`, `\t`, `\"`, `\\`, and `\$`, and a
/// value that spans several lines. References such as `$NAME` are not expanded.
package struct EnvFile: Sendable {
  package struct Variable: Sendable {
    package var name: String
    package var value: String
    package var nameSpan: SourceSpan
  }

  package var source: SourceText
  /// The variables in file order. The last variable with a given name overrides earlier variables.
  package var variables: [Variable] = []
  package var diagnostics: [Diagnostic] = []

  /// The values by name.
  package var values: [String: String] {
    variables.reduce(into: [:]) { $0[$1.name] = $1.value }
  }

  /// Reads a file without throwing. All problems are reported in `diagnostics`.
  package static func read(_ bytes: [UInt8], named name: String, limits: ReadingLimits = .init()) -> EnvFile {
    func failure(_ diagnostic: Diagnostic) -> EnvFile {
      EnvFile(source: SourceText(name: name, bytes: []), diagnostics: [diagnostic])
    }
    if bytes.count > limits.size { return failure(.tooLarge(bytes, name, limits)) }
    switch TextDecoding.decode(bytes, named: name) {
    case .refused(let diagnostic): return failure(diagnostic)
    case .text(let text, let diagnostics):
      var reader = EnvFileReader(text.source, limits: limits)
      reader.read()
      reader.file.diagnostics = diagnostics + reader.file.diagnostics
      return reader.file
    }
  }
}

private struct EnvFileReader {
  var file: EnvFile
  private let limits: ReadingLimits
  private let bytes: [UInt8]
  private var position = 0

  init(_ source: SourceText, limits: ReadingLimits) {
    file = EnvFile(source: SourceText(name: source.name, bytes: Self.withoutValues(source.bytes)))
    self.limits = limits
    bytes = source.bytes
  }

  /// Returns the text for diagnostics. Values are masked because `.env` files usually contain secrets. In a line that
  /// starts with a variable, the name stays visible. Other lines are masked completely because they may be the
  /// continuation of a private key.
  private static func withoutValues(_ bytes: [UInt8]) -> [UInt8] {
    var masked = bytes
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
      let isName = { (byte: UInt8) in isNamePart(byte) || ByteClassification.isBlank(byte) }
      let name = bytes[start..<end].firstIndex { !isName($0) } ?? end
      let maskStart = name < end && bytes[name] == UInt8(ascii: "=") ? name + 1 : start
      for index in maskStart..<end where !ByteClassification.isBlank(bytes[index]) { masked[index] = UInt8(ascii: "*") }
      start = end + 1
    }
    return masked
  }

  private func byte(_ ahead: Int = 0) -> UInt8 { position + ahead < bytes.count ? bytes[position + ahead] : 0 }
  private var isAtLineEnd: Bool { position >= bytes.count || byte() == 0x0A || byte() == 0x0D }

  private mutating func skipBlanks() { while !isAtLineEnd, ByteClassification.isBlank(byte()) { position += 1 } }
  private mutating func skipRest() { while !isAtLineEnd { position += 1 } }

  /// Reports an error and skips the rest of the line.
  private mutating func report(_ message: String, help: String, _ span: SourceSpan) {
    skipRest()
    guard file.diagnostics.count < limits.diagnostics else { return }
    file.diagnostics.append(
      Diagnostic(.error, rule: "env-syntax", message, help: help, at: FileSpan(file.source, span)))
  }

  mutating func read() {
    while position < bytes.count {
      skipBlanks()
      if isAtLineEnd {
        position += 1
      } else if byte() == UInt8(ascii: "#") {
        skipRest()
      } else {
        readVariable()
      }
    }
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    ByteClassification.isLetter(byte) || ByteClassification.isDigit(byte) || byte == UInt8(ascii: "_")
  }

  private mutating func readName() -> SourceSpan {
    let start = position
    while Self.isNamePart(byte()) { position += 1 }
    return SourceSpan(start: start, end: position)
  }

  private func text(_ span: SourceSpan) -> String { String(decoding: bytes[span.start..<span.end], as: UTF8.self) }

  private mutating func readVariable() {
    var name = readName()
    if text(name) == "export", ByteClassification.isBlank(byte()) {
      skipBlanks()
      name = readName()
    }
    let help = "write `NAME=value`, or `#` before a comment"
    guard name.start < name.end, !ByteClassification.isDigit(bytes[name.start]) else {
      return report("missing variable name", help: help, .at(name.start))
    }
    skipBlanks()
    guard byte() == UInt8(ascii: "=") else { return report("missing `=` after the variable name", help: help, name) }
    position += 1
    skipBlanks()
    guard let value = readValue(name) else { return }
    file.variables.append(EnvFile.Variable(name: text(name), value: value, nameSpan: name))
  }

  private mutating func readValue(_ name: SourceSpan) -> String? {
    let quote = byte()
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return readPlain() }
    position += 1
    var value: [UInt8] = []
    while position < bytes.count, byte() != quote {
      if quote == UInt8(ascii: "\""), byte() == UInt8(ascii: "\\"), let escaped = Self.escapes[byte(1)] {
        value.append(escaped)
        position += 1
      } else {
        value.append(byte())
      }
      position += 1
    }
    guard position < bytes.count else {
      report("unclosed quote", help: "add `\(Character(Unicode.Scalar(quote)))` at the end of the value", name)
      return nil
    }
    position += 1
    skipBlanks()
    guard isAtLineEnd || byte() == UInt8(ascii: "#") else {
      report("unexpected text after the closing quote", help: "enclose the complete value in the quotes", name)
      return nil
    }
    skipRest()
    return String(decoding: value, as: UTF8.self)
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09, UInt8(ascii: "\""): UInt8(ascii: "\""),
    UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "$"): UInt8(ascii: "$"),
  ]

  private mutating func readPlain() -> String {
    let start = position
    var end = position
    while !isAtLineEnd {
      let isComment =
        byte() == UInt8(ascii: "#") && (position == start || ByteClassification.isBlank(bytes[position - 1]))
      if isComment { break }
      if !ByteClassification.isBlank(byte()) { end = position + 1 }
      position += 1
    }
    skipRest()
    return text(SourceSpan(start: start, end: end))
  }
}
