import Effects

/// A formatter for XML property lists in Xcode's style: one tab per level below `<dict>`. Line breaks are preserved,
/// except in lines that are too long.
struct PropertyListFormatter {
  private struct Tag {
    var range: Range<Int>
    var name: ArraySlice<UInt8>
    var isClosing: Bool
    var isEmpty: Bool
  }

  private let bytes: [UInt8]
  private var output: FormattedLines
  private var line: [UInt8] = []
  private var depth = 0
  private var position = 0
  /// Whether the first token of the line has been written.
  private var hasContent = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    output = FormattedLines(like: bytes)
  }

  func format() -> [UInt8] {
    var formatter = self
    formatter.write()
    return formatter.output.bytes
  }

  private mutating func write() {
    while position < bytes.count {
      if ByteClass.isWhite(bytes[position]) {
        writeWhitespace()
      } else if bytes[position] == UInt8(ascii: "<") {
        writeMarkup()
      } else {
        write(position..<position + 1)
      }
    }
    if hasContent { output.add(line) }
  }

  /// Writes the whitespace between two elements.
  private mutating func writeWhitespace() {
    let start = position
    while position < bytes.count, ByteClass.isWhite(bytes[position]) { position += 1 }
    let breaks = bytes[start..<position].count { $0 == 0x0A }
    if breaks > 0 || bytes[start..<position].contains(0x0D) {
      endLine()
      if breaks > 1 { output.add([]) }
    } else if hasContent, position < bytes.count {
      line.append(0x20)
    }
  }

  private mutating func endLine() {
    if hasContent { output.add(line) }
    line = []
    hasContent = false
  }

  private mutating func writeMarkup() {
    if starts("<!--") { return write(position..<end(after: "-->")) }
    if starts("<![CDATA[") { return write(position..<end(after: "]]>")) }
    if starts("<?") { return write(position..<end(after: "?>")) }
    if starts("<!") { return write(position..<end(after: ">")) }
    let tag = tag()
    if hasContent, isCrowded(position) { endLine() }
    let isContainer = ["dict", "array", "plist"].contains { tag.name.elementsEqual($0.utf8) }
    let isRoot = tag.name.elementsEqual("plist".utf8)
    if tag.isClosing, isContainer, !isRoot { depth = max(0, depth - 1) }
    if !isContainer, !tag.isClosing, !tag.isEmpty {
      // The content of a scalar is significant.
      let closing = [UInt8(ascii: "<"), UInt8(ascii: "/")] + Array(tag.name)
      let content = bytes[tag.range.upperBound...].firstRange(ofBytes: closing)?.upperBound ?? bytes.count
      let end = bytes[content...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? bytes.count
      write(position..<end)
    } else {
      write(tag.range)
    }
    if !tag.isClosing, !tag.isEmpty, isContainer, !isRoot { depth += 1 }
  }

  /// Whether the source line that contains an offset is too long and contains more than a key and its value.
  private func isCrowded(_ offset: Int) -> Bool {
    let start = bytes[..<offset].lastIndex(where: ByteClass.isLineEnd).map { $0 + 1 } ?? 0
    let end = bytes[offset...].firstIndex(where: ByteClass.isLineEnd) ?? bytes.count
    guard end - start > DocumentFormatter.lineLength else { return false }
    return bytes[start..<end].count { $0 == UInt8(ascii: "<") } > 4
  }

  private func starts(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  private func end(after text: String) -> Int {
    bytes[position...].firstRange(ofBytes: Array(text.utf8))?.upperBound ?? bytes.count
  }

  private func tag() -> Tag {
    let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? bytes.count
    let isClosing = position + 1 < end && bytes[position + 1] == UInt8(ascii: "/")
    let start = min(position + (isClosing ? 2 : 1), end)
    let nameEnd = bytes[start..<end].firstIndex {
      ByteClass.isWhite($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ">")
    }
    let isEmpty = end - 2 >= position && bytes[end - 2] == UInt8(ascii: "/")
    return Tag(range: position..<end, name: bytes[start..<(nameEnd ?? end)], isClosing: isClosing, isEmpty: isEmpty)
  }

  /// Writes a token, which can span several lines.
  private mutating func write(_ range: Range<Int>) {
    if line.isEmpty { line = Array(repeating: 0x09, count: depth) }
    hasContent = true
    position = range.upperBound
    let parts = bytes[range].split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      line += part
      guard index < parts.count - 1 else { break }
      if line.last == 0x0D { line.removeLast() }
      if index == 0 { output.addFirst(line) } else { output.addUnchanged(line) }
      line = []
    }
  }
}
