import CLibXML2

/// Encodings that only an XML declaration can specify: Latin-1, Shift JIS, windows-1252, and other encodings that
/// libxml2 supports.
enum ForeignEncoding {
  /// Returns the text in UTF-8, or nil if the encoding is unknown or the bytes are invalid in that encoding.
  static func decode(_ bytes: [UInt8], label: String) -> [UInt8]? {
    switch label.uppercased() {
    case "US-ASCII", "ASCII": return bytes.allSatisfy { $0 < 0x80 } ? bytes : nil
    case "ISO-8859-1", "LATIN1", "ISO_8859-1", "L1":
      return bytes.flatMap { $0 < 0x80 ? [$0] : [0xC0 | $0 >> 6, 0x80 | $0 & 0x3F] }
    default: break
    }
    return convert(bytes, label: label, xmlCharEncInFunc)
  }

  /// Converts UTF-8 text to the encoding, or returns nil if the encoding cannot represent the text.
  static func encode(_ text: [UInt8], label: String) -> [UInt8]? {
    switch label.uppercased() {
    case "US-ASCII", "ASCII": return text.allSatisfy { $0 < 0x80 } ? text : nil
    default: break
    }
    // libxml2 writes a character that the encoding cannot represent as a reference, such as &#8364;. Decoding the
    // output then results in different text.
    guard let bytes = convert(text, label: label, xmlCharEncOutFunc), decode(bytes, label: label) == text else {
      return nil
    }
    return bytes
  }

  private static func convert(
    _ bytes: [UInt8], label: String,
    _ function: (xmlCharEncodingHandlerPtr?, xmlBufferPtr?, xmlBufferPtr?) -> Int32
  ) -> [UInt8]? {
    // Without a handler, libxml2 prints to standard error. The handler applies to the current thread. The caller
    // reports the error.
    xmlSetStructuredErrorFunc(nil) { _, _ in }
    defer { xmlSetStructuredErrorFunc(nil, nil) }
    guard let handler = xmlFindCharEncodingHandler(label) else { return nil }
    defer { xmlCharEncCloseFunc(handler) }
    guard let input = xmlBufferCreate(), let output = xmlBufferCreate() else { return nil }
    defer {
      xmlBufferFree(input)
      xmlBufferFree(output)
    }
    // The text is converted in chunks, because a single call stops when its output buffer, a few times the size of the
    // input, is full.
    guard xmlBufferAdd(input, bytes, Int32(bytes.count)) == 0 else { return nil }
    while xmlBufferLength(input) > 0 {
      let before = xmlBufferLength(input)
      guard function(handler, output, input) >= 0, xmlBufferLength(input) < before else { return nil }
    }
    guard let content = xmlBufferContent(output) else { return [] }
    return Array(UnsafeBufferPointer(start: content, count: Int(xmlBufferLength(output))))
  }
}
