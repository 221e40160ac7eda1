import Diagnostics

/// A reference to one element of an XML document. A reference is cheap to copy and keeps the document alive.
package struct XMLElement: Sendable {
  let document: XMLDocument
  let index: Int

  private var record: XMLDocument.Record { document.records[index] }

  package var source: SourceText { document.source }
  package var place: FileSpan { FileSpan(source, span) }

  /// The qualified name with its prefix.
  package var name: String { source.text(in: nameSpan) }

  /// The name without its prefix.
  package var localName: String { XMLAttribute.localName(name) }

  /// The name of the namespace that the prefix refers to, or of the default namespace if there is no prefix.
  package var namespace: String? {
    document.namespace(of: XMLAttribute.prefix(name).utf8, in: record.scope)
  }

  /// The range of the start tag.
  package var span: SourceSpan { SourceSpan(start: Int(record.start), end: Int(record.tagEnd)) }

  /// The range from the start tag to the closing tag.
  package var wholeSpan: SourceSpan { SourceSpan(start: Int(record.start), end: Int(record.end)) }

  package var nameSpan: SourceSpan {
    let name = document.tag(at: index).name
    return SourceSpan(start: name.lowerBound, end: name.upperBound)
  }

  /// The range between the tags. For `<a/>`, an empty range after the tag.
  package var contentSpan: SourceSpan {
    guard !isEmptyElement else { return .at(span.end) }
    var end = Int(record.end)
    while end > span.end, source.bytes[end - 1] != UInt8(ascii: "<") { end -= 1 }
    return SourceSpan(start: span.end, end: max(span.end, end - 1))
  }

  /// Whether the element is written as `<a/>`.
  package var isEmptyElement: Bool { document.tag(at: index).isEmptyElement }

  /// The text between the tags, with references resolved. Nil if the element contains other elements.
  package var text: String? {
    guard Int(record.next) == index + 1 else { return nil }
    let content = contentSpan
    return source.bytes.withUnsafeBufferPointer { bytes in
      String(
        decoding: XMLMarkup.decode(UnsafeBufferPointer(rebasing: bytes[content.start..<content.end])), as: UTF8.self)
    }
  }

  /// All attributes in order, including namespace declarations.
  package var attributes: [XMLAttribute] {
    document.tag(at: index).attributes.map { XMLAttribute($0, of: self, scope: record.scope) }
  }

  /// Returns the attribute with this local name in the given namespace, or in no namespace if `namespace` is nil.
  package func attribute(_ localName: String, namespace: String? = nil) -> XMLAttribute? {
    for attribute in document.tag(at: index).attributes {
      // Comparing the last letters first rules out almost all attributes.
      guard source.bytes[attribute.name].ends(with: localName.utf8) else { continue }
      let match = XMLAttribute(attribute, of: self, scope: record.scope)
      if match.localName == localName, match.namespace == namespace { return match }
    }
    return nil
  }

  /// Returns an attribute in Android's namespace, such as `android("name")` for `android:name`.
  package func android(_ localName: String) -> XMLAttribute? {
    attribute(localName, namespace: XMLNamespace.android)
  }

  /// The child elements in order.
  package var children: [XMLElement] {
    var children: [XMLElement] = []
    var position = index + 1
    while position < Int(record.next) {
      children.append(XMLElement(document: document, index: position))
      position = Int(document.records[position].next)
    }
    return children
  }

  /// Returns the child elements with this qualified name.
  package func children(named name: String) -> [XMLElement] { children.filter { $0.name == name } }

  /// All descendants in document order.
  package var descendants: [XMLElement] {
    (index + 1..<max(Int(record.next), index + 1)).map { XMLElement(document: document, index: $0) }
  }
}

extension Collection<UInt8> where Self: BidirectionalCollection {
  fileprivate func ends(with other: String.UTF8View) -> Bool {
    reversed().starts(with: other.reversed())
  }
}

/// An attribute with its locations.
package struct XMLAttribute: Sendable {
  package let source: SourceText
  /// The qualified name with its prefix.
  package let name: String
  /// The name of the namespace that belongs to the prefix. An attribute without a prefix is in no namespace.
  package let namespace: String?
  /// The value, with references resolved and line endings replaced with spaces.
  package let value: String
  package let nameSpan: SourceSpan
  /// The range of the value inside the quotes.
  package let valueSpan: SourceSpan

  init(_ attribute: XMLTag.Attribute, of element: XMLElement, scope: UInt32) {
    source = element.source
    nameSpan = SourceSpan(start: attribute.name.lowerBound, end: attribute.name.upperBound)
    valueSpan = SourceSpan(start: attribute.value.lowerBound, end: attribute.value.upperBound)
    span = SourceSpan(start: nameSpan.start, end: attribute.end)
    name = source.text(in: nameSpan)
    let prefix = Self.prefix(name)
    namespace = prefix.isEmpty ? nil : element.document.namespace(of: prefix.utf8, in: scope)
    value = source.bytes.withUnsafeBufferPointer { bytes in
      String(
        decoding: XMLMarkup.decodeAttribute(UnsafeBufferPointer(rebasing: bytes[attribute.value])), as: UTF8.self)
    }
  }

  /// The name without its prefix.
  package var localName: String { Self.localName(name) }

  /// The range from the name to the closing quote.
  package let span: SourceSpan

  package var place: FileSpan { FileSpan(source, span) }
  /// The location of the value without its quotes.
  package var valuePlace: FileSpan { FileSpan(source, valueSpan) }

  static func prefix(_ name: String) -> Substring {
    name.firstIndex(of: ":").map { name[..<$0] } ?? ""
  }

  static func localName(_ name: String) -> String {
    name.firstIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
  }
}
