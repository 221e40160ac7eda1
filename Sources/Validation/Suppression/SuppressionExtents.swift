import Diagnostics
import Documents

/// The lines to which a suppression comment on the preceding line applies. They are the lines of any further comments
/// and of the entry or tag that follows. An entry can span several lines.
struct SuppressionExtents {
  /// The last line of each entry, by first line.
  private var entries: [Int: Int] = [:]
  /// The last line of each comment that shares no line with other text, by first line.
  private var comments: [Int: Int] = [:]

  /// - Parameter document: The document, or nil for XML other than a property list.
  init(_ source: SourceText, _ document: Document?, _ allComments: [Comment]) {
    for comment in allComments where comment.standsAlone {
      comments[source.location(of: comment.span.start).line] = source.location(of: comment.span.end).line
    }
    if let document {
      collect(document.root, source)
    } else {
      collectTags(source)
    }
  }

  /// Returns the last line of the entry that starts on the given line.
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

  /// Adds the lines of an entry. If the value is a list or mapping, the lines end at the start of the value.
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
