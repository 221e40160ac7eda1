import Diagnostics

/// An Xcode build configuration file: `KEY[sdk=iphoneos*] = value // comment` and `#include "other.xcconfig"`.
///
/// The file is parsed as in swift-build. `//` starts a comment anywhere, so `https://` truncates a value. A single `;`
/// at the end of a value is removed, and a `\` at the end of a line continues the value on the next line.
package struct XCConfig: Sendable {
  package struct Setting: Sendable {
    package var key: String
    /// The text in the square brackets, such as `sdk=iphoneos*`. Several conditions are joined with commas. Nil if
    /// there are none.
    package var condition: String?
    /// The value without surrounding whitespace. If the value spans several lines, its parts are joined with spaces.
    package var value: String
    package var keySpan: SourceSpan
    /// The range of the value, or an empty range after `=` if there is no value.
    package var valueSpan: SourceSpan
  }

  package struct Include: Sendable {
    /// The path as written. It is relative to the file that contains the include.
    package var path: String
    /// Whether the file may be missing (`#include?`).
    package var isOptional: Bool
    /// The range of the path inside the quotes.
    package var pathSpan: SourceSpan
  }

  package enum Statement: Sendable {
    case setting(Setting)
    case include(Include)
  }

  package var source: SourceText
  /// The statements in file order. The last setting with the same key and condition overrides earlier settings.
  package var statements: [Statement] = []
  package var diagnostics: [Diagnostic] = []

  package var settings: [Setting] {
    statements.compactMap { if case .setting(let setting) = $0 { setting } else { nil } }
  }

  package var includes: [Include] {
    statements.compactMap { if case .include(let include) = $0 { include } else { nil } }
  }

  /// All comments of the file.
  package var comments: [Comment] { Comments.all(in: source, syntax: .xcconfig) }

  /// The last setting with this key and without a condition.
  package subscript(key: String) -> Setting? { settings.last { $0.key == key && $0.condition == nil } }

  /// Reads a file without throwing. All problems are reported in `diagnostics`.
  package static func read(_ bytes: [UInt8], named name: String, limits: ReadingLimits = .init()) -> XCConfig {
    func failure(_ diagnostic: Diagnostic) -> XCConfig {
      XCConfig(source: SourceText(name: name, bytes: []), diagnostics: [diagnostic])
    }
    if bytes.count > limits.size { return failure(.tooLarge(bytes, name, limits)) }
    switch TextDecoding.decode(bytes, named: name) {
    case .refused(let diagnostic): return failure(diagnostic)
    case .text(let text, let diagnostics):
      var reader = XCConfigReader(text.source, limits: limits)
      reader.read()
      reader.file.diagnostics = diagnostics + reader.file.diagnostics
      return reader.file
    }
  }
}

private struct XCConfigReader {
  var file: XCConfig
  let limits: ReadingLimits
  let bytes: [UInt8]
  var position = 0

  init(_ source: SourceText, limits: ReadingLimits) {
    file = XCConfig(source: source)
    self.limits = limits
    bytes = source.bytes
  }

  private func byte(_ ahead: Int = 0) -> UInt8 { position + ahead < bytes.count ? bytes[position + ahead] : 0 }

  /// The length of the line ending at the current position, or 0 if there is none. Unicode's line and paragraph
  /// separators also count as line endings.
  private var lineEnd: Int {
    switch byte() {
    case 0x0A: 1
    case 0x0D: byte(1) == 0x0A ? 2 : 1
    case 0xE2 where byte(1) == 0x80 && (byte(2) == 0xA8 || byte(2) == 0xA9): 3
    default: 0
    }
  }

  private var isAtEnd: Bool { position >= bytes.count || lineEnd > 0 }
  private var isAtComment: Bool { byte() == UInt8(ascii: "/") && byte(1) == UInt8(ascii: "/") }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    ByteClassification.isLetter(byte) || ByteClassification.isDigit(byte) || byte == UInt8(ascii: "_")
  }

  private mutating func skipRest() { while !isAtEnd { position += 1 } }

  private mutating func skipBlanks() {
    while !isAtEnd, ByteClassification.isBlank(byte()) { position += 1 }
    if isAtComment { skipRest() }
  }

  /// Reports an error and skips the rest of the line.
  private mutating func report(_ message: String, help: String, from start: Int) {
    skipRest()
    guard file.diagnostics.count < limits.diagnostics else { return }
    let span = SourceSpan(start: start, end: position)
    file.diagnostics.append(
      Diagnostic(.error, rule: "xcconfig-syntax", message, help: help, at: FileSpan(file.source, span)))
  }

  /// The maximum number of statements. A statement takes much more memory than its text.
  private static let maximumStatements = 10_000

  mutating func read() {
    while position < bytes.count {
      guard file.statements.count < min(limits.expandedNodes, Self.maximumStatements) else {
        file.diagnostics.append(
          Diagnostic(
            .error, rule: "too-large", "more than \(file.statements.count) settings",
            help: "check the program that created the file",
            at: FileSpan(file.source, .at(position))))
        return
      }
      skipBlanks()
      if !isAtEnd { readLine() }
      position += lineEnd
    }
  }

  private mutating func readLine() {
    if byte() == UInt8(ascii: "#") { return readDirective() }
    let start = position
    guard Self.isNamePart(byte()), !ByteClassification.isDigit(byte()) else {
      return report("not a build setting", help: "write `KEY = value`, or `//` before a comment", from: start)
    }
    while Self.isNamePart(byte()) { position += 1 }
    let keySpan = SourceSpan(start: start, end: position)
    skipBlanks()
    var conditions: [String] = []
    while byte() == UInt8(ascii: "[") {
      let inner = position + 1
      while !isAtEnd, byte() != UInt8(ascii: "]") { position += 1 }
      guard byte() == UInt8(ascii: "]"), bytes[inner..<position].contains(UInt8(ascii: "=")) else {
        return report("incomplete condition", help: "write `KEY[sdk=iphoneos*] = value`", from: inner - 1)
      }
      conditions.append(text(inner, position))
      position += 1
      skipBlanks()
    }
    guard byte() == UInt8(ascii: "=") else {
      return report(
        "missing `=` after `\(text(keySpan.start, keySpan.end))`", help: "write `KEY = value`", from: start)
    }
    position += 1
    let (value, span) = readValue()
    file.statements.append(
      .setting(
        XCConfig.Setting(
          key: text(keySpan.start, keySpan.end),
          condition: conditions.isEmpty ? nil : conditions.joined(separator: ","),
          value: value, keySpan: keySpan, valueSpan: span)))
  }

  private mutating func readValue() -> (String, SourceSpan) {
    var parts: [String] = []
    var span: SourceSpan?
    while true {
      let equals = position
      while !isAtEnd, ByteClassification.isBlank(byte()) { position += 1 }
      let start = position
      while !isAtEnd, !isAtComment { position += 1 }
      var end = trimmed(start, position)
      if end > start, bytes[end - 1] == UInt8(ascii: ";") { end = trimmed(start, end - 1) }
      skipRest()
      let isContinued = end > start && bytes[end - 1] == UInt8(ascii: "\\")
      if isContinued { end = trimmed(start, end - 1) }
      if end > start {
        parts.append(text(start, end))
        span = SourceSpan(start: span?.start ?? start, end: end)
      } else if span == nil, !isContinued {
        span = .at(min(equals, bytes.count))
      }
      guard isContinued, position < bytes.count else { break }
      position += lineEnd
    }
    return (parts.joined(separator: " "), span ?? .at(min(position, bytes.count)))
  }

  private func trimmed(_ start: Int, _ end: Int) -> Int {
    var end = end
    while end > start, ByteClassification.isBlank(bytes[end - 1]) { end -= 1 }
    return end
  }

  private func text(_ start: Int, _ end: Int) -> String { String(decoding: bytes[start..<end], as: UTF8.self) }

  private mutating func readDirective() {
    let start = position
    position += 1
    skipBlanks()
    let word = position
    while !isAtEnd, !ByteClassification.isBlank(byte()), byte() != UInt8(ascii: "\"") { position += 1 }
    let directive = text(word, position)
    skipBlanks()
    guard directive == "include" || directive == "include?", byte() == UInt8(ascii: "\"") else {
      return report(
        "unknown directive", help: "write `#include \"other.xcconfig\"`, or `//` before a comment", from: start)
    }
    let path = position + 1
    position = path
    while !isAtEnd, byte() != UInt8(ascii: "\"") { position += 1 }
    guard byte() == UInt8(ascii: "\"") else {
      return report("unclosed path", help: "write `#include \"other.xcconfig\"`", from: path - 1)
    }
    file.statements.append(
      .include(
        XCConfig.Include(
          path: text(path, position), isOptional: directive == "include?",
          pathSpan: SourceSpan(start: path, end: position))))
    position += 1
    let rest = position
    skipBlanks()
    if !isAtEnd {
      report("unexpected text after the path", help: "add `//` before a comment", from: rest)
    }
  }
}
