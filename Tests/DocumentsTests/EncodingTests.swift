import Diagnostics
import Documents
import Testing

struct EncodingTests {
  enum Form: CaseIterable { case utf8, utf16BE, utf16LE, utf32BE, utf32LE }

  static func encode(_ text: String, _ form: Form, mark: Bool) -> [UInt8] {
    let text = mark ? "\u{FEFF}" + text : text
    switch form {
    case .utf8: return Array(text.utf8)
    case .utf16BE: return text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    case .utf16LE: return text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    case .utf32BE:
      return text.unicodeScalars.flatMap { scalar in
        (0..<4).map { UInt8(truncatingIfNeeded: scalar.value >> UInt32(24 - 8 * $0)) }
      }
    case .utf32LE:
      return text.unicodeScalars.flatMap { scalar in
        (0..<4).map { UInt8(truncatingIfNeeded: scalar.value >> UInt32(8 * $0)) }
      }
    }
  }

  static let texts = [
    "{\"k\": \"é😀\"}", "k: é😀\n", "{ k = \"é😀\"; }",
    "<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist><dict><key>k</key><string>é😀</string></dict></plist>",
  ]

  @Test(arguments: Form.allCases, texts) func readsEveryUnicodeEncoding(form: Form, text: String) {
    for mark in [true, false] {
      let reading = DocumentReader.read(Self.encode(text, form, mark: mark), named: "a")
      #expect(reading.messages == [])
      #expect(reading.document?.root["k"]?.string == "é😀")
    }
  }

  @Test(
    arguments: [
      ("ISO-8859-1", [0xE9], "é"), ("windows-1252", [0x80, 0xE9], "€é"), ("Shift_JIS", [0x93, 0xFA, 0x96, 0x7B], "日本"),
      ("US-ASCII", [0x61], "a"),
    ] as [(String, [UInt8], String)]) func readsDeclaredEncodings(label: String, content: [UInt8], text: String)
  {
    let bytes =
      Array("<?xml version=\"1.0\" encoding=\"\(label)\"?>\n<plist><array><string>".utf8) + content
      + Array("</string><true/></array></plist>".utf8)
    let reading = DocumentReader.read(bytes, named: "a.plist")
    #expect(reading.messages == [])
    #expect(reading.document?.root[0]?.string == text)
    #expect(reading.document?.root[1]?.place.start.line == 2)
  }

  @Test func readsLongTextInADeclaredEncoding() {
    let letters = [UInt8](repeating: 0xE9, count: 300_000)
    let bytes =
      Array("<?xml version=\"1.0\" encoding=\"windows-1252\"?><plist><string>".utf8) + letters
      + Array("</string></plist>".utf8)
    #expect(DocumentReader.read(bytes, named: "a").document?.root.string?.count == 300_000)
  }

  @Test func rejectsUnknownEncodings() {
    let reading = DocumentReader.read(
      "<?xml version=\"1.0\" encoding=\"klingon\"?><plist><true/></plist>", named: "a.plist")
    #expect(reading.diagnostics.map(\.rule) == ["encoding"])
    #expect(reading.document == nil)
  }

  @Test func readsTextWithSomeInvalidBytes() {
    let bytes = Array("{\"a\": \"x".utf8) + [0xE9, 0xFF] + Array("y\", \"b\": 1}".utf8)
    let reading = DocumentReader.read(bytes, named: "a.json")
    #expect(
      reading.messages == [
        "1:9 encoding: invalid UTF-8: byte 0xE9 at offset 8",
        "1:10 encoding: invalid UTF-8: byte 0xFF at offset 9",
      ])
    #expect(reading.document?.root["b"]?.integer == 1)
    #expect(throws: JSONSyntaxError.self) { try JSON(parsing: bytes) }
  }

  @Test(
    arguments: [
      [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE0, 0x80, 0x80], [0x80],
      [0xF8, 0x88, 0x80, 0x80, 0x80],
      [0xC3], [0xE2, 0x82],
    ] as [[UInt8]]) func rejectsMalformedSequences(bytes: [UInt8])
  {
    let reading = DocumentReader.read([0x22] + bytes + [0x22], named: "a.json")
    #expect(reading.diagnostics.first?.rule == "encoding")
  }

  @Test(
    arguments: [
      [UInt8](repeating: 0, count: 64), Array("a: b\0c\n".utf8), (0..<200).map { UInt8($0) },
      [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0, 0, 0, 0, 0], [0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10, 0x4A],
      [0xFF, 0xFE, 0x61], [0xFE, 0xFF, 0xD8, 0x00, 0x00, 0x61], (0..<100).map { _ in UInt8(0xFF) },
    ] as [[UInt8]]) func rejectsBinaryFiles(bytes: [UInt8])
  {
    let reading = DocumentReader.read(bytes, named: "junk")
    #expect(reading.document == nil)
    #expect(reading.diagnostics.map(\.rule) == ["encoding"])
  }

  @Test(arguments: ["", " ", "\n\n\t ", "\u{FEFF}", "\u{FEFF}\n"]) func rejectsEmptyFiles(text: String) {
    for name in ["a", "a.json", "a.yaml", "a.plist"] {
      let reading = DocumentReader.read(text, named: name)
      #expect(reading.document == nil)
      #expect(reading.diagnostics.map(\.rule) == ["empty-document"])
    }
  }
}
