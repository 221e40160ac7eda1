import Diagnostics

/// The location of a cursor in a document: the path from the root, and the text at the cursor.
///
/// The document can be incomplete. A cursor at a location without text is in an empty scalar.
package struct CursorContext: Sendable {
  package enum Role: Hashable, Sendable {
    /// A key of a mapping.
    case key
    /// A value.
    case value
    /// A scalar in YAML that is a value but becomes a key if the user enters a colon.
    case keyOrValue
  }

  package var syntax: OutlineNode.Syntax
  package var role: Role
  /// The path of the mapping that contains the key, or the path of the value.
  package var path: [PathElement]
  /// The text of the key or value, without its quotes.
  package var text: String
  /// The part of the text before the cursor, with escapes.
  package var prefix: String
  /// The span of the key or value, including quotes.
  package var span: SourceSpan
  /// The span of the key or value, excluding its quotes.
  package var innerSpan: SourceSpan
  package var style: OutlineNode.Style
  /// Whether the key or value is inside brackets.
  package var isFlow: Bool
  /// The other keys of the mapping that contains the key. Empty for a value.
  package var siblings: [String] = []
  /// Whether the key is followed by a separator or a value.
  package var hasSeparator = false
  /// Whether the value directly follows a colon or a list marker, so that YAML requires a space before it.
  package var needsSpace = false
  /// The outline, in which the text at the cursor is a key or a value.
  package var outline: OutlineNode

  /// Whether the scalar has quotes.
  package var isQuoted: Bool { style == .singleQuoted || style == .doubleQuoted }

  /// Finds the location of a cursor. Returns nil if the cursor is in a comment or outside all keys and values.
  package init?(_ source: SourceText, at offset: Int) {
    guard !source.isBinary, source.bytes.count <= OutlineReader.sizeLimit else { return nil }
    let bytes = source.bytes
    let cursor = min(max(offset, 0), bytes.count)
    let syntax = OutlineNode.Syntax(bytes, named: source.name)
    guard let outline = OutlineNode.read(bytes, syntax, cursor: cursor) else { return nil }
    var search = CursorSearch(cursor: cursor)
    guard search.visit(outline), let node = search.node else { return nil }
    func original(_ index: Int) -> Int { index > cursor ? index - 1 : index }
    func original(_ span: SourceSpan) -> SourceSpan {
      SourceSpan(start: original(span.start), end: original(span.end))
    }
    self.syntax = syntax
    self.outline = outline
    path = search.path
    text = node.text
    span = original(node.span)
    innerSpan = original(node.innerSpan)
    style = node.style
    isFlow = node.isFlow
    let start = min(innerSpan.start, cursor)
    prefix = String(decoding: bytes[start..<cursor], as: UTF8.self)
    if let entry = search.entry {
      role = .key
      siblings = search.siblings
      hasSeparator = entry.hasSeparator
    } else {
      let canBeKey = syntax == .yaml && node.startsLine && node.style == .plain
      role = canBeKey ? .keyOrValue : .value
    }
    let before = span.start > 0 ? bytes[span.start - 1] : 0x20
    needsSpace =
      syntax == .yaml && (before == UInt8(ascii: ":") || before == UInt8(ascii: "-") && !node.isFlow)
      && style == .plain && span.start == cursor
  }
}

/// A search for the scalar at the cursor.
private struct CursorSearch {
  let cursor: Int
  var path: [PathElement] = []
  var node: OutlineNode?
  var entry: OutlineEntry?
  var siblings: [String] = []

  init(cursor: Int) { self.cursor = cursor }

  private func contains(_ span: SourceSpan) -> Bool { span.start <= cursor && cursor < span.end }

  mutating func visit(_ candidate: OutlineNode) -> Bool {
    switch candidate.kind {
    case .scalar:
      guard contains(candidate.span) else { return false }
      node = candidate
      return true
    case .sequence:
      for (index, element) in candidate.elements.enumerated() {
        path.append(.index(index))
        if visit(element) { return true }
        path.removeLast()
      }
      return false
    case .mapping:
      for (index, entry) in candidate.entries.enumerated() {
        if contains(entry.key.span) {
          node = entry.key
          self.entry = entry
          siblings = candidate.entries.enumerated().filter { $0.offset != index }.map(\.element.key.text)
          return true
        }
        guard let value = entry.value else { continue }
        path.append(.key(entry.key.text))
        if visit(value) { return true }
        path.removeLast()
      }
      return false
    }
  }
}

/// The text of a comment around a cursor.
package struct CommentContext: Sendable {
  /// The text between the start of the comment and the cursor.
  package var prefix: String
  /// The span of the word at the cursor, which consists of letters, digits, and hyphens.
  package var word: SourceSpan

  /// Finds the comment that contains a cursor. Returns nil if no comment starts before the cursor on the line.
  package init?(_ source: SourceText, at offset: Int) {
    guard !source.isBinary else { return nil }
    let bytes = source.bytes
    let cursor = min(max(offset, 0), bytes.count)
    let line = bytes[source.lineRange(at: cursor).lowerBound..<cursor]
    let starts: [[UInt8]] =
      switch OutlineNode.Syntax(bytes, named: source.name) {
      case .yaml: [Array("#".utf8)]
      case .json: [Array("//".utf8), Array("/*".utf8)]
      case .propertyList: [Array("<!--".utf8)]
      }
    guard let start = starts.compactMap({ line.lastRange(of: $0)?.upperBound }).max() else { return nil }
    prefix = String(decoding: bytes[start..<cursor], as: UTF8.self)
    func isWord(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "-") || (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
        || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }
    var (first, end) = (cursor, cursor)
    while first > start, isWord(bytes[first - 1]) { first -= 1 }
    while end < bytes.count, isWord(bytes[end]) { end += 1 }
    word = SourceSpan(start: first, end: end)
  }
}

extension ArraySlice<UInt8> {
  fileprivate func lastRange(of other: [UInt8]) -> Range<Int>? {
    guard count >= other.count else { return nil }
    for start in (startIndex...(endIndex - other.count)).reversed() where self[start...].starts(with: other) {
      return start..<(start + other.count)
    }
    return nil
  }
}
