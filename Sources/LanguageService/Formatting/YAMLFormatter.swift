import Diagnostics
import Documents

/// A formatter for the indentation, the spaces in flow collections, and the empty lines in YAML. Line breaks are
/// preserved.
struct YAMLFormatter {
  /// The lines after the first line of a value, which move with the first line.
  struct Continuation {
    var lines: ClosedRange<Int>
    /// The offset whose column determines the indentation of the lines.
    var anchor: Int
    /// Whether the lines are part of a scalar, in which spaces can be significant.
    var isScalar: Bool
  }

  let bytes: [UInt8]
  let root: Node
  let lines: LineIndex
  let unit: Int
  /// The new indentation of lines, by line.
  var indentations: [Int: Int] = [:]
  var continuations: [Continuation] = []
  /// The changes to spaces inside lines, by offset.
  var gaps: [(range: Range<Int>, text: String)] = []

  init(_ document: Document, _ options: FormattingOptions) {
    bytes = document.source.bytes
    root = document.root
    lines = LineIndex(bytes)
    unit = options.tabSize
  }

  func format() -> [UInt8] {
    var formatter = self
    formatter.visit(root, column: 0, anchor: 0)
    formatter.gaps.sort { $0.range.lowerBound < $1.range.lowerBound }
    return formatter.text()
  }

  // MARK: Tree

  /// - Parameters:
  ///   - column: The new column of the node if it is in block style.
  ///   - anchor: The offset of the key or the hyphen before the node.
  private mutating func visit(_ node: Node, column: Int, anchor: Int) {
    let span = node.span
    guard span.start < span.end, span.end <= bytes.count else { return }
    switch node.kind {
    case .mapping where !isFlow(node): blockMapping(node, column: column)
    case .array where !isFlow(node): blockSequence(node, column: column)
    case .mapping, .array:
      indentIfFirst(span.start, column)
      flow(node)
    default:
      indentIfFirst(span.start, column)
      addContinuation(of: span, anchor: anchor, isScalar: true)
    }
  }

  private mutating func blockMapping(_ node: Node, column: Int) {
    for (key, value) in node.entries {
      indentIfFirst(key.span.start, column)
      addContinuation(of: key.span, anchor: key.span.start, isScalar: true)
      let isOnSameLine = lines.line(at: key.span.end) == lines.line(at: value.span.start)
      if isOnSameLine { addGap(key.span.end..<value.span.start, mark: ":", ": ") }
      visit(value, column: column + unit, anchor: key.span.start)
    }
  }

  private mutating func blockSequence(_ node: Node, column: Int) {
    for element in node.elements {
      guard let hyphen = hyphen(before: element.span.start, in: node) else { continue }
      indentIfFirst(hyphen, column)
      let isOnSameLine = lines.line(at: hyphen) == lines.line(at: element.span.start)
      if isOnSameLine, element.span.start < element.span.end {
        addGap(hyphen..<element.span.start, mark: "-", "- ")
        visit(element, column: column + 2, anchor: hyphen)
      } else {
        visit(element, column: column + unit, anchor: hyphen)
      }
    }
  }

  /// Returns the hyphen before an element.
  private func hyphen(before offset: Int, in list: Node) -> Int? {
    var index = min(offset, bytes.count) - 1
    // Anchors and tags can be between the hyphen and the element.
    while index >= list.span.start {
      let isAlone = index + 1 >= bytes.count || ByteClass.isWhite(bytes[index + 1])
      if bytes[index] == UInt8(ascii: "-"), isAlone { return index }
      index -= 1
    }
    return nil
  }

  private func isFlow(_ node: Node) -> Bool {
    bytes[node.span.start] == UInt8(ascii: "{") || bytes[node.span.start] == UInt8(ascii: "[")
  }

  /// Sets the indentation of a line if the offset is the start of the line's content. Anchors and tags can precede the
  /// content.
  private mutating func indentIfFirst(_ offset: Int, _ column: Int) {
    let line = lines.line(at: offset)
    let first = firstByte(ofLine: line)
    guard first == offset || first < offset && "&!?\"'".utf8.contains(bytes[first]), indentations[line] == nil else {
      return
    }
    indentations[line] = column
  }

  private mutating func addContinuation(of span: SourceSpan, anchor: Int, isScalar: Bool) {
    let first = lines.line(at: span.start)
    var last = lines.line(at: span.end)
    // A block scalar ends at the start of the next line.
    if last > first, lines.start(ofLine: last) == span.end { last -= 1 }
    guard last > first else { return }
    continuations.append(Continuation(lines: first + 1...last, anchor: anchor, isScalar: isScalar))
  }

  // MARK: Flow collections

  private mutating func flow(_ node: Node) {
    let span = node.span
    let hasBrackets = isFlow(node)
    // If the first item starts on a later line than the bracket, items are indented relative to the bracket's line.
    // Otherwise, they are indented relative to the bracket.
    let line = lines.line(at: span.start)
    let opensLine = lines.line(at: firstContent(after: span.start + 1)) > line
    addContinuation(of: span, anchor: opensLine ? firstByte(ofLine: line) : span.start, isScalar: false)
    let isMapping = node.kind == .mapping
    var previous = hasBrackets ? span.start + 1 : nil
    var isFirst = true
    func children() -> [(key: Node?, value: Node)] {
      isMapping ? node.entries.map { ($0.key, $0.value) } : node.elements.map { (nil, $0) }
    }
    for (key, value) in children() {
      let start = (key ?? value).span.start
      if let previous {
        addGap(previous..<start, mark: isFirst ? nil : ",", isFirst ? (isMapping ? " " : "") : ", ")
      }
      isFirst = false
      if let key, key.span.end <= value.span.start, value.span.start < value.span.end {
        addGap(key.span.end..<value.span.start, mark: ":", ": ")
      }
      if value.kind == .mapping || value.kind == .array {
        if value.span.start < value.span.end { flow(value) }
      } else {
        addContinuation(of: value.span, anchor: value.span.start, isScalar: true)
      }
      previous = max(key?.span.end ?? 0, value.span.end)
    }
    guard hasBrackets, let previous, span.end - 1 >= previous else { return }
    addGap(previous..<span.end - 1, mark: nil, isMapping && !isFirst ? " " : "")
  }

  /// Replaces the text between two values if it is on one line and consists only of spaces and the separator `mark`, if
  /// any.
  private mutating func addGap(_ range: Range<Int>, mark: Unicode.Scalar?, _ text: String) {
    guard range.lowerBound <= range.upperBound, range.upperBound <= bytes.count else { return }
    let found = bytes[range].filter { !ByteClass.isBlank($0) }
    guard found == (mark.map { [UInt8(ascii: $0)] } ?? []) else { return }
    if bytes[range].elementsEqual(text.utf8) { return }
    gaps.append((range, text))
  }

  // MARK: Lines

  func firstByte(ofLine line: Int) -> Int {
    let range = lines.range(ofLine: line)
    return bytes[range].firstIndex { !ByteClass.isBlank($0) } ?? range.upperBound
  }

  private func firstContent(after offset: Int) -> Int {
    bytes[min(offset, bytes.count)...].firstIndex { !ByteClass.isWhite($0) } ?? bytes.count
  }
}
