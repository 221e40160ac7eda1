import Diagnostics
import Documents

/// A value in a document that may contain syntax errors.
///
/// Unlike a `Document`, an outline includes the whole text even if brackets or quotes are unclosed or keys are
/// unfinished. It ignores anchors and does not determine the types of scalars.
package struct OutlineNode: Sendable {
  package enum Kind: Sendable {
    case scalar, mapping, sequence
  }

  /// The notation of a scalar.
  package enum Style: Hashable, Sendable {
    case plain, singleQuoted, doubleQuoted
    /// A YAML block scalar.
    case block
    /// The content of a property list element with this name, such as `string`.
    case element(String)
    /// Text outside all elements in an XML property list, at a location where an element is expected.
    case missingElement
  }

  package var kind: Kind
  /// The text of a scalar, without its quotes or escapes.
  package var text = ""
  package var style = Style.plain
  /// The span, including any quotes. For a property list element, the span of its content.
  package var span: SourceSpan
  /// Whether the value is a mapping or list in brackets, or is inside one.
  package var isFlow = false
  /// Whether only list markers precede the value on its line, so that it can become a YAML key.
  package var startsLine = false
  package var entries: [OutlineEntry] = []
  package var elements: [OutlineNode] = []

  /// The span of a scalar, excluding its quotes.
  package var innerSpan: SourceSpan {
    switch style {
    case .singleQuoted, .doubleQuoted:
      let start = min(span.start + 1, span.end)
      return SourceSpan(start: start, end: isClosed ? max(start, span.end - 1) : span.end)
    default: return span
    }
  }

  /// Whether a quoted scalar has its closing quote.
  var isClosed = true

  /// Returns the value of the first entry with a key.
  package subscript(key: String) -> OutlineNode? { entries.first { $0.key.text == key }?.value }

  package subscript(index: Int) -> OutlineNode? { elements.indices.contains(index) ? elements[index] : nil }

  /// The keys of a mapping.
  package var keys: [String] { entries.map(\.key.text) }

  /// The scalar's text, or nil for other values.
  package var scalar: String? { kind == .scalar ? text : nil }

  /// The text of the scalar, or of each scalar in a list.
  package var scalars: [String] { kind == .sequence ? elements.compactMap(\.scalar) : scalar.map { [$0] } ?? [] }

  /// Returns the value at a path, or nil if it does not exist.
  package func value(at path: some Sequence<PathElement>) -> OutlineNode? {
    var node: OutlineNode? = self
    for element in path {
      switch element {
      case .key(let key): node = node?[key]
      case .index(let index): node = node?[index]
      }
    }
    return node
  }
}

/// An entry of a mapping in an outline.
package struct OutlineEntry: Sendable {
  package var key: OutlineNode
  /// The value, or nil if it is missing.
  package var value: OutlineNode?
  /// Whether the key is followed by a separator or a value.
  package var hasSeparator: Bool
}

/// A key or index that selects a value in a container.
package enum PathElement: Hashable, Sendable {
  case key(String)
  case index(Int)

  package var key: String? {
    if case .key(let key) = self { key } else { nil }
  }
}

extension OutlineNode {
  /// The notation of a document.
  package enum Syntax: Sendable {
    case yaml, json, propertyList

    /// Detects the notation from the first character and the file name extension.
    package init(_ bytes: [UInt8], named name: String) {
      let first = bytes.prefix(1 << 16).first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }
      let isYAML = name.hasSuffix(".yaml") || name.hasSuffix(".yml")
      switch first {
      case UInt8(ascii: "<") where !isYAML: self = .propertyList
      case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "/"): self = isYAML ? .yaml : .json
      default:
        let isPropertyList = [".plist", ".entitlements", ".xml"].contains { name.hasSuffix($0) }
        self = isPropertyList ? .propertyList : name.hasSuffix(".json") ? .json : .yaml
      }
    }
  }

  /// Reads an outline.
  /// - Parameter cursor: The offset at which to assume an empty scalar if there is no text, or nil.
  static func read(_ bytes: [UInt8], _ syntax: Syntax, cursor: Int? = nil) -> OutlineNode? {
    var bytes = bytes
    if let cursor { bytes.insert(OutlineReader.mark, at: cursor) }
    var reader = OutlineReader(bytes, isJSON: syntax == .json, cursor: cursor)
    switch syntax {
    case .propertyList: return reader.propertyList()
    case .json, .yaml: return reader.document()
    }
  }

  /// Reads the outline of a document, or returns nil if the file is binary, is too large, or contains no value.
  package static func read(_ source: SourceText) -> OutlineNode? {
    guard !source.isBinary, source.bytes.count <= OutlineReader.sizeLimit else { return nil }
    return read(source.bytes, Syntax(source.bytes, named: source.name))
  }
}

extension Document {
  /// Reads YAML to its end even if it contains syntax errors, ignoring anchors and aliases.
  static func outline(of source: SourceText) -> Document? {
    guard let root = OutlineNode.read(source) else { return nil }
    var builder = DocumentBuilder(source, .yaml)
    root.add(to: &builder)
    return builder.finish()
  }
}

extension OutlineNode {
  fileprivate func add(to builder: inout DocumentBuilder) {
    switch kind {
    case .scalar: builder.scalar(text, span, inner: innerSpan, isPlain: style == .plain)
    case .sequence:
      builder.array(span) { builder in
        for element in elements { element.add(to: &builder) }
      }
    case .mapping:
      builder.mapping(span) { builder in
        for entry in entries {
          entry.key.add(to: &builder)
          if let value = entry.value { value.add(to: &builder) } else { builder.null(at: .at(entry.key.span.end)) }
        }
      }
    }
  }
}
