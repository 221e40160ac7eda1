import CLibXML2

/// Functions that run libxml2's SAX2 parser on UTF-8 text in memory, without network access or external subsets.
enum XMLSAX {
  /// The reader and the parser. The C callbacks receive a pointer to this context.
  struct Context<Reader> {
    let reader: UnsafeMutablePointer<Reader>
    let parser: xmlParserCtxtPtr
    let count: Int

    /// The parser's offset. It is clamped because libxml2 can report an offset after the end of malformed text.
    var position: Int { min(max(Int(xmlByteConsumed(parser)), 0), count) }
  }

  /// Parses the text. The callbacks receive a pointer to a `Context<Reader>`.
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
    // The text is UTF-8, regardless of its declaration. Without entities, it is safe to disable libxml2's own limits,
    // because the readers check size and depth.
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
