import CLibXML2

/// libxml2's SAX2 parser over UTF-8 text in memory, set up once for everybody: no network, no external subset.
enum XMLSAX {
  /// The reader and the parser, as the C callbacks find them through their context pointer.
  struct Context<Reader> {
    let reader: UnsafeMutablePointer<Reader>
    let parser: xmlParserCtxtPtr
    let count: Int

    /// Where the parser stands; at a broken end it may think to be beyond it.
    var position: Int { min(max(Int(xmlByteConsumed(parser)), 0), count) }
  }

  /// Parses everything; `callbacks` are given a pointer to a `Context<Reader>`.
  static func parse<Reader>(
    _ bytes: UnsafeBufferPointer<UInt8>, into reader: inout Reader, callbacks: xmlSAXHandler
  ) {
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
}
