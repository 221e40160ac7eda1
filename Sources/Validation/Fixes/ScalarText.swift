import Diagnostics
import Documents

/// The text that represents a value or key. Edits replace this text.
struct ScalarText {
  let node: Node
  let isKey: Bool
  private let lines: TextLines
  private let span: SourceSpan

  /// Creates the text for a value or key. Returns nil for a binary property list, which cannot be edited as text.
  init?(_ node: Node, isKey: Bool = false) {
    guard !node.document.source.isBinary, node.document.syntax != .binaryPropertyList,
      node.span.end <= node.document.source.bytes.count
    else { return nil }
    self.node = node
    self.isKey = isKey
    lines = TextLines(node.document)
    span = node.span
  }

  private var first: UInt8 { span.start < span.end ? lines.bytes[span.start] : 0 }

  /// Returns an edit that replaces the value with a string.
  func replacement(_ text: String) -> Diagnostic.Edit? {
    switch lines.syntax {
    case .json: return edit(JSON.string(text).text())
    case .xmlPropertyList: return xml(text)
    case .openStepPropertyList:
      if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
        let quote = Unicode.Scalar(first)
        return edit("\(quote)\(ValueText.escapedOpenStep(text, quote: quote))\(quote)")
      }
      return edit(ValueText.openStepWord(text))
    case .yaml: return yaml(text)
    case .binaryPropertyList: return nil
    }
  }

  /// Returns an edit that replaces the value with a value of any type.
  func replacement(_ value: JSON) -> Diagnostic.Edit? {
    let style = TextStyle(node.document)
    // A YAML value in brackets remains in brackets. A block value moves to the line of its key.
    let isFlow = lines.syntax != .yaml || !isInBlock
    let margin = lines.indentation(at: span.start)
    let spelling = ValueText(
      style: style, syntax: lines.syntax, isFlow: isFlow, isMultiline: style.isMultiline(mapping: true),
      quotes: .asNeeded)
    if lines.syntax == .yaml {
      let inline = ValueText(style: style, syntax: .yaml, isFlow: true, isMultiline: false, quotes: .asNeeded)
      return inline.text(value, margin: margin).map(editYAML)
    }
    return spelling.text(value, margin: margin).map(edit)
  }

  private func edit(_ replacement: String) -> Diagnostic.Edit { Diagnostic.Edit(span: span, replacement: replacement) }

  // MARK: XML

  private func xml(_ text: String) -> Diagnostic.Edit? {
    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 || $0 == "\t" || $0 == "\n" || $0 == "\r" }) else {
      return nil
    }
    let escaped = ValueText.escapedXML(text)
    let name = isKey ? "key" : "string"
    if isKey || node.kind == .string, let inner = ContainerText.elementContent(span, lines),
      inner.lowerBound < span.end
    {
      return Diagnostic.Edit(span: SourceSpan(start: inner.lowerBound, end: inner.upperBound), replacement: escaped)
    }
    return edit("<\(name)>\(escaped)</\(name)>")
  }

  // MARK: YAML

  /// Whether the value is outside of all flow collections, where commas and brackets are ordinary characters.
  private var isInBlock: Bool { !Self.isInFlow(node.document.root, span) }

  private static func isInFlow(_ root: Node, _ span: SourceSpan) -> Bool {
    var node = root
    while true {
      guard node.kind == .mapping || node.kind == .array, node.span.start < node.span.end else { return false }
      let bytes = node.document.source.bytes
      if node.span.start <= span.start, span.end <= node.span.end, node.span != span,
        bytes[node.span.start] == UInt8(ascii: "{") || bytes[node.span.start] == UInt8(ascii: "[")
      {
        return true
      }
      let children = node.kind == .mapping ? node.entries.map(\.value) : Array(node.elements)
      guard let inner = children.first(where: { $0.span.start <= span.start && span.end <= $0.span.end }),
        inner.span != node.span, inner.kind == .mapping || inner.kind == .array
      else { return false }
      node = inner
    }
  }

  private func yaml(_ text: String) -> Diagnostic.Edit? {
    if first == UInt8(ascii: "'"), let quoted = ValueText.singleQuotedYAML(text) { return edit(quoted) }
    if first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") { return edit(JSON.string(text).text()) }
    let plain = ValueText.plainYAML(text, isFlow: !isInBlock)
    return editYAML(plain ?? JSON.string(text).text())
  }

  /// Returns an edit that replaces a YAML value, which may be empty or span several lines.
  private func editYAML(_ replacement: String) -> Diagnostic.Edit {
    if span.start == span.end {
      let touches = span.start > 0 && !TextLines.isWhite(lines.bytes[span.start - 1])
      return edit((touches ? " " : "") + replacement)
    }
    guard node.kind == .mapping || node.kind == .array, lines.isFirstOnLine(span.start) else {
      return edit(replacement)
    }
    var before = span.start
    while before > 0, TextLines.isWhite(lines.bytes[before - 1]) { before -= 1 }
    guard before > 0, lines.bytes[before - 1] == UInt8(ascii: ":") else { return edit(replacement) }
    return Diagnostic.Edit(span: SourceSpan(start: before, end: span.end), replacement: " " + replacement)
  }
}
