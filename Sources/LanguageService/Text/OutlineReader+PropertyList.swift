import Diagnostics

extension OutlineReader {
  private enum Tag {
    case open(String), close(String), empty(String)
    /// A declaration, a comment, or a processing instruction.
    case other
    /// A tag without `>`.
    case unfinished
  }

  /// Reads an XML property list.
  mutating func propertyList() -> OutlineNode? {
    var result: OutlineNode?
    while result == nil, !isAtEnd {
      let before = position
      result = child(insertsMissing: true, isRoot: true)
      if position == before { position += 1 }
    }
    return result
  }

  /// Reads the next value. Returns nil at a closing tag or at the end.
  /// - Parameter insertsMissing: Whether a cursor between elements counts as a value.
  private mutating func child(insertsMissing: Bool, isRoot: Bool = false) -> OutlineNode? {
    while !isAtEnd {
      let start = position
      while !isAtEnd, current != UInt8(ascii: "<") { position += 1 }
      if insertsMissing, hasMark(start..<position) { return missing(start..<position) }
      let tagStart = position
      guard !isAtEnd else { return nil }
      switch tag() {
      case .other: continue
      case .unfinished:
        if hasMark(tagStart..<position) { return unfinished(tagStart..<position) }
      case .close(let name):
        if isRoot || name == "plist" { continue }
        position = tagStart
        return nil
      case .empty(let name):
        var node = OutlineNode(
          kind: .scalar, text: name == "true" || name == "false" ? name : "",
          span: SourceSpan(start: tagStart, end: position))
        node.style = .element(name)
        switch name {
        case "dict": node.kind = .mapping
        case "array": node.kind = .sequence
        default: break
        }
        return node
      case .open("plist"): continue
      case .open(let name): return element(name, tagStart)
      }
    }
    return nil
  }

  private func missing(_ range: Range<Int>) -> OutlineNode {
    // Read the word at the cursor.
    guard let cursor else { return scalar(range) }
    var (start, end) = (cursor, cursor + 1)
    while start > range.lowerBound, bytes[start - 1] > 0x20 { start -= 1 }
    while end < range.upperBound, bytes[end] > 0x20 { end += 1 }
    var node = scalar(start..<end)
    node.style = .missingElement
    return node
  }

  private func unfinished(_ range: Range<Int>) -> OutlineNode {
    var node = scalar(range)
    node.style = .missingElement
    return node
  }

  private mutating func element(_ name: String, _ start: Int) -> OutlineNode? {
    guard depth < Self.depthLimit else {
      position = bytes.count
      return nil
    }
    depth += 1
    defer { depth -= 1 }
    switch name {
    case "dict": return dictionary(start)
    case "array":
      var node = OutlineNode(kind: .sequence, span: .at(start))
      while let value = child(insertsMissing: true) { node.elements.append(value) }
      closeTag(name)
      node.span.end = min(position, bytes.count)
      return node
    default: return text(of: name)
    }
  }

  /// Reads the content of an element that contains text.
  private mutating func text(of name: String) -> OutlineNode {
    let start = position
    while !isAtEnd, current != UInt8(ascii: "<") { position += 1 }
    var end = position
    // If the closing tag is missing, the text ends at the end of the line.
    if !isAtEnd, byte(at: position + 1) != UInt8(ascii: "/") { end = min(lineEnd(from: start), end) }
    position = end
    var node = scalar(start..<end)
    node.text = Self.decoded(node.text)
    node.style = .element(name)
    while !isAtEnd, current != UInt8(ascii: "<") { position += 1 }
    closeTag(name)
    return node
  }

  private mutating func dictionary(_ start: Int) -> OutlineNode {
    var node = OutlineNode(kind: .mapping, span: .at(start))
    var key: OutlineNode?
    while let child = child(insertsMissing: true) {
      if let pending = key {
        if child.style == .element("key") {
          node.entries.append(OutlineEntry(key: pending, value: nil, hasSeparator: true))
          key = child
        } else {
          node.entries.append(OutlineEntry(key: pending, value: child, hasSeparator: true))
          key = nil
        }
      } else if child.style == .element("key") {
        key = child
      } else if child.style == .missingElement, child.kind == .scalar {
        node.entries.append(OutlineEntry(key: child, value: nil, hasSeparator: false))
      }
    }
    if let key { node.entries.append(OutlineEntry(key: key, value: nil, hasSeparator: true)) }
    closeTag("dict")
    node.span.end = min(position, bytes.count)
    return node
  }

  private mutating func closeTag(_ name: String) {
    let start = position
    if case .close(name) = tag() { return }
    position = start
  }

  /// Reads a tag at the position.
  private mutating func tag() -> Tag {
    guard current == UInt8(ascii: "<") else { return .other }
    if bytes[position...].starts(with: "<!--".utf8) {
      while !isAtEnd, !bytes[position...].starts(with: "-->".utf8) { position += 1 }
      position = min(position + 3, bytes.count)
      return .other
    }
    let start = position
    var index = position + 1
    while let byte = byte(at: index), byte != UInt8(ascii: ">"), byte != UInt8(ascii: "<"), !Self.isLineEnd(byte) {
      index += 1
    }
    guard byte(at: index) == UInt8(ascii: ">"), !hasMark(start..<index) else {
      let isDeclaration = byte(at: start + 1) == UInt8(ascii: "!") || byte(at: start + 1) == UInt8(ascii: "?")
      position = max(index, start + 1)
      return isDeclaration ? .other : .unfinished
    }
    position = index + 1
    let content = bytes[(start + 1)..<index]
    guard let first = content.first, first != UInt8(ascii: "!"), first != UInt8(ascii: "?") else { return .other }
    let isClosing = first == UInt8(ascii: "/")
    let isEmpty = content.last == UInt8(ascii: "/") && content.count > 1
    let name = content.drop { $0 == UInt8(ascii: "/") }.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
    let text = String(decoding: name, as: UTF8.self)
    return isClosing ? .close(text) : isEmpty ? .empty(text) : .open(text)
  }

  private static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    return text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
      .replacing("&apos;", with: "'").replacing("&amp;", with: "&")
  }
}
