import Diagnostics
import Documents

/// How far that reaches of which a comment on the line before speaks: further comments, then a whole entry, whose value may stand
/// on lines of its own, or a whole tag.
struct SuppressionExtents {
  /// The last line of the entry that begins on a line.
  private var entries: [Int: Int] = [:]
  /// The last line of each comment that stands alone, by its first.
  private var comments: [Int: Int] = [:]

  /// - Parameter document: nil for XML that is no property list.
  init(_ source: SourceText, _ document: Document?, _ found: [Comment]) {
    for comment in found where comment.standsAlone {
      comments[source.location(of: comment.span.start).line] = source.location(of: comment.span.end).line
    }
    if let document {
      collect(document.root, source)
    } else {
      collectTags(source)
    }
  }

  /// The last line of what begins on a line.
  func last(_ line: Int) -> Int {
    var line = line
    while let end = comments[line], end >= line { line = end + 1 }
    return entries[line] ?? line
  }

  private mutating func collect(_ node: Node, _ source: SourceText) {
    for element in node.elements {
      add(element.span.start, to: element, source)
      collect(element, source)
    }
    for (key, value) in node.entries {
      add(key.span.start, to: value, source)
      collect(value, source)
    }
  }

  /// Of a list or mapping only the beginning is meant, not everything in it.
  private mutating func add(_ start: Int, to value: Node, _ source: SourceText) {
    let isContainer = value.kind == .mapping || value.kind == .array
    let end = source.location(of: max(start, isContainer ? value.span.start : value.span.end)).line
    let line = source.location(of: start).line
    entries[line] = max(entries[line] ?? line, end)
  }

  private mutating func collectTags(_ source: SourceText) {
    let bytes = source.bytes
    var position = 0
    var start: Int?
    var quote: UInt8?
    while position < bytes.count {
      let byte = bytes[position]
      if let open = quote {
        if byte == open { quote = nil }
      } else if let tag = start {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { quote = byte }
        if byte == UInt8(ascii: ">") {
          let line = source.location(of: tag).line
          entries[line] = max(entries[line] ?? line, source.location(of: position).line)
          start = nil
        }
      } else if byte == UInt8(ascii: "<"), position + 1 < bytes.count, bytes[position + 1] != UInt8(ascii: "!") {
        start = position
      }
      position += 1
    }
  }
}
