import Diagnostics
import Documents

extension ContainerText {
  /// Returns edits that remove items and their separators. If an item is alone on its line, the edits also remove the
  /// line and any comment at the end of the line. Comments on separate lines are kept.
  func removal(of removed: Set<Int>) -> [Diagnostic.Edit]? {
    if removed.count == items.count, let emptied { return emptied }
    var spans: [SourceSpan] = []
    let newLast = items.indices.last { !removed.contains($0) }
    for index in removed.sorted() { spans.append(removalSpan(of: index, removed)) }
    // The new last item needs a comma only if the old last item had a comma.
    if case .between = separation, let newLast, newLast < items.count - 1, items[items.count - 1].separator == nil,
      let comma = items[newLast].separator
    {
      spans.append(SourceSpan(start: comma.lowerBound, end: comma.upperBound))
    }
    return Self.joined(spans).map { Diagnostic.Edit(span: $0, replacement: "") }
  }

  private func removalSpan(of index: Int, _ removed: Set<Int>) -> SourceSpan {
    let item = items[index]
    let withComments = lines.skipComments(item.endWithSeparator)
    let isFirst = lines.isFirstOnLine(item.start)
    if isFirst, lines.skipBlanks(withComments) == lines.lineEnd(withComments) {
      let (start, end) = (lines.lineStart(item.start), lines.lineEnd(withComments))
      if end < lines.bytes.count { return SourceSpan(start: start, end: lines.afterLineEnd(end)) }
      return SourceSpan(start: lines.beforeLineEnd(start), end: end)
    }
    let next = lines.skipBlanks(item.endWithSeparator)
    if isFirst { return SourceSpan(start: item.start, end: next) }
    if next == lines.lineEnd(next) || isBlock {
      // The next item moves to the position of the removed item after a bracket or dash.
      if index == 0 || isBlock, index + 1 < items.count, !removed.contains(index + 1) {
        let end = items[index + 1].start
        return SourceSpan(start: item.start, end: lines.ownLineComment(in: withComments..<end) ?? end)
      }
      return SourceSpan(start: lines.skipBlanksBack(item.start), end: item.endWithSeparator)
    }
    if index + 1 < items.count { return SourceSpan(start: item.start, end: next) }
    return SourceSpan(start: lines.skipBlanksBack(item.start), end: item.endWithSeparator)
  }

  /// The edits that remove all items. Nil if the container contains comments, because comments must be kept.
  private var emptied: [Diagnostic.Edit]? {
    guard !isBlock else { return emptiedBlock }
    var position = content.lowerBound
    for item in items {
      guard lines.isWhite(position..<item.start),
        lines.isWhite(item.end..<(item.separator?.lowerBound ?? item.end))
      else { return nil }
      position = item.endWithSeparator
    }
    guard lines.isWhite(position..<content.upperBound) else { return nil }
    // If a container has no braces, the file contains only the container.
    if syntax == .xmlPropertyList {
      let name = isMapping ? "dict" : "array"
      return lines.starts(isMapping ? "<dict>" : "<array>", at: node.span.start)
        ? [Diagnostic.Edit(span: node.span, replacement: "<\(name)/>")]
        : [Diagnostic.Edit(span: SourceSpan(start: content.lowerBound, end: content.upperBound), replacement: "")]
    }
    return [Diagnostic.Edit(span: SourceSpan(start: content.lowerBound, end: content.upperBound), replacement: "")]
  }

  private var emptiedBlock: [Diagnostic.Edit]? {
    let span = node.span
    let replacement = isMapping ? "{}" : "[]"
    var before = span.start
    while before > 0, TextLines.isWhite(lines.bytes[before - 1]) { before -= 1 }
    if before > 0, lines.bytes[before - 1] == UInt8(ascii: ":") {
      return [Diagnostic.Edit(span: SourceSpan(start: before, end: span.end), replacement: " " + replacement)]
    }
    // After a comment on the key's line, brackets must be indented more than the key. A list's dashes do not need
    // additional indentation.
    let margin = lines.isFirstOnLine(span.start) && before > 0 && !isMapping ? "  " : ""
    return [Diagnostic.Edit(span: span, replacement: margin + replacement)]
  }

  /// Merges adjacent and overlapping spans.
  private static func joined(_ spans: [SourceSpan]) -> [SourceSpan] {
    var joined: [SourceSpan] = []
    for span in spans.sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
      if let last = joined.last, span.start <= last.end {
        joined[joined.count - 1] = SourceSpan(start: last.start, end: max(last.end, span.end))
      } else {
        joined.append(span)
      }
    }
    return joined
  }
}
