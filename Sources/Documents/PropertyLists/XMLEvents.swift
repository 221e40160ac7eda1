import CLibXML2

/// libxml2's SAX2 parser over UTF-8 text in memory: no network, no external subset, no entities beyond the five.
enum XMLEvents {
  /// The reader and the parser, as the C callbacks find them through their context pointer.
  private struct Context {
    let reader: UnsafeMutablePointer<XMLPropertyListReader>
    let parser: xmlParserCtxtPtr
    let count: Int

    /// Where the parser stands; at a broken end it may think to be beyond it.
    var position: Int { min(max(Int(xmlByteConsumed(parser)), 0), count) }

    /// Stops the parser when the handler has heard enough.
    func heed() {
      if reader.pointee.wantsToStop { xmlStopParser(parser) }
    }
  }

  static func parse(_ bytes: UnsafeBufferPointer<UInt8>, into reader: inout XMLPropertyListReader) {
    guard let base = bytes.baseAddress,
      let parser = base.withMemoryRebound(
        to: CChar.self, capacity: bytes.count, { xmlCreateMemoryParserCtxt($0, Int32(bytes.count)) })
    else { return }
    defer {
      if let document = parser.pointee.myDoc { xmlFreeDoc(document) }
      parser.pointee.myDoc = nil
      xmlFreeParserCtxt(parser)
    }
    // The text is UTF-8 already, whatever its declaration says. Without entities, lifting libxml2's own limits is safe:
    // size and depth are watched here.
    _ = xmlCtxtUseOptions(
      parser,
      Int32(XML_PARSE_NONET.rawValue | XML_PARSE_HUGE.rawValue | XML_PARSE_RECOVER.rawValue)
        | Int32(XML_PARSE_IGNORE_ENC.rawValue))
    guard let sax = parser.pointee.sax else { return }
    sax.pointee = callbacks
    withUnsafeMutablePointer(to: &reader) { reader in
      withUnsafePointer(to: Context(reader: reader, parser: parser, count: bytes.count)) { context in
        parser.pointee.userData = UnsafeMutableRawPointer(mutating: context)
        _ = xmlParseDocument(parser)
      }
    }
  }

  @inline(__always)
  private static func context(_ pointer: UnsafeMutableRawPointer?) -> Context? {
    pointer?.assumingMemoryBound(to: Context.self).pointee
  }

  private static var callbacks: xmlSAXHandler {
    var sax = xmlSAXHandler()
    sax.initialized = XML_SAX2_MAGIC
    sax.startElementNs = { pointer, name, prefix, _, _, _, attributes, _, _ in
      guard let name, let context = XMLEvents.context(pointer) else { return }
      // A prefix makes the name another one; `x:dict` is no `dict`.
      let length = prefix == nil ? Int(xmlStrlen(name)) : 0
      context.reader.pointee.startElement(
        UnsafeBufferPointer(start: name, count: length), hasAttributes: attributes > 0, position: context.position)
      context.heed()
    }
    sax.endElementNs = { pointer, _, _, _ in
      guard let context = XMLEvents.context(pointer) else { return }
      context.reader.pointee.endElement(position: context.position)
      context.heed()
    }
    let characters: charactersSAXFunc = { pointer, text, length in
      guard let context = XMLEvents.context(pointer) else { return }
      context.reader.pointee.text(UnsafeBufferPointer(start: text, count: Int(length))) { context.position }
    }
    sax.characters = characters
    sax.ignorableWhitespace = characters
    sax.cdataBlock = characters
    sax.reference = { pointer, name in
      guard let name, let context = XMLEvents.context(pointer) else { return }
      context.reader.pointee.entityReference(String(cString: name), position: context.position)
    }
    sax.entityDecl = { pointer, _, _, _, _, _ in
      guard let context = XMLEvents.context(pointer) else { return }
      context.reader.pointee.entityDeclaration(position: context.position)
      context.heed()
    }
    // The five named characters; every other entity is unknown.
    sax.getEntity = { _, name in xmlGetPredefinedEntity(name) }
    sax.getParameterEntity = { _, _ in nil }
    sax.serror = { pointer, error in
      guard let error, let context = XMLEvents.context(pointer) else { return }
      let message = error.pointee.message.map { String(cString: $0) } ?? ""
      context.reader.pointee.mistake(error.pointee.code, message, position: context.position)
      context.heed()
    }
    return sax
  }
}
