import Diagnostics
import Documents

/// The style of a file's text: its line breaks, its indentation, and whether lists and mappings span several lines.
struct TextStyle {
  /// The text's line break sequence, taken from its first line break.
  let newline: String
  /// The indentation that each nesting level adds.
  private(set) var unit: String
  /// Whether a YAML list is indented relative to its key.
  private(set) var indentsLists = true
  private var multilineLists: Bool?
  private var multilineMappings: Bool?
  private let hasLines: Bool

  init(_ document: Document) {
    let lines = TextLines(document)
    let end = lines.lineEnd(0)
    hasLines = end < lines.bytes.count
    newline = hasLines ? lines.text(end..<lines.afterLineEnd(end)) : "\n"
    unit = document.syntax == .json || document.syntax == .yaml ? "  " : "\t"
    var detectedUnit: String?
    var lists: Bool?
    inspect(document.root, lines, &detectedUnit, &lists)
    if let detectedUnit { unit = detectedUnit }
    if let lists { indentsLists = lists }
  }

  private mutating func inspect(_ node: Node, _ lines: TextLines, _ unit: inout String?, _ lists: inout Bool?) {
    if unit != nil, lists != nil || lines.syntax != .yaml, multilineLists != nil, multilineMappings != nil { return }
    guard node.kind == .mapping || node.kind == .array, node.count > 0 else { return }
    let children =
      node.kind == .mapping ? node.entries.map { ($0.key as Node?, $0.value) } : node.elements.map { (nil, $0) }
    if let (key, value) = children.first {
      let start = key?.span.start ?? value.span.start
      let isOwnLine = lines.isFirstOnLine(start)
      if node.kind == .mapping { multilineMappings = multilineMappings ?? isOwnLine }
      if node.kind == .array { multilineLists = multilineLists ?? isOwnLine }
      if unit == nil, isOwnLine, start > node.span.start {
        let (outer, inner) = (lines.indentation(at: node.span.start), lines.indentation(at: start))
        if inner.count > outer.count, inner.hasPrefix(outer) { unit = String(inner.dropFirst(outer.count)) }
      }
    }
    for (key, value) in children {
      if lines.syntax == .yaml, let key, lines.isFirstOnLine(key.span.start), lines.isFirstOnLine(value.span.start) {
        let (outer, inner) = (lines.indentation(at: key.span.start), lines.indentation(at: value.span.start))
        let isList = value.kind == .array && value.span.start < value.span.end
        if isList { lists = lists ?? (inner.count > outer.count) }
        if unit == nil, inner.count > outer.count, inner.hasPrefix(outer) {
          unit = String(inner.dropFirst(outer.count))
        }
      }
      inspect(value, lines, &unit, &lists)
    }
  }

  /// Returns whether lists or mappings have each item on a separate line.
  func isMultiline(mapping: Bool) -> Bool {
    guard hasLines else { return false }
    return (mapping ? multilineMappings : multilineLists ?? multilineMappings) ?? true
  }
}
