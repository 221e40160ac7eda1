import Diagnostics
import Documents

/// The habits of a text: its line ends, how far it indents, and whether it breaks lines in lists and mappings.
struct TextStyle {
  /// The first line end that is there.
  let newline: String
  /// By what nested lines stand further in.
  private(set) var unit: String
  /// Whether the dashes of a YAML list stand further in than its key.
  private(set) var indentsLists = true
  private var multilineLists: Bool?
  private var multilineMappings: Bool?
  private let hasLines: Bool

  init(_ document: Document) {
    let lines = TextLines(document)
    let end = lines.lineEnd(0)
    hasLines = end < lines.bytes.count
    newline = hasLines ? lines.text(end..<lines.behindLineEnd(end)) : "\n"
    unit = document.syntax == .json || document.syntax == .yaml ? "  " : "\t"
    var found: String?
    var lists: Bool?
    look(document.root, lines, &found, &lists)
    if let found { unit = found }
    if let lists { indentsLists = lists }
  }

  private mutating func look(_ node: Node, _ lines: TextLines, _ unit: inout String?, _ lists: inout Bool?) {
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
      look(value, lines, &unit, &lists)
    }
  }

  /// Whether such containers have their items on lines of their own, as far as the text shows it.
  func isMultiline(mapping: Bool) -> Bool {
    guard hasLines else { return false }
    return (mapping ? multilineMappings : multilineLists ?? multilineMappings) ?? true
  }
}
