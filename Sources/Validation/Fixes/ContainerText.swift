import Diagnostics
import Documents

/// The positions of a list or mapping, and of its items, in the text.
struct ContainerText {
  struct Item {
    /// The item's key, or nil if the container is a list.
    var key: Node?
    var value: Node
    /// The start of the item. This is the start of the key in a mapping, of the value in a list, or of the dash in a
    /// YAML block.
    var start: Int
    var end: Int
    /// The comma or semicolon after the item.
    var separator: Range<Int>?

    /// The end of the item, including its separator.
    var endWithSeparator: Int { separator?.upperBound ?? end }
  }

  enum Separation {
    /// A comma between items.
    case between(UInt8)
    /// A semicolon after every item.
    case after(UInt8)
    case none

    var mark: UInt8? {
      switch self {
      case .between(let mark), .after(let mark): mark
      case .none: nil
      }
    }
  }

  let node: Node
  let lines: TextLines
  /// Whether the container is a YAML block, whose structure depends on indentation.
  let isBlock: Bool
  let separation: Separation
  /// The range between the brackets or tags.
  private(set) var content: Range<Int>
  private(set) var items: [Item] = []

  var syntax: DocumentSyntax { lines.syntax }
  var isMapping: Bool { node.kind == .mapping }

  init?(_ node: Node) {
    guard node.kind == .mapping || node.kind == .array, !node.document.source.isBinary else { return nil }
    self.node = node
    lines = TextLines(node.document)
    let bytes = lines.bytes
    let span = node.span
    guard span.start < span.end, span.end <= bytes.count else { return nil }
    switch node.document.syntax {
    case .binaryPropertyList: return nil
    case .json:
      guard bytes[span.end - 1] == UInt8(ascii: node.kind == .mapping ? "}" : "]") else { return nil }
      (isBlock, separation, content) = (false, .between(UInt8(ascii: ",")), span.start + 1..<span.end - 1)
    case .openStepPropertyList:
      isBlock = false
      separation = node.kind == .mapping ? .after(UInt8(ascii: ";")) : .between(UInt8(ascii: ","))
      if bytes[span.start] == UInt8(ascii: node.kind == .mapping ? "{" : "(") {
        guard bytes[span.end - 1] == UInt8(ascii: node.kind == .mapping ? "}" : ")") else { return nil }
        content = span.start + 1..<span.end - 1
      } else {
        content = span.start..<span.end
      }
    case .xmlPropertyList:
      guard let inner = Self.elementContent(span, lines) else { return nil }
      (isBlock, separation, content) = (false, .none, inner)
    case .yaml:
      guard bytes[span.start] != UInt8(ascii: "*") else { return nil }
      let start = Self.skipProperties(span.start, lines, to: span.end)
      if bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[") {
        guard bytes[span.end - 1] == UInt8(ascii: node.kind == .mapping ? "}" : "]") else { return nil }
        (isBlock, separation, content) = (false, .between(UInt8(ascii: ",")), start + 1..<span.end - 1)
      } else {
        (isBlock, separation, content) = (true, .none, start..<span.end)
      }
    }
    guard content.lowerBound <= content.upperBound else { return nil }
    let nodes = isMapping ? node.entries.map { ($0.key, $0.value) } : node.elements.map { (nil, $0) }
    guard readItems(nodes) else { return nil }
  }

  private mutating func readItems(_ nodes: [(key: Node?, value: Node)]) -> Bool {
    items.reserveCapacity(nodes.count)
    var position = content.lowerBound
    for (key, value) in nodes {
      guard let start = start(of: key?.span.start ?? value.span.start, after: position) else { return false }
      var item = Item(key: key, value: value, start: start, end: end(of: value, key))
      guard item.start >= position, item.end >= item.start, item.end <= content.upperBound else { return false }
      item.separator = separator(after: item.end)
      position = item.endWithSeparator
      items.append(item)
    }
    return true
  }

  private func end(of value: Node, _ key: Node?) -> Int {
    guard let key, value.span.start == value.span.end else { return value.span.end }
    guard syntax == .yaml else { return max(key.span.end, value.span.end) }
    // The value is empty. If the next character is a comma, a space must follow the colon.
    let colon = lines.skipBlanks(key.span.end)
    guard colon < lines.bytes.count, lines.bytes[colon] == UInt8(ascii: ":") else { return key.span.end }
    return isBlock ? colon + 1 : lines.skipBlanks(colon + 1)
  }

  private func separator(after end: Int) -> Range<Int>? {
    guard let mark = separation.mark else { return nil }
    let next = lines.skipAll(end, to: content.upperBound)
    return next < content.upperBound && lines.bytes[next] == mark ? next..<next + 1 : nil
  }

  /// Returns the start of an item whose key or value starts at `own`. In YAML, a dash, tag, or anchor can precede the
  /// text.
  private func start(of own: Int, after position: Int) -> Int? {
    guard syntax == .yaml, position <= own else { return own }
    let first = lines.skipAll(position, to: own)
    // Explicit keys (`? key`) are rare and not supported.
    if first < own, lines.bytes[first] == UInt8(ascii: "?") { return nil }
    if isBlock, !isMapping, first >= own || lines.bytes[first] != UInt8(ascii: "-") { return nil }
    return first
  }

  /// Returns the position after a YAML value's anchor and tag.
  static func skipProperties(_ start: Int, _ lines: TextLines, to limit: Int) -> Int {
    var position = start
    while position < limit {
      let byte = lines.bytes[position]
      guard byte == UInt8(ascii: "&") || byte == UInt8(ascii: "!") else { break }
      while position < limit, !TextLines.isWhite(lines.bytes[position]) { position += 1 }
      position = lines.skipAll(position, to: limit)
    }
    return min(position, limit - 1)
  }

  /// Returns the range between an element's tags. For a self-closing tag, returns an empty range after the tag.
  static func elementContent(_ span: SourceSpan, _ lines: TextLines) -> Range<Int>? {
    var position = span.start
    var quote: UInt8?
    while position < span.end {
      let byte = lines.bytes[position]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        break
      }
      position += 1
    }
    guard position < span.end else { return nil }
    if lines.bytes[position - 1] == UInt8(ascii: "/") { return span.end..<span.end }
    var end = span.end - 1
    while end > position, lines.bytes[end] != UInt8(ascii: "<") { end -= 1 }
    return end > position && lines.starts("</", at: end) ? position + 1..<end : nil
  }
}
