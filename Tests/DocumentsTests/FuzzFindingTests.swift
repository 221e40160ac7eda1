import Diagnostics
import Documents
import Testing

/// Tests for defects that fuzzing found, each with the smallest input that triggers the defect.
struct FuzzFindingTests {
  @Test(arguments: [
    ("[true ߟ]", "a.json", "ߟ"), ("{ a = é; } ü", "a.plist", "ü"), ("a: b\nc: \u{85}: é: ü", "a.yaml", ""),
  ]) func locationsDoNotSplitCharacters(text: String, name: String, at: String) throws {
    let diagnostics = DocumentReader.read(text, named: name).diagnostics
    #expect(!diagnostics.isEmpty)
    for diagnostic in diagnostics {
      let span = try #require(diagnostic.place.span)
      let bytes = diagnostic.place.source.bytes
      for offset in [span.start, span.end] where offset < bytes.count { #expect(bytes[offset] & 0xC0 != 0x80) }
      if !at.isEmpty { #expect(diagnostic.place.source.text(in: span) == at) }
    }
  }

  /// The type of a GNUstep value must be a complete character.
  @Test func rejectsUnknownValueTypes() throws {
    let reading = DocumentReader.read("(<*Ʀ5>)", named: "a.plist")
    #expect(reading.messages == ["1:2 plist-syntax: `Ʀ5` is not a typed value (`I`, `R`, `B`, or `D`)"])
    #expect(reading.document?.root[0]?.string == "Ʀ5")
  }

  @Test(arguments: [UInt64(3), 1 << 63, .max]) func preservesLargeUIDsInXML(uid: UInt64) throws {
    let text = "<plist><dict><key>CF$UID</key><integer>\(uid)</integer></dict></plist>"
    let document = try #require(DocumentReader.read(text, named: "a.plist").document)
    #expect(document.root.uid == uid)
    for syntax in [DocumentSyntax.xmlPropertyList, .binaryPropertyList] {
      let again = DocumentReader.read(try DocumentWriter.write(document, as: syntax), named: "b").document
      #expect(again?.root.uid == uid)
    }
  }

  /// Returns a binary property list with one object.
  static func binary(_ object: [UInt8]) -> [UInt8] {
    let table = 8 + object.count
    return Array("bplist00".utf8) + object + [8, 0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1]
      + [UInt8](repeating: 0, count: 8) + [0, 0, 0, 0, 0, 0, 0, UInt8(table)]
  }

  @Test func readsUIDsLongerThanEightBytes() {
    let small = DocumentReader.read(Self.binary([0x88, 0, 0, 0, 0, 0, 0, 0, 1, 2]), named: "a")
    #expect(small.messages == [])
    #expect(small.document?.root.uid == 258)
    let large = DocumentReader.read(Self.binary([0x88, 1, 0, 0, 0, 0, 0, 0, 1, 2]), named: "a")
    #expect(large.diagnostics.map(\.message) == ["UID larger than 64 bits"])
  }

  /// Keys are strings, even if an alias is the key.
  @Test(arguments: [
    ("a: &x 5\n*x : 1\n", "5"), ("a: &x null\n*x : 1\n", "null"), ("a: &x 5.50\n*x : 1\n", "5.50"),
    ("a: &x b\n*x : 1\n", "b"), ("a: b\n*x : 1\n", "*x"), ("a: &x [1]\n*x : 1\n", "*x"),
    ("&x a: { *x : 1 }\n", ""),
  ]) func readsAliasesAsKeys(text: String, key: String) throws {
    let root = try #require(DocumentReader.read(text, named: "a.yaml").document?.root)
    for (key, _) in root.entries { #expect(key.kind == .string) }
    if !key.isEmpty { #expect(root[key]?.integer == 1) }
  }

  /// The JSON writer rejects the same numbers as the JSON reader.
  @Test(arguments: ["9e99999", "-1.5e400", String(repeating: "9", count: 400), ".inf"])
  func rejectsNumbersBeyondTheRangeOfDoubles(
    number: String
  ) throws {
    let document = try #require(DocumentReader.read("a: \(number)\n", named: "a.yaml").document)
    #expect(throws: DocumentWriteError.self) { try DocumentWriter.write(document, as: .json) }
  }

  @Test(arguments: [
    "9e307", "1.50", "-0", String(repeating: "9", count: 300), "340282366920938463463374607431768211456",
  ])
  func writesNumbersInTheRangeOfDoubles(number: String) throws {
    let document = try #require(DocumentReader.read("a: \(number)\n", named: "a.yaml").document)
    let bytes = try DocumentWriter.write(document, as: .json)
    #expect(DocumentReader.read(bytes, named: "a.json").messages == [])
  }

  @Test func endsAnUnclosedAttributeBeforeTheNextTag() throws {
    let attribute = try #require(XMLDocumentTests.read("<a b=\"c\n<d/></a>").root?.attributes.first)
    #expect(attribute.source.text(in: attribute.span) == "b=\"c\n")
    #expect(attribute.source.text(in: attribute.valueSpan) == "c\n")
  }
}
