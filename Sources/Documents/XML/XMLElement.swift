import Diagnostics

/// A cursor on one element of an XML document: cheap to copy, and it keeps the document alive.
package struct XMLElement: Sendable {
  let document: XMLDocument
  let index: Int

  private var record: XMLDocument.Record { document.records[index] }

  package var source: SourceText { document.source }
  package var place: FileSpan { FileSpan(source, span) }

  /// The name with its prefix, as it is written.
  package var name: String { source.text(in: nameSpan) }

  /// The name without its prefix.
  package var localName: String { XMLAttribute.localName(name) }

  /// The name of the namespace that the prefix, or the default, stands for.
  package var namespace: String? {
    document.namespace(of: XMLAttribute.prefix(name).utf8, in: record.scope)
  }

  /// The start tag, brackets included.
  package var span: SourceSpan { SourceSpan(start: Int(record.start), end: Int(record.tagEnd)) }

  /// From the start tag to the end of the closing tag.
  package var wholeSpan: SourceSpan { SourceSpan(start: Int(record.start), end: Int(record.end)) }

  package var nameSpan: SourceSpan {
    let name = document.tag(at: index).name
    return SourceSpan(start: name.lowerBound, end: name.upperBound)
  }

  /// Between the tags; empty, behind the tag, where the element is `<a/>`.
  package var contentSpan: SourceSpan {
    guard !isEmptyElement else { return .at(span.end) }
    var end = Int(record.end)
    while end > span.end, source.bytes[end - 1] != UInt8(ascii: "<") { end -= 1 }
    return SourceSpan(start: span.end, end: max(span.end, end - 1))
  }

  /// Whether it is written `<a/>`.
  package var isEmptyElement: Bool { document.tag(at: index).isEmptyElement }

  /// The text between the tags, references resolved; nil where the element holds other elements.
  package var text: String? {
    guard Int(record.next) == index + 1 else { return nil }
    let content = contentSpan
    return source.bytes.withUnsafeBufferPointer { bytes in
      String(
        decoding: XMLMarkup.decode(UnsafeBufferPointer(rebasing: bytes[content.start..<content.end])), as: UTF8.self)
    }
  }

  /// All attributes in the order in which they stand, declarations of namespaces among them.
  package var attributes: [XMLAttribute] {
    document.tag(at: index).attributes.map { XMLAttribute($0, of: self, scope: record.scope) }
  }

  /// The attribute with that name, without its prefix, in that namespace; nil stands for no namespace.
  package func attribute(_ localName: String, namespace: String? = nil) -> XMLAttribute? {
    for attribute in document.tag(at: index).attributes {
      // Almost all are ruled out by their last letters.
      guard source.bytes[attribute.name].ends(with: localName.utf8) else { continue }
      let found = XMLAttribute(attribute, of: self, scope: record.scope)
      if found.localName == localName, found.namespace == namespace { return found }
    }
    return nil
  }

  /// The value of an attribute in Android's namespace: `android("name")` for `android:name`.
  package func android(_ localName: String) -> XMLAttribute? {
    attribute(localName, namespace: XMLNamespace.android)
  }

  /// The elements directly inside, in order.
  package var children: [XMLElement] {
    var children: [XMLElement] = []
    var position = index + 1
    while position < Int(record.next) {
      children.append(XMLElement(document: document, index: position))
      position = Int(document.records[position].next)
    }
    return children
  }

  /// The elements directly inside that have a name.
  package func children(named name: String) -> [XMLElement] { children.filter { $0.name == name } }

  /// Every element inside, in the order of the text.
  package var descendants: [XMLElement] {
    (index + 1..<max(Int(record.next), index + 1)).map { XMLElement(document: document, index: $0) }
  }
}

extension Collection<UInt8> where Self: BidirectionalCollection {
  fileprivate func ends(with other: String.UTF8View) -> Bool {
    reversed().starts(with: other.reversed())
  }
}

/// One attribute with its places.
package struct XMLAttribute: Sendable {
  package let source: SourceText
  /// The name with its prefix, as it is written.
  package let name: String
  /// The name of the namespace that the prefix stands for; an attribute without prefix is in none.
  package let namespace: String?
  /// The value, references resolved and line ends made blanks.
  package let value: String
  package let nameSpan: SourceSpan
  /// Inside the quotes.
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

  /// From the name to the closing quote.
  package let span: SourceSpan

  package var place: FileSpan { FileSpan(source, span) }
  /// The value without its quotes.
  package var valuePlace: FileSpan { FileSpan(source, valueSpan) }

  static func prefix(_ name: String) -> Substring {
    name.firstIndex(of: ":").map { name[..<$0] } ?? ""
  }

  static func localName(_ name: String) -> String {
    name.firstIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
  }
}
