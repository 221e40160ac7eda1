import Diagnostics

/// A builder for a document whose values another reader found, such as the outline of text with syntax errors.
package struct DocumentBuilder {
  private var builder: TreeBuilder
  private let syntax: DocumentSyntax

  package init(_ source: SourceText, _ syntax: DocumentSyntax) {
    builder = TreeBuilder(source: source, limits: ReadingLimits())
    builder.findsDuplicates = false
    self.syntax = syntax
  }

  /// Adds a mapping. The body adds keys and values alternately. A mapping that exceeds the depth limit is omitted.
  package mutating func mapping(_ span: SourceSpan, _ body: (inout Self) -> Void) {
    container(.mapping, span, body)
  }

  /// Adds a list. A list that exceeds the depth limit is omitted.
  package mutating func array(_ span: SourceSpan, _ body: (inout Self) -> Void) {
    container(.array, span, body)
  }

  private mutating func container(_ kind: NodeRecord.Kind, _ span: SourceSpan, _ body: (inout Self) -> Void) {
    guard builder.open(kind, at: span.start) else { return null(at: .at(span.start)) }
    body(&self)
    builder.close(end: span.end)
  }

  /// Adds a scalar. YAML's core schema determines the type of a plain value. All other scalars are strings.
  /// - Parameters:
  ///   - text: The text without quotes or escapes.
  ///   - inner: The range of the text in the source, without quotes. It can contain escapes.
  ///   - isPlain: Whether the scalar has no quotes in YAML.
  package mutating func scalar(_ text: String, _ span: SourceSpan, inner: SourceSpan, isPlain: Bool = false) {
    let text = Array(text.utf8)
    let isKey = builder.frames.last.map { $0.isMapping && $0.children.isMultiple(of: 2) } ?? false
    let kind = isPlain && !isKey ? text.withUnsafeBufferPointer(YAMLCoreSchema.kind) : .string
    let bytes = builder.source.bytes
    switch kind {
    case .null: null(at: span)
    case .bool:
      let isTrue = text.first.map { $0 | 0x20 } == UInt8(ascii: "t")
      builder.scalar(NodeRecord(.bool, start: span.start, end: span.end, first: isTrue ? 1 : 0))
    default:
      if inner.start >= 0, inner.start <= inner.end, inner.end <= bytes.count,
        bytes[inner.start..<inner.end].elementsEqual(text)
      {
        builder.scalar(
          NodeRecord(kind, start: span.start, end: span.end, first: inner.start, second: inner.end - inner.start))
      } else {
        builder.pooled(kind, start: span.start, end: span.end, text: text)
      }
    }
  }

  /// Adds a null for a missing value.
  package mutating func null(at span: SourceSpan) {
    builder.scalar(NodeRecord(.null, start: span.start, end: span.end))
  }

  /// Returns the document, or nil if it has no values.
  package mutating func finish() -> Document? { builder.finish(syntax).document }
}
