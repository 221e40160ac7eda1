import CLibXML2

/// What an XML property list's reader hears from libxml2.
protocol XMLEventHandler: AnyObject {
  /// `position` is the offset of the tag's end without its `>` or `/>`.
  func startElement(_ name: UnsafeBufferPointer<UInt8>, hasAttributes: Bool, position: Int)
  /// `position` is the offset behind the closing tag.
  func endElement(position: Int)
  func text(_ text: UnsafeBufferPointer<UInt8>, position: Int)
  func entityDeclaration(position: Int)
  func entityReference(_ name: String, position: Int)
  func mistake(_ code: Int32, _ message: String, position: Int)
  var wantsToStop: Bool { get }
}

/// libxml2's SAX2 parser over UTF-8 text in memory: no network, no external subset, no entities beyond the five.
enum XMLEvents {
  /// The handler and the parser, as the C callbacks find them through their context pointer.
  private struct Context {
    unowned(unsafe) let handler: any XMLEventHandler
    let parser: xmlParserCtxtPtr
    let count: Int

    /// Where the parser stands; at a broken end it may think to be beyond it.
    var position: Int { min(max(Int(xmlByteConsumed(parser)), 0), count) }

    /// Stops the parser when the handler has heard enough.
    func heed() {
      if handler.wantsToStop { xmlStopParser(parser) }
    }
  }

  static func parse(_ bytes: UnsafeBufferPointer<UInt8>, handler: any XMLEventHandler) {
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
    withExtendedLifetime(handler) {
      withUnsafePointer(to: Context(handler: handler, parser: parser, count: bytes.count)) { context in
        parser.pointee.userData = UnsafeMutableRawPointer(mutating: context)
        _ = xmlParseDocument(parser)
      }
    }
  }

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
      context.handler.startElement(
        UnsafeBufferPointer(start: name, count: length), hasAttributes: attributes > 0, position: context.position)
      context.heed()
    }
    sax.endElementNs = { pointer, _, _, _ in
      guard let context = XMLEvents.context(pointer) else { return }
      context.handler.endElement(position: context.position)
      context.heed()
    }
    let characters: charactersSAXFunc = { pointer, text, length in
      guard let context = XMLEvents.context(pointer) else { return }
      context.handler.text(UnsafeBufferPointer(start: text, count: Int(length)), position: context.position)
    }
    sax.characters = characters
    sax.ignorableWhitespace = characters
    sax.cdataBlock = characters
    sax.reference = { pointer, name in
      guard let name, let context = XMLEvents.context(pointer) else { return }
      context.handler.entityReference(String(cString: name), position: context.position)
    }
    sax.entityDecl = { pointer, _, _, _, _, _ in
      guard let context = XMLEvents.context(pointer) else { return }
      context.handler.entityDeclaration(position: context.position)
      context.heed()
    }
    // The five named characters; every other entity is unknown.
    sax.getEntity = { _, name in xmlGetPredefinedEntity(name) }
    sax.getParameterEntity = { _, _ in nil }
    sax.serror = { pointer, error in
      guard let error, let context = XMLEvents.context(pointer) else { return }
      let message = error.pointee.message.map { String(cString: $0) } ?? ""
      context.handler.mistake(error.pointee.code, message, position: context.position)
      context.heed()
    }
    return sax
  }
}
