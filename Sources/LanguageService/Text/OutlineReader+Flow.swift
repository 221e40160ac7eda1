import Diagnostics

extension OutlineReader {
  /// Skips spaces, line ends, and comments between the tokens of a value in brackets.
  /// - Parameter column: In YAML, the column of the block that contains the brackets. A line that starts at or before
  ///   this column ends an unclosed bracket.
  /// - Returns: Whether the value continues.
  private mutating func skipInFlow(_ column: Int) -> Bool {
    while !isAtEnd {
      let byte = bytes[position]
      if Self.isSpace(byte) || Self.isLineEnd(byte) {
        position += 1
        if Self.isLineEnd(byte), !isJSON, endsBlock(column) {
          // The end of the line also closes the outer brackets.
          position -= 1
          return false
        }
      } else if isJSON, byte == UInt8(ascii: "/"), self.byte(at: position + 1) == UInt8(ascii: "/") {
        position = lineEnd(from: position)
      } else if isJSON, byte == UInt8(ascii: "/"), self.byte(at: position + 1) == UInt8(ascii: "*") {
        position += 2
        while !isAtEnd, !(current == UInt8(ascii: "*") && self.byte(at: position + 1) == UInt8(ascii: "/")) {
          position += 1
        }
        position = min(position + 2, bytes.count)
      } else if !isJSON, byte == UInt8(ascii: "#"),
        Self.isSpace(self.byte(at: position - 1)) || self.column(of: position) == 0
      {
        position = lineEnd(from: position)
      } else {
        return true
      }
    }
    return false
  }

  /// Whether the line at the position ends unclosed brackets because it starts at or before a column.
  private func endsBlock(_ column: Int) -> Bool {
    var index = position
    while Self.isSpace(byte(at: index)) { index += 1 }
    guard let byte = byte(at: index), !Self.isLineEnd(byte), !"]},".utf8.contains(byte), !isMark(index) else {
      return false
    }
    return self.column(of: index) <= column
  }

  /// Reads a mapping or a list in brackets, a quoted scalar, or a plain scalar.
  mutating func flowValue(_ column: Int) -> OutlineNode? {
    switch current {
    case UInt8(ascii: "{"): return flowMapping(column)
    case UInt8(ascii: "["): return flowSequence(column)
    case UInt8(ascii: "\""): return quoted(indentedBy: isJSON ? nil : column, isFlow: true)
    case UInt8(ascii: "'") where !isJSON: return quoted(indentedBy: column, isFlow: true)
    default: return flowPlain()
    }
  }

  private mutating func flowMapping(_ column: Int) -> OutlineNode {
    let start = position
    position += 1
    depth += 1
    defer { depth -= 1 }
    var node = OutlineNode(kind: .mapping, span: .at(start), isFlow: true)
    while skipInFlow(column) {
      if current == UInt8(ascii: ",") {
        position += 1
        continue
      }
      if current == UInt8(ascii: "}") {
        position += 1
        break
      }
      if current == UInt8(ascii: "]") { break }
      guard depth < Self.depthLimit else {
        position = bytes.count
        break
      }
      let before = position
      if let entry = flowEntry(column) { node.entries.append(entry) }
      // Always advances.
      if position == before { position += 1 }
    }
    node.span = SourceSpan(start: start, end: min(position, bytes.count))
    return node
  }

  private mutating func flowEntry(_ column: Int) -> OutlineEntry? {
    let isQuoted = current == UInt8(ascii: "\"") || current == UInt8(ascii: "'") && !isJSON
    let key: OutlineNode?
    if isQuoted {
      key = quoted(isFlow: true)
    } else if let end = keyEnd(from: position, isFlow: true) {
      key = scalar(position..<end, isFlow: true)
      position = end
    } else if current == UInt8(ascii: ":") {
      // This is a value without a key.
      key = scalar(position..<position, isFlow: true)
    } else {
      key = flowPlain() ?? (current == UInt8(ascii: "{") || current == UInt8(ascii: "[") ? flowValue(column) : nil)
    }
    guard let key, key.kind == .scalar else { return nil }
    let end = position
    guard skipInFlow(column), current == UInt8(ascii: ":") else {
      if position > end, !isAtEnd, current != UInt8(ascii: ",") { position = end }
      return OutlineEntry(key: key, value: nil, hasSeparator: false)
    }
    position += 1
    guard skipInFlow(column), let next = current, !",}]".utf8.contains(next) else {
      return OutlineEntry(key: key, value: nil, hasSeparator: true)
    }
    return OutlineEntry(key: key, value: flowValue(column), hasSeparator: true)
  }

  private mutating func flowSequence(_ column: Int) -> OutlineNode {
    let start = position
    position += 1
    depth += 1
    defer { depth -= 1 }
    var node = OutlineNode(kind: .sequence, span: .at(start), isFlow: true)
    while skipInFlow(column) {
      if current == UInt8(ascii: ",") {
        position += 1
        continue
      }
      if current == UInt8(ascii: "]") {
        position += 1
        break
      }
      if current == UInt8(ascii: "}") { break }
      guard depth < Self.depthLimit else {
        position = bytes.count
        break
      }
      let before = position
      // In YAML, an element can be a single entry, as in `[signedIn: megan@contoso.com]`.
      if !isJSON, current != UInt8(ascii: "{"), current != UInt8(ascii: "["),
        keyEnd(from: position, isFlow: true) != nil,
        let entry = flowEntry(column)
      {
        node.elements.append(
          OutlineNode(
            kind: .mapping, span: SourceSpan(start: before, end: position), isFlow: true, entries: [entry]))
      } else if var value = flowValue(column) {
        value.startsLine = value.kind == .scalar
        node.elements.append(value)
      }
      if position == before { position += 1 }
    }
    node.span = SourceSpan(start: start, end: min(position, bytes.count))
    return node
  }

  /// Reads a plain scalar in brackets.
  private mutating func flowPlain() -> OutlineNode? {
    let start = position
    while let byte = current {
      if Self.isLineEnd(byte) || ",]".utf8.contains(byte) { break }
      if byte == UInt8(ascii: "["), position == start || isJSON { break }
      if byte == UInt8(ascii: "{") {
        guard position > start, bytes[position - 1] == UInt8(ascii: "$") else { break }
        // The braces of `${name}` belong to the scalar.
        var end = position
        while let next = self.byte(at: end), next != UInt8(ascii: "}"), !Self.isLineEnd(next), next != UInt8(ascii: ",")
        {
          end += 1
        }
        position = self.byte(at: end) == UInt8(ascii: "}") ? end + 1 : end
        continue
      }
      if byte == UInt8(ascii: "}") { break }
      if byte == UInt8(ascii: ":") {
        if isJSON || Self.isSpace(self.byte(at: position + 1)) || Self.isLineEnd(self.byte(at: position + 1)) { break }
      }
      if byte == UInt8(ascii: "#"), position > start, Self.isSpace(bytes[position - 1]) { break }
      if isJSON, byte == UInt8(ascii: "/") || Self.isSpace(byte) || byte == UInt8(ascii: "\"") { break }
      position += 1
    }
    let end = trimmedEnd(start, position)
    return end > start ? scalar(start..<end, isFlow: true) : nil
  }
}
