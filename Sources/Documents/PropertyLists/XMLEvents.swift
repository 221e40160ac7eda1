import CLibXML2

/// The callbacks that forward libxml2's events for a property list to the reader. Only the five predefined entities are
/// supported.
enum XMLEvents {
  private typealias Context = XMLSAX.Context<XMLPropertyListReader>

  static func parse(_ bytes: UnsafeBufferPointer<UInt8>, into reader: inout XMLPropertyListReader) {
    XMLSAX.parse(bytes, into: &reader, callbacks: callbacks)
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
      // A prefix changes the name: `x:dict` is not `dict`.
      let length = prefix == nil ? Int(xmlStrlen(name)) : 0
      context.reader.pointee.startElement(
        UnsafeBufferPointer(start: name, count: length), hasAttributes: attributes > 0, position: context.position)
      context.stopIfRequested()
    }
    sax.endElementNs = { pointer, _, _, _ in
      guard let context = XMLEvents.context(pointer) else { return }
      context.reader.pointee.endElement(position: context.position)
      context.stopIfRequested()
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
      context.stopIfRequested()
    }
    // libxml2 reports all entities except the five predefined ones as undeclared.
    sax.getEntity = { _, name in xmlGetPredefinedEntity(name) }
    sax.getParameterEntity = { _, _ in nil }
    sax.serror = { pointer, error in
      guard let error, let context = XMLEvents.context(pointer) else { return }
      let message = error.pointee.message.map { String(cString: $0) } ?? ""
      context.reader.pointee.reportXMLError(error.pointee.code, message, position: context.position)
      context.stopIfRequested()
    }
    return sax
  }
}

extension XMLSAX.Context<XMLPropertyListReader> {
  /// Stops the parser if the reader requests it.
  fileprivate func stopIfRequested() {
    if reader.pointee.isStopRequested { xmlStopParser(parser) }
  }
}
