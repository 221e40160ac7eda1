/// A filter that masks secrets in a source line, so that a diagnostic does not print them to a log.
///
/// Masks the value of a key whose name suggests a secret, and values in a secret format (`SecretPattern`). Each
/// character becomes a dot, so column numbers do not change. References such as `${secret:NAME}` are not masked.
struct SecretRedaction {
  /// The number of bytes before the line to search for a key whose value continues on this line.
  private static let lookBehind = 1024

  private let source: SourceText
  private let line: Range<Int>
  /// The offset from which the rest of the line is masked.
  private var maskStart: Int

  init(_ source: SourceText, line: Range<Int>) {
    self.source = source
    self.line = line
    maskStart = line.upperBound
    let first = max(0, line.lowerBound - Self.lookBehind)
    source.bytes.withUnsafeBufferPointer { bytes in
      let text = UnsafeBufferPointer(rebasing: bytes[first..<line.upperBound])
      maskStart = Self.findMaskStart(text, line.lowerBound - first) + first
      if let start = SecretPattern.start(text, from: line.lowerBound - first) { mask(from: start + first) }
    }
  }

  /// Masks the rest of the line from an offset.
  mutating func mask(from offset: Int) { maskStart = min(maskStart, offset) }

  /// Returns a part of the line with secrets masked.
  func text(_ start: Int, _ end: Int) -> String {
    let boundary = min(max(start, maskStart), end)
    let visible = source.text(in: SourceSpan(start: start, end: boundary))
    guard boundary < end else { return visible }
    let maskedText = source.text(in: SourceSpan(start: boundary, end: end))
    return visible + String(maskedText.map { $0.isWhitespace ? $0 : "•" })
  }

  // MARK: Finding the value

  private typealias Text = UnsafeBufferPointer<UInt8>

  /// Returns the offset where masking starts, or the end of the text. `lineStart` is the start of the displayed line.
  private static func findMaskStart(_ text: Text, _ lineStart: Int) -> Int {
    var index = 0
    while index < text.count {
      guard isSecretWord(text, index) else {
        index += 1
        continue
      }
      while index < text.count, isKeyPart(text[index]) { index += 1 }
      guard let start = value(text, after: index, lineStart) else { continue }
      guard isReference(text, start) else { return start }
      // References are not secrets, regardless of their key.
      index = start + 2
      while index < text.count, text[index] != UInt8(ascii: "}"), text[index] != UInt8(ascii: ")") { index += 1 }
    }
    return text.count
  }

  /// Words that occur in the names of secrets. Common misspellings are included, because a diagnostic about an unknown
  /// key shows the line with its value.
  private static let words: [StaticString] = [
    "secret", "secert", "sercet", "secrect", "secrt", "scret", "passw", "pasw", "passo", "pswo", "pssw", "pwd", "totp",
  ]

  /// Whether one of `words` starts here, ignoring case.
  private static func isSecretWord(_ text: Text, _ index: Int) -> Bool {
    switch text[index] | 0x20 {
    case UInt8(ascii: "s"), UInt8(ascii: "p"), UInt8(ascii: "t"): words.contains { starts(text, index, $0) }
    default: false
    }
  }

  private static func starts(_ text: Text, _ index: Int, _ word: StaticString) -> Bool {
    guard index + word.utf8CodeUnitCount <= text.count else { return false }
    for offset in 0..<word.utf8CodeUnitCount where text[index + offset] | 0x20 != word.utf8Start[offset] {
      return false
    }
    return true
  }

  private static func isKeyPart(_ byte: UInt8) -> Bool {
    switch byte | 0x20 {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default:
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "\""),
        UInt8(ascii: "'"), 0x80...:
        true
      default: false
      }
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }

  /// Returns the start of the key's value on this line, or nil if the line does not contain the value.
  private static func value(_ text: Text, after key: Int, _ lineStart: Int) -> Int? {
    var index = key
    func skipBlanks() { while index < text.count, isBlank(text[index]) { index += 1 } }
    func has(_ word: StaticString) -> Bool {
      guard index + word.utf8CodeUnitCount <= text.count else { return false }
      for offset in 0..<word.utf8CodeUnitCount where text[index + offset] != word.utf8Start[offset] { return false }
      return true
    }
    skipBlanks()
    guard index < text.count else { return nil }
    if has("</key>") {
      index += 6
      skipBlanks()
      guard has("<string>") || has("<data>") else { return nil }
      index += has("<string>") ? 8 : 6
      // The value may continue over several lines until its closing tag.
      return index >= lineStart
        ? index : continuation(text, from: index, lineStart) { $0 == UInt8(ascii: "<") }
    }
    guard text[index] == UInt8(ascii: ":") || text[index] == UInt8(ascii: "=") else { return nil }
    index += 1
    let afterSeparator = index
    skipBlanks()
    guard index < text.count, !isMapping(text, afterSeparator, index) else { return nil }
    if text[index] == UInt8(ascii: "|") || text[index] == UInt8(ascii: ">") {
      return block(text, key: key, mark: index, lineStart)
    }
    let quote = text[index]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      index += 1
      return index >= lineStart ? index : continuation(text, from: index, lineStart) { $0 == quote }
    }
    return index >= lineStart ? index : nil
  }

  /// Whether the value is a mapping with other keys. For example, `passwordPolicy:` is not a secret.
  private static func isMapping(_ text: Text, _ colon: Int, _ value: Int) -> Bool {
    guard text[colon..<value].contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return false }
    switch text[value] {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return false
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "#"): return true
    default:
      let line = text[value...].prefix { $0 != 0x0A && $0 != 0x0D }
      return line.indices.contains { index in
        line[index] == UInt8(ascii: ":") && (index + 1 == line.endIndex || isBlank(line[index + 1]))
      }
    }
  }

  /// Returns whether a reference such as `${NAME}` or `$(NAME)` starts here.
  private static func isReference(_ text: Text, _ index: Int) -> Bool {
    index + 1 < text.count && text[index] == UInt8(ascii: "$")
      && (text[index + 1] == UInt8(ascii: "{") || text[index + 1] == UInt8(ascii: "("))
  }

  /// Returns the start of the line if a value from an earlier line continues on this line, or nil.
  private static func continuation(_ text: Text, from index: Int, _ lineStart: Int, closes: (UInt8) -> Bool) -> Int? {
    text[index..<max(index, lineStart)].contains(where: closes) ? nil : lineStart
  }

  /// Returns the start of the line if the line belongs to a YAML block scalar (`key: |`), or nil. Its value consists of
  /// the following lines that are indented more than the key.
  private static func block(_ text: Text, key: Int, mark: Int, _ lineStart: Int) -> Int? {
    guard mark < lineStart, var line = text[mark...].firstIndex(of: 0x0A) else { return nil }
    func indent(_ start: Int) -> Int { text[start...].prefix { $0 == 0x20 }.count }
    var keyLine = key
    while keyLine > 0, text[keyLine - 1] != 0x0A { keyLine -= 1 }
    let outer = indent(keyLine)
    line += 1
    while line < lineStart {
      let isEmpty = line < text.count && (text[line] == 0x0A || text[line] == 0x0D)
      guard isEmpty || indent(line) > outer else { return nil }
      guard let next = text[line...].firstIndex(of: 0x0A) else { return nil }
      line = next + 1
    }
    return line == lineStart && indent(line) > outer ? lineStart : nil
  }
}
