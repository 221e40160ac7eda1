import Diagnostics

extension OutlineReader {
  /// Reads a YAML or JSON document.
  mutating func document() -> OutlineNode? {
    if isJSON {
      while !isAtEnd, Self.isSpace(current) || Self.isLineEnd(current) || current == UInt8(ascii: "/") {
        position = current == UInt8(ascii: "/") ? lineEnd(from: position) : position + 1
      }
      return isAtEnd ? nil : flowValue(-1)
    }
    while let column = skipToText() {
      if column == 0, isDocumentMarker || current == UInt8(ascii: "%") {
        position = lineEnd(from: position)
        continue
      }
      return block(column, parent: -1)
    }
    return nil
  }

  private var isDocumentMarker: Bool {
    guard let byte = current, byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") else { return false }
    return self.byte(at: position + 1) == byte && self.byte(at: position + 2) == byte
      && (Self.isSpace(self.byte(at: position + 3)) || Self.isLineEnd(self.byte(at: position + 3)))
  }

  /// Whether the position is at the marker of a list element.
  private var isElementMarker: Bool {
    guard current == UInt8(ascii: "-") else { return false }
    let next = byte(at: position + 1)
    return Self.isSpace(next) || Self.isLineEnd(next) || isMark(position + 1)
  }

  /// Reads the value at the position, which is the first text of its line or follows a list marker.
  private mutating func block(_ column: Int, parent: Int) -> OutlineNode? {
    guard depth < Self.depthLimit else {
      position = bytes.count
      return nil
    }
    depth += 1
    defer { depth -= 1 }
    skipProperties()
    if Self.isLineEnd(current) {
      guard let next = skipToText(), next > parent else { return nil }
      return block(next, parent: parent)
    }
    if isElementMarker { return blockSequence(self.column(of: position)) }
    if current == UInt8(ascii: "{") || current == UInt8(ascii: "[") { return flowValue(parent) }
    if keyEnd(from: position) != nil { return blockMapping(self.column(of: position)) }
    var value = blockScalar(parent)
    value.startsLine = true
    // A line without a colon can be an unfinished key.
    let end = position
    if let next = skipToText(), next == column, !isElementMarker, !isDocumentMarker, keyEnd(from: position) != nil,
      value.style == .plain
    {
      var mapping = blockMapping(column)
      mapping.entries.insert(OutlineEntry(key: value, value: nil, hasSeparator: false), at: 0)
      mapping.span.start = value.span.start
      return mapping
    }
    position = end
    return value
  }

  /// Skips anchors and tags.
  private mutating func skipProperties() {
    while current == UInt8(ascii: "&") || current == UInt8(ascii: "!") {
      while let byte = current, !Self.isSpace(byte), !Self.isLineEnd(byte), !isMark(position) { position += 1 }
      skipSpaces()
    }
  }

  private mutating func blockSequence(_ column: Int) -> OutlineNode {
    var node = OutlineNode(kind: .sequence, span: .at(position))
    while isElementMarker, self.column(of: position) == column {
      position += 1
      let marker = position
      skipSpaces()
      if Self.isLineEnd(current) || current == UInt8(ascii: "#") {
        if let next = skipToText(), next > column {
          block(next, parent: column).map { node.elements.append($0) }
        } else {
          node.elements.append(OutlineNode(kind: .scalar, span: .at(marker)))
        }
      } else if let value = block(self.column(of: position), parent: column) {
        node.elements.append(value)
      }
      node.span.end = max(node.span.end, min(position, bytes.count))
      addStrayLines(to: &node, column)
      guard skipToText() != nil else { break }
    }
    return node
  }

  /// Adds to the last element any lines that are indented more deeply than the list markers.
  private mutating func addStrayLines(to node: inout OutlineNode, _ column: Int) {
    while let next = skipToText(), next > column {
      let before = position
      guard let stray = block(next, parent: column), var last = node.elements.popLast() else {
        if position == before { position = lineEnd(from: position) }
        continue
      }
      if last.kind == .scalar {
        let key = OutlineEntry(key: last, value: nil, hasSeparator: false)
        last = OutlineNode(kind: .mapping, span: last.span, entries: last.text.isEmpty ? [] : [key])
      }
      if last.kind == .mapping { last.add(stray) }
      node.elements.append(last)
      node.span.end = max(node.span.end, min(position, bytes.count))
    }
  }

  private mutating func blockMapping(_ column: Int) -> OutlineNode {
    var node = OutlineNode(kind: .mapping, span: .at(position))
    while let next = skipToText() {
      if next < column || next == 0 && isDocumentMarker { break }
      let before = position
      if next == column {
        if isElementMarker { break }
        node.entries.append(blockEntry(column))
      } else if let stray = block(next, parent: column) {
        node.add(stray)
      }
      if position == before { position = lineEnd(from: position) }
      node.span.end = max(node.span.end, min(position, bytes.count))
    }
    return node
  }

  private mutating func blockEntry(_ column: Int) -> OutlineEntry {
    guard let end = keyEnd(from: position) else {
      var key = blockScalar(column)
      key.startsLine = true
      return OutlineEntry(key: key, value: nil, hasSeparator: false)
    }
    let isQuoted = current == UInt8(ascii: "\"") || current == UInt8(ascii: "'")
    let key = isQuoted ? quoted(isFlow: false) : scalar(position..<end)
    position = end
    skipSpaces()
    // The colon.
    position += 1
    return OutlineEntry(key: key, value: entryValue(column), hasSeparator: true)
  }

  private mutating func entryValue(_ column: Int) -> OutlineNode? {
    skipSpaces()
    skipProperties()
    if Self.isLineEnd(current) || current == UInt8(ascii: "#") {
      let end = position
      guard let next = skipToText(), next > column || next == column && isElementMarker else {
        position = end
        return nil
      }
      return block(next, parent: next == column ? column - 1 : column)
    }
    switch current {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return flowValue(column)
    default: return blockScalar(column)
    }
  }

  /// Reads a quoted, literal, folded, or plain scalar.
  private mutating func blockScalar(_ column: Int) -> OutlineNode {
    switch current {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let value = quoted(indentedBy: column, isFlow: false)
      // Text after the closing quote is an error.
      if !isAtEnd, !Self.isLineEnd(current), cursor.map({ $0 < position }) ?? true {
        position = lineEnd(from: position)
      }
      return value
    case UInt8(ascii: "|"), UInt8(ascii: ">"): return literal(column)
    default: return plain(column)
    }
  }

  private mutating func literal(_ column: Int) -> OutlineNode {
    let start = position
    position = lineEnd(from: position)
    var end = position
    while position < bytes.count {
      var next = position + 1
      while Self.isSpace(byte(at: next)) { next += 1 }
      let isBlank = next >= bytes.count || Self.isLineEnd(bytes[next])
      guard isBlank || self.column(of: next) > column else { break }
      position = min(lineEnd(from: min(next, bytes.count)), bytes.count)
      if !isBlank { end = position }
      if next >= bytes.count { break }
    }
    position = max(end, start)
    return OutlineNode(kind: .scalar, text: text(start..<end), style: .block, span: SourceSpan(start: start, end: end))
  }

  private mutating func plain(_ column: Int) -> OutlineNode {
    let start = position
    var end = plainEnd(from: position)
    position = lineEnd(from: position)
    // Continuation lines are indented and are not keys or list elements. The cursor's line is never a continuation
    // line, because it is usually an unfinished key.
    var next = position
    while next < bytes.count {
      next += 1
      while Self.isSpace(byte(at: next)) { next += 1 }
      guard next < bytes.count else { break }
      if Self.isLineEnd(bytes[next]) { continue }
      let line = next..<lineEnd(from: next)
      let isElement = bytes[next] == UInt8(ascii: "-") && Self.isSpace(byte(at: next + 1))
      guard self.column(of: next) > column, !hasMark(line), !isElement, bytes[next] != UInt8(ascii: "#"),
        keyEnd(from: next) == nil, !hasMark(start..<end)
      else { break }
      end = plainEnd(from: next)
      position = line.upperBound
      next = line.upperBound
    }
    return scalar(start..<max(start, end))
  }

  /// Returns the end of the plain text in a line, before any comment or trailing spaces.
  private func plainEnd(from start: Int) -> Int {
    var index = start
    while let byte = byte(at: index), !Self.isLineEnd(byte) {
      if byte == UInt8(ascii: "#"), index > start, Self.isSpace(bytes[index - 1]) { break }
      index += 1
    }
    return trimmedEnd(start, index)
  }
}

extension OutlineNode {
  /// Adds to a mapping the entries of a block with unexpected indentation.
  fileprivate mutating func add(_ stray: OutlineNode) {
    switch stray.kind {
    case .mapping: entries += stray.entries
    case .scalar: entries.append(OutlineEntry(key: stray, value: nil, hasSeparator: false))
    case .sequence:
      guard let last = entries.indices.last, entries[last].value == nil else { return }
      entries[last].value = stray
    }
    span.end = max(span.end, stray.span.end)
  }
}
