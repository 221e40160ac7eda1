import CLibXML2
import Diagnostics

/// A single pass of libxml2 over the text. libxml2 reports the elements, and this type finds their locations.
struct XMLDocumentPass {
  /// The maximum length of a tag. Longer tags and tags with too many attributes are rejected, because libxml2 compares
  /// all attributes with each other.
  static let maximumTagLength = 64 << 10
  static let maximumAttributes = 512
  /// The maximum number of namespace declarations in scope.
  static let maximumDeclarations = 256

  private struct Frame {
    /// The index of the element's record, or nil if the element's tag was not found in the text.
    var record: Int?
    var scope: UInt32
    var declarations: Int
  }

  let source: SourceText
  let limits: ReadingLimits
  var records: [XMLDocument.Record] = []
  var declarations: [XMLDocument.Declaration] = []
  var diagnostics: [Diagnostic] = []
  var isStopRequested = false
  private var frames: [Frame] = []
  private var bytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// The offset up to which the text has been read.
  private var readEnd = 0
  private var errorOffsets: Set<Int> = []

  init(source: SourceText, limits: ReadingLimits) {
    self.source = source
    self.limits = limits
  }

  mutating func run(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    defer { self.bytes = UnsafeBufferPointer(start: nil, count: 0) }
    if bytes.allSatisfy(ByteClassification.isBlank) {
      return report(
        rule: "empty-document", "empty file", help: "add an XML document", from: 0, to: bytes.count)
    }
    if let tag = XMLTagLengths.firstOverlong(bytes, limit: Self.maximumTagLength, attributes: Self.maximumAttributes) {
      return report("tag too long", help: "check where the tag should end", from: tag, to: tag + 1)
    }
    // Every element has a `<`. Unused capacity does not occupy physical memory.
    records.reserveCapacity(min(bytes.count { $0 == UInt8(ascii: "<") }, limits.expandedNodes))
    XMLSAX.parse(bytes, into: &self, callbacks: Self.callbacks)
    while !frames.isEmpty { closeElement(at: bytes.count) }
  }

  private mutating func report(
    rule: String = "xml-syntax", _ message: String, help: String, from start: Int, to end: Int
  ) {
    guard diagnostics.count < limits.diagnostics else {
      isStopRequested = true
      return
    }
    let span = SourceSpan(start: start, end: end).clamped(in: bytes)
    diagnostics.append(Diagnostic(.error, rule: rule, message, help: help, at: FileSpan(source, span)))
  }

  // MARK: Events

  private mutating func openElement(_ name: UnsafeBufferPointer<UInt8>, position: Int) {
    guard !isStopRequested else { return }
    let outer = frames.last ?? Frame(record: nil, scope: 0, declarations: 0)
    guard let start = opening(of: name, before: position) else {
      frames.append(Frame(record: nil, scope: outer.scope, declarations: outer.declarations))
      readEnd = max(readEnd, position)
      return
    }
    guard frames.count < limits.depth, records.count < limits.expandedNodes else {
      report(
        rule: frames.count < limits.depth ? "too-large" : "too-deep",
        frames.count < limits.depth
          ? "more than \(limits.expandedNodes) elements"
          : "more than \(limits.depth) levels of nesting",
        help: "check the program that created the file", from: start, to: start)
      isStopRequested = true
      return
    }
    let tag = XMLTag(bytes, at: start)
    readEnd = max(readEnd, start + 1)
    var frame = Frame(record: records.count, scope: outer.scope, declarations: outer.declarations)
    declare(tag, in: &frame)
    checkPrefixes(tag, scope: frame.scope)
    records.append(
      XMLDocument.Record(
        start: UInt32(truncatingIfNeeded: start), tagEnd: UInt32(truncatingIfNeeded: tag.end),
        end: UInt32(truncatingIfNeeded: tag.end), next: UInt32(truncatingIfNeeded: records.count + 1),
        scope: frame.scope))
    frames.append(frame)
  }

  private mutating func closeElement(at position: Int) {
    guard let frame = frames.popLast(), let index = frame.record else { return }
    records[index].end = max(records[index].tagEnd, UInt32(truncatingIfNeeded: min(position, bytes.count)))
    records[index].next = UInt32(truncatingIfNeeded: records.count)
    readEnd = max(readEnd, Int(records[index].end))
  }

  /// Returns the offset of the `<` of the element's tag, or nil if libxml2 and the text disagree after an error.
  private func opening(of name: UnsafeBufferPointer<UInt8>, before position: Int) -> Int? {
    var index = min(position, bytes.count) - 1
    while index >= readEnd {
      if bytes[index] == UInt8(ascii: "<"), bytes[(index + 1)...].starts(with: name) { return index }
      index -= 1
    }
    return nil
  }

  private func text(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[range]) }

  // MARK: Namespaces

  private mutating func declare(_ tag: XMLTag, in frame: inout Frame) {
    for attribute in tag.attributes {
      let name = text(attribute.name)
      guard name.starts(with: "xmlns".utf8), name.count == 5 || name[5] == UInt8(ascii: ":") else { continue }
      guard frame.declarations < Self.maximumDeclarations else {
        report(
          "more than \(Self.maximumDeclarations) namespace declarations in scope", help: "remove unused declarations",
          from: attribute.name.lowerBound, to: attribute.name.upperBound)
        isStopRequested = true
        return
      }
      frame.declarations += 1
      declarations.append(
        XMLDocument.Declaration(
          outer: frame.scope, prefix: Array(name.dropFirst(6)),
          name: String(decoding: XMLMarkup.decodeAttribute(text(attribute.value)), as: UTF8.self)))
      frame.scope = UInt32(truncatingIfNeeded: declarations.count)
    }
  }

  /// Reports undeclared prefixes, which namespace-aware parsers reject.
  private mutating func checkPrefixes(_ tag: XMLTag, scope: UInt32) {
    for name in [tag.name] + tag.attributes.map(\.name) {
      let word = text(name)
      guard let colon = word.firstIndex(of: UInt8(ascii: ":")), !word.starts(with: "xmlns".utf8) else { continue }
      let prefix = word[..<colon]
      guard XMLDocument.namespace(of: prefix, in: scope, declarations) == nil else { continue }
      let prefixText = String(decoding: prefix.prefix(40), as: UTF8.self)
      let namespace = ["android": XMLNamespace.android, "tools": XMLNamespace.androidTools][prefixText]
      report(
        "undeclared prefix `\(prefixText)`",
        help: "add `xmlns:\(prefixText)=\"\(namespace ?? "…")\"` to the root element", from: name.lowerBound,
        to: name.lowerBound + colon)
    }
  }

  // MARK: Errors

  private mutating func reportXMLError(_ code: Int32, _ libxmlMessage: String, position: Int) {
    let root = frames.first?.record.map { record in
      String(decoding: text(XMLTag(bytes, at: Int(records[record].start)).name).prefix(40), as: UTF8.self)
    }
    guard !isStopRequested, errorOffsets.insert(position).inserted,
      let reportXMLError = XMLSyntaxError(code, libxmlMessage, at: position, in: bytes, root: root ?? nil)
    else { return }
    report(
      reportXMLError.message, help: reportXMLError.help, from: reportXMLError.place,
      to: max(reportXMLError.place, position))
  }

  private mutating func entityDeclaration(position: Int) {
    report(
      "entity declaration", help: "remove the declaration: authflow does not expand entities",
      from: position, to: position)
    isStopRequested = true
  }

  // MARK: libxml2's callbacks

  private typealias Context = XMLSAX.Context<XMLDocumentPass>

  private static func withPass(
    _ pointer: UnsafeMutableRawPointer?, _ body: (_ pass: inout XMLDocumentPass, _ position: Int) -> Void
  ) {
    guard let context = pointer?.assumingMemoryBound(to: Context.self).pointee else { return }
    body(&context.reader.pointee, context.position)
    if context.reader.pointee.isStopRequested { xmlStopParser(context.parser) }
  }

  private static var callbacks: xmlSAXHandler {
    var sax = xmlSAXHandler()
    sax.initialized = XML_SAX2_MAGIC
    sax.startElementNs = { pointer, name, prefix, _, _, _, _, _, _ in
      guard let name else { return }
      XMLDocumentPass.withPass(pointer) { pass, position in
        // The qualified name starts with its prefix.
        let qualifiedName = prefix ?? name
        pass.openElement(
          UnsafeBufferPointer(start: qualifiedName, count: Int(xmlStrlen(qualifiedName))), position: position)
      }
    }
    sax.endElementNs = { pointer, _, _, _ in
      XMLDocumentPass.withPass(pointer) { pass, position in pass.closeElement(at: position) }
    }
    sax.entityDecl = { pointer, _, _, _, _, _ in
      XMLDocumentPass.withPass(pointer) { pass, position in pass.entityDeclaration(position: position) }
    }
    // Only the five predefined entities are supported.
    sax.getEntity = { _, name in xmlGetPredefinedEntity(name) }
    sax.getParameterEntity = { _, _ in nil }
    sax.serror = { pointer, error in
      guard let error else { return }
      let (code, libxmlMessage) = (error.pointee.code, error.pointee.message.map { String(cString: $0) } ?? "")
      XMLDocumentPass.withPass(pointer) { pass, position in pass.reportXMLError(code, libxmlMessage, position: position)
      }
    }
    return sax
  }
}
