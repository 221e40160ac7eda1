import Diagnostics
import Documents
import Testing

/// A fix preserves the encoding, the byte order mark, the line endings, and all other text.
struct WritingBackTests {
  static let text =
    "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\r\n<plist><dict>\r\n<key>é😀</key><string>old</string>\r\n</dict></plist>\r\n"

  static func edited(_ bytes: [UInt8], name: String = "a.plist", replacement: String) throws -> [UInt8] {
    let reading = DocumentReader.read(bytes, named: name)
    let node = try #require(reading.document?.root.entries.first { _ in true }?.value)
    let edit = Diagnostic.Edit(span: node.innerSpan, replacement: replacement)
    return try SpanEdits.bytes(of: bytes, after: [edit], in: node.document.source)
  }

  @Test(arguments: EncodingTests.Form.allCases, [true, false]) func preservesUnicodeEncodings(
    form: EncodingTests.Form, mark: Bool
  )
    throws
  {
    let bytes = EncodingTests.encode(Self.text, form, mark: mark)
    let expected = EncodingTests.encode(Self.text.replacing(">old<", with: ">nü😀\r\nw<"), form, mark: mark)
    #expect(try Self.edited(bytes, replacement: "nü😀\nw") == expected)
  }

  @Test(arguments: [("\n", "a\nb"), ("\r\n", "a\r\nb"), ("\r", "a\rb")]) func preservesLineEndings(
    lineEnd: String, written: String
  )
    throws
  {
    let bytes = Array("{ k = old;\(lineEnd)}\(lineEnd)".utf8)
    #expect(try Self.edited(bytes, replacement: "a\nb") == Array("{ k = \(written);\(lineEnd)}\(lineEnd)".utf8))
    // Writing does not duplicate carriage returns in the replacement.
    #expect(
      try Self.edited(bytes, replacement: "a\r\nb")
        == Array("{ k = \(lineEnd == "\r" ? "a\r\rb" : "a\r\nb");\(lineEnd)}\(lineEnd)".utf8))
  }

  @Test(
    arguments: [
      ("ISO-8859-1", [0xE9], "ü", [0xFC]), ("windows-1252", [0x80, 0xE9], "€", [0x80]),
      ("Shift_JIS", [0x93, 0xFA, 0x96, 0x7B], "日", [0x93, 0xFA]),
    ] as [(String, [UInt8], String, [UInt8])]) func preservesDeclaredEncodings(
      label: String, content: [UInt8], replacement: String, written: [UInt8]
    ) throws
  {
    func bytes(_ value: [UInt8]) -> [UInt8] {
      Array("<?xml version=\"1.0\" encoding=\"\(label)\"?>\n<plist><dict><key>".utf8) + content
        + Array("</key><string>".utf8) + value + Array("</string></dict></plist>".utf8)
    }
    #expect(try Self.edited(bytes(content), replacement: replacement) == bytes(written))
    #expect(throws: SpanEdits.Conflict.unwritable("😀", encoding: label)) {
      try Self.edited(bytes(content), replacement: replacement + "😀")
    }
  }

  @Test func preservesInvalidBytes() throws {
    let bytes = Array("{\"a\": \"old\", \"b\": \"".utf8) + [0xE9] + Array("\"}".utf8)
    let expected = Array("{\"a\": \"new\", \"b\": \"".utf8) + [0xE9] + Array("\"}".utf8)
    #expect(try Self.edited(bytes, name: "a.json", replacement: "new") == expected)
  }

  @Test func returnsTheOriginalWithoutEdits() throws {
    let bytes = EncodingTests.encode(Self.text, .utf16BE, mark: true)
    let source = try #require(DocumentReader.read(bytes, named: "a").document?.source)
    #expect(try SpanEdits.bytes(of: bytes, after: [], in: source) == bytes)
  }

  @Test func rejectsEditsForADifferentText() throws {
    let source = try #require(DocumentReader.read("{\"a\": 1}", named: "a.json").document?.source)
    let edit = Diagnostic.Edit(span: .at(1), replacement: "x")
    #expect(throws: SpanEdits.Conflict.changed) {
      try SpanEdits.bytes(of: Array("{\"a\": 2}".utf8), after: [edit], in: source)
    }
    #expect(SpanEdits.Conflict.changed.reason == "the file changed after it was read")
    #expect(
      SpanEdits.Conflict.unwritable("😀", encoding: "ISO-8859-1").reason
        == "the file's encoding ISO-8859-1 cannot represent `😀`; save it as UTF-8")
  }

  @Test func rejectsBinaryFiles() throws {
    let bytes = try DocumentWriter.write(Document.of(["a": "b"], name: "a"), as: .binaryPropertyList)
    let source = try #require(DocumentReader.read(bytes, named: "a").document?.source)
    #expect(throws: SpanEdits.Conflict.binary) { try SpanEdits.bytes(of: bytes, after: [], in: source) }
  }
}
