import AppRegistration
import Diagnostics
import Documents

/// A range of lines that an editor can hide. Lines start at 0.
package struct FoldingRange: Hashable, Sendable {
  package var startLine: Int
  package var endLine: Int
  package var isComment: Bool
}

extension SnapshotDocument {
  /// Returns the ranges of values and comments that span several lines.
  package func foldingRanges(limit: Int = 5_000) -> [FoldingRange] {
    guard let document = tree, !document.source.isBinary else { return [] }
    var ranges: [FoldingRange] = []
    var budget = 200_000
    fold(document.root, from: nil, into: &ranges, &budget)
    ranges += commentRanges(Comments.all(in: document))
    var starts: Set<Int> = []
    // An outer range takes precedence over an inner range that starts on the same line.
    let ordered = ranges.sorted { ($0.startLine, -$0.endLine) < ($1.startLine, -$1.endLine) }
    return Array(ordered.filter { starts.insert($0.startLine).inserted }.prefix(limit))
  }

  /// Adds the ranges of a node and its descendants.
  /// - Parameter key: The key of the node in a mapping. A block in YAML starts below its key.
  private func fold(_ node: Node, from key: Node?, into ranges: inout [FoldingRange], _ budget: inout Int) {
    budget -= 1
    guard budget > 0, node.span.end <= source.bytes.count else { return }
    let startLine = lines.line(at: min(key?.span.start ?? node.span.start, node.span.start))
    let end = contentEnd(node.span)
    var endLine = lines.line(at: end)
    // The line of the closing bracket or tag remains visible.
    if isClosing(at: end), lines.line(at: end) > startLine, isFirstOnLine(closingStart(node, end)) { endLine -= 1 }
    // A range for the complete text of a YAML document is not useful.
    let isWholeYAML = key == nil && node.document.syntax == .yaml && node.span == node.document.root.span
    if endLine > startLine, !isWholeYAML {
      ranges.append(FoldingRange(startLine: startLine, endLine: endLine, isComment: false))
    }
    for (key, value) in node.entries { fold(value, from: key, into: &ranges, &budget) }
    for element in node.elements { fold(element, from: nil, into: &ranges, &budget) }
  }

  /// Returns the offset of the last byte of a span that is not whitespace.
  private func contentEnd(_ span: SourceSpan) -> Int {
    var end = span.end
    while end > span.start, [0x20, 0x09, 0x0A, 0x0D].contains(source.bytes[end - 1]) { end -= 1 }
    return max(span.start, end - 1)
  }

  private func isClosing(at offset: Int) -> Bool {
    guard offset < source.bytes.count else { return false }
    return "}])>".utf8.contains(source.bytes[offset])
  }

  /// Returns the start of the closing bracket or tag that ends at an offset.
  private func closingStart(_ node: Node, _ end: Int) -> Int {
    guard source.bytes[end] == UInt8(ascii: ">") else { return end }
    return source.bytes[node.span.start..<end].lastIndex(of: UInt8(ascii: "<")) ?? end
  }

  private func isFirstOnLine(_ offset: Int) -> Bool {
    source.bytes[lines.start(ofLine: lines.line(at: offset))..<offset].allSatisfy { $0 == 0x20 || $0 == 0x09 }
  }

  /// Returns the ranges of comments that span several lines, and of comments on consecutive lines.
  private func commentRanges(_ comments: [Comment]) -> [FoldingRange] {
    var ranges: [FoldingRange] = []
    for comment in comments where comment.standsAlone {
      let first = lines.line(at: comment.span.start)
      let last = lines.line(at: max(comment.span.start, comment.span.end - 1))
      if let previous = ranges.last, previous.endLine + 1 == first {
        ranges[ranges.count - 1].endLine = last
      } else {
        ranges.append(FoldingRange(startLine: first, endLine: last, isComment: true))
      }
    }
    return ranges.filter { $0.endLine > $0.startLine }
  }

  // MARK: Selections

  /// Returns the spans around an offset, from the innermost span to the complete document.
  package func selections(at offset: Int, limit: Int = 200) -> [SourceSpan] {
    let all = SourceSpan(start: 0, end: source.bytes.count)
    guard let document = tree, !document.source.isBinary else { return [all] }
    var spans = [all]
    func add(_ span: SourceSpan) {
      guard let last = spans.last, span != last, last.start <= span.start, span.end <= last.end else { return }
      spans.append(span)
    }
    func contains(_ span: SourceSpan) -> Bool { span.start <= offset && offset <= span.end }
    var node = document.root
    walk: while spans.count < limit {
      add(node.span)
      for (key, value) in node.entries {
        let entry = SourceSpan(start: key.span.start, end: max(key.span.end, value.span.end))
        guard contains(entry) else { continue }
        add(entry)
        if contains(key.span) {
          add(key.span)
          add(key.innerSpan)
          break walk
        }
        guard contains(value.span) else { break walk }
        node = value
        continue walk
      }
      if let element = node.elements.first(where: { contains($0.span) }) {
        node = element
        continue
      }
      break
    }
    if node.count == 0, contains(node.innerSpan) { add(node.innerSpan) }
    return spans.reversed()
  }
}
