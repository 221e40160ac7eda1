import Diagnostics
import Documents

extension ContainerText {
  typealias NewItem = (key: String?, value: JSON)

  /// Returns edits that insert items after an existing item, in the same style. In an empty container, the new items
  /// become the first items.
  func insertion(of new: [NewItem], after index: Int?) -> [Diagnostic.Edit]? {
    guard let index else { return firstItems(new) }
    let item = items[index]
    let style = TextStyle(node.document)
    let isOwnLine = isBlock || lines.isFirstOnLine(item.start)
    let margin = isBlock ? lines.column(of: item.start) : lines.indentation(at: item.start)
    let isLast = index == items.count - 1
    let spelling = ValueText(
      style: style, syntax: syntax, isFlow: !isBlock, isMultiline: isOwnLine, quotes: quotes)
    var texts: [String] = []
    for item in new {
      guard let text = self.text(of: item, margin: margin, spelling, like: index) else { return nil }
      texts.append(text)
    }
    let mark = separation.mark.map { String(Unicode.Scalar($0)) } ?? ""
    let gap = isOwnLine ? style.newline + margin : self.gap(after: index)
    // The last item gets a separator if the separators are semicolons, or if the existing last item has a separator.
    let endsWithMark = !isLast || item.separator != nil
    var added = ""
    for (position, text) in texts.enumerated() {
      added += gap + text + (position < texts.count - 1 || endsWithMark ? mark : "")
    }
    let place = isOwnLine ? lines.skipComments(item.endWithSeparator) : item.endWithSeparator
    guard item.separator == nil, !mark.isEmpty else {
      return [Diagnostic.Edit(span: .at(place), replacement: added)]
    }
    if case .after = separation { added += mark }
    if place == item.end { return [Diagnostic.Edit(span: .at(place), replacement: mark + added)] }
    return [
      Diagnostic.Edit(span: .at(item.end), replacement: mark), Diagnostic.Edit(span: .at(place), replacement: added),
    ]
  }

  /// Returns the text between an item and the next item on the same line.
  private func gap(after index: Int) -> String {
    for first in [index, index - 1] where first >= 0 && first + 1 < items.count {
      let range = items[first].endWithSeparator..<items[first + 1].start
      if range.lowerBound <= range.upperBound, lines.bytes[range].allSatisfy(TextLines.isBlank) {
        return lines.text(range)
      }
    }
    return syntax == .xmlPropertyList ? "" : " "
  }

  private func firstItems(_ new: [NewItem]) -> [Diagnostic.Edit]? {
    // An empty YAML block has no position for the first item.
    guard !isBlock else { return nil }
    let style = TextStyle(node.document)
    let isMultiline = style.isMultiline(mapping: isMapping) && syntax != .yaml || lines.bytes[content].contains(0x0A)
    let outer = lines.indentation(at: node.span.start)
    let inner = outer + style.unit
    let spelling = ValueText(style: style, syntax: syntax, isFlow: true, isMultiline: isMultiline, quotes: .asNeeded)
    var texts: [String] = []
    for item in new {
      guard let text = self.text(of: item, margin: inner, spelling, like: nil) else { return nil }
      texts.append(text)
    }
    var joined: String
    let mark = separation.mark.map { String(Unicode.Scalar($0)) } ?? ""
    if isMultiline {
      joined = texts.map { style.newline + inner + $0 }.joined(separator: mark)
    } else {
      joined = texts.joined(separator: mark + (syntax == .xmlPropertyList ? "" : " "))
    }
    if case .after = separation { joined += mark }
    // An empty container consists of whitespace and comments. Existing comments remain before the first item.
    let isEmpty = lines.isWhite(content)
    let closing = isMultiline ? style.newline + outer : ""
    if syntax == .xmlPropertyList, content.isEmpty, content.lowerBound == node.span.end {
      let name = isMapping ? "dict" : "array"
      return [Diagnostic.Edit(span: node.span, replacement: "<\(name)>\(joined)\(closing)</\(name)>")]
    }
    if isEmpty {
      return [
        Diagnostic.Edit(
          span: SourceSpan(start: content.lowerBound, end: content.upperBound), replacement: joined + closing)
      ]
    }
    var end = content.upperBound
    while end > content.lowerBound, TextLines.isWhite(lines.bytes[end - 1]) { end -= 1 }
    let isAlone = end < content.upperBound && TextLines.isLineEnd(lines.bytes[end])
    let text = isAlone && !isMultiline ? style.newline + inner + joined : joined
    return [Diagnostic.Edit(span: .at(end), replacement: isAlone || isMultiline ? text : " " + text)]
  }

  private func text(of item: NewItem, margin: String, _ spelling: ValueText, like index: Int?) -> String? {
    guard let name = item.key else {
      guard isBlock else { return spelling.text(item.value, margin: margin) }
      return spelling.text(item.value, margin: margin + "  ").map { "- " + $0 }
    }
    guard isMapping else { return nil }
    let key = spelling.key(name)
    if isBlock { return spelling.blockValue(item.value, margin: margin).map { key + ":" + $0 } }
    guard let value = spelling.text(item.value, margin: margin) else { return nil }
    return key + binding(like: index, spelling, margin) + value
  }

  /// Returns the text between a key and its value, which matches the neighboring item if that item has only a separator
  /// and spaces between its key and value.
  private func binding(like index: Int?, _ spelling: ValueText, _ margin: String) -> String {
    if let index, let key = items[index].key {
      let (start, end) = (key.span.end, items[index].value.span.start)
      if start <= end,
        lines.bytes[start..<end].allSatisfy({
          TextLines.isWhite($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "=")
        })
      {
        let text = lines.text(start..<end)
        if syntax == .xmlPropertyList || text.contains(where: { $0 == ":" || $0 == "=" }) { return text }
      }
    }
    switch syntax {
    case .json, .yaml, .binaryPropertyList: return ": "
    case .openStepPropertyList: return " = "
    case .xmlPropertyList: return spelling.isMultiline ? spelling.style.newline + margin : ""
    }
  }

  /// The kind of quotes around neighboring strings.
  private var quotes: ValueText.Quotes {
    for item in items.reversed() where item.value.kind == .string && item.value.span.start < lines.bytes.count {
      switch lines.bytes[item.value.span.start] {
      case UInt8(ascii: "\""): return .double
      case UInt8(ascii: "'"): return .single
      default: return .asNeeded
      }
    }
    return .asNeeded
  }
}
