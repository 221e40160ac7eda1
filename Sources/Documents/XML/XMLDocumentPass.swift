import CLibXML2
import Diagnostics

/// One run of libxml2 over the text: it says which elements there are, the text says where.
struct XMLDocumentPass {
  /// Tags that are longer, or hold more attributes, are refused: libxml2 compares all attributes with each other.
  static let longestTag = 64 << 10
  static let mostAttributes = 512
  /// Declarations of namespaces that apply at one place.
  static let mostDeclarations = 256

  private struct Frame {
    /// Nil where the element's tag could not be found in the text.
    var record: Int?
    var scope: UInt32
    var declarations: Int
  }

  let source: SourceText
  let limits: ReadingLimits
  var records: [XMLDocument.Record] = []
  var declarations: [XMLDocument.Declaration] = []
  var diagnostics: [Diagnostic] = []
  var wantsToStop = false
  private var frames: [Frame] = []
  private var bytes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// Everything before this place has been read.
  private var readUpTo = 0
  private var mistakeOffsets: Set<Int> = []

  init(source: SourceText, limits: ReadingLimits) {
    self.source = source
    self.limits = limits
  }

  mutating func run(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    defer { self.bytes = UnsafeBufferPointer(start: nil, count: 0) }
    if bytes.allSatisfy(ByteClassification.isBlank) {
      return report(
        rule: "empty-document", "the file is empty", help: "Write the document into it.", from: 0, to: bytes.count)
    }
    if let tag = XMLTagLengths.firstOverlong(bytes, limit: Self.longestTag, attributes: Self.mostAttributes) {
      return report("a tag is too long to be read", help: "Check where it should end.", from: tag, to: tag + 1)
    }
    // Every element has a ‘<’; room that is not used costs no memory.
    records.reserveCapacity(min(bytes.count { $0 == UInt8(ascii: "<") }, limits.expandedNodes))
    XMLSAX.parse(bytes, into: &self, callbacks: Self.callbacks)
    while !frames.isEmpty { closeElement(at: bytes.count) }
  }

  private mutating func report(
    rule: String = "xml-syntax", _ message: String, help: String, from start: Int, to end: Int
  ) {
    guard diagnostics.count < limits.diagnostics else {
      wantsToStop = true
      return
    }
    let span = SourceSpan(start: start, end: end).held(in: bytes)
    diagnostics.append(Diagnostic(.error, rule: rule, message, help: help, at: FileSpan(source, span)))
  }

  // MARK: Events

  private mutating func openElement(_ name: UnsafeBufferPointer<UInt8>, position: Int) {
    guard !wantsToStop else { return }
    let outer = frames.last ?? Frame(record: nil, scope: 0, declarations: 0)
    guard let start = opening(of: name, before: position) else {
      frames.append(Frame(record: nil, scope: outer.scope, declarations: outer.declarations))
      readUpTo = max(readUpTo, position)
      return
    }
    guard frames.count < limits.depth, records.count < limits.expandedNodes else {
      report(
        rule: frames.count < limits.depth ? "too-large" : "too-deep",
        frames.count < limits.depth
          ? "the document holds more than \(limits.expandedNodes) elements"
          : "the document nests more than \(limits.depth) levels deep",
        help: "Nobody writes this by hand: check the program that made the file.", from: start, to: start)
      wantsToStop = true
      return
    }
    let tag = XMLTag(bytes, at: start)
    readUpTo = max(readUpTo, start + 1)
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
    readUpTo = max(readUpTo, Int(records[index].end))
  }

  /// The `<` of the element's tag; nil where broken text led libxml2 elsewhere.
  private func opening(of name: UnsafeBufferPointer<UInt8>, before position: Int) -> Int? {
    var index = min(position, bytes.count) - 1
    while index >= readUpTo {
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
      guard frame.declarations < Self.mostDeclarations else {
        report(
          "more than \(Self.mostDeclarations) declarations of namespaces apply here", help: "Remove some.",
          from: attribute.name.lowerBound, to: attribute.name.upperBound)
        wantsToStop = true
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

  /// A prefix that nobody declared makes the document unreadable for everybody who knows namespaces.
  private mutating func checkPrefixes(_ tag: XMLTag, scope: UInt32) {
    for name in [tag.name] + tag.attributes.map(\.name) {
      let word = text(name)
      guard let colon = word.firstIndex(of: UInt8(ascii: ":")), !word.starts(with: "xmlns".utf8) else { continue }
      let prefix = word[..<colon]
      guard XMLDocument.namespace(of: prefix, in: scope, declarations) == nil else { continue }
      let shown = String(decoding: prefix.prefix(40), as: UTF8.self)
      let known = ["android": XMLNamespace.android, "tools": XMLNamespace.androidTools][shown]
      report(
        "the prefix ‘\(shown)’ is declared nowhere",
        help: "Write xmlns:\(shown)=\"\(known ?? "…")\" into the outermost tag.", from: name.lowerBound,
        to: name.lowerBound + colon)
    }
  }

  // MARK: Mistakes

  private mutating func mistake(_ code: Int32, _ said: String, position: Int) {
    let root = frames.first?.record.map { record in
      String(decoding: text(XMLTag(bytes, at: Int(records[record].start)).name).prefix(40), as: UTF8.self)
    }
    guard !wantsToStop, mistakeOffsets.insert(position).inserted,
      let mistake = XMLSyntaxError(code, said, at: position, in: bytes, root: root ?? nil)
    else { return }
    report(mistake.message, help: mistake.help, from: mistake.place, to: max(mistake.place, position))
  }

  private mutating func entityDeclaration(position: Int) {
    report(
      "the document declares an entity of its own", help: "Remove the declaration: entities are not expanded.",
      from: position, to: position)
    wantsToStop = true
  }

  // MARK: libxml2's callbacks

  private typealias Context = XMLSAX.Context<XMLDocumentPass>

  private static func hear(
    _ pointer: UnsafeMutableRawPointer?, _ body: (_ pass: inout XMLDocumentPass, _ position: Int) -> Void
  ) {
    guard let context = pointer?.assumingMemoryBound(to: Context.self).pointee else { return }
    body(&context.reader.pointee, context.position)
    if context.reader.pointee.wantsToStop { xmlStopParser(context.parser) }
  }

  private static var callbacks: xmlSAXHandler {
    var sax = xmlSAXHandler()
    sax.initialized = XML_SAX2_MAGIC
    sax.startElementNs = { pointer, name, prefix, _, _, _, _, _, _ in
      guard let name else { return }
      XMLDocumentPass.hear(pointer) { pass, position in
        // The name as it is written begins with its prefix.
        let written = prefix ?? name
        pass.openElement(UnsafeBufferPointer(start: written, count: Int(xmlStrlen(written))), position: position)
      }
    }
    sax.endElementNs = { pointer, _, _, _ in
      XMLDocumentPass.hear(pointer) { pass, position in pass.closeElement(at: position) }
    }
    sax.entityDecl = { pointer, _, _, _, _, _ in
      XMLDocumentPass.hear(pointer) { pass, position in pass.entityDeclaration(position: position) }
    }
    // The five named characters; every other entity is unknown.
    sax.getEntity = { _, name in xmlGetPredefinedEntity(name) }
    sax.getParameterEntity = { _, _ in nil }
    sax.serror = { pointer, error in
      guard let error else { return }
      let (code, said) = (error.pointee.code, error.pointee.message.map { String(cString: $0) } ?? "")
      XMLDocumentPass.hear(pointer) { pass, position in pass.mistake(code, said, position: position) }
    }
    return sax
  }
}
