import Diagnostics
import Documents
import Testing

/// Line and column of keys, values, and containers in every text syntax, after multibyte characters.
struct FileSpanTests {
  @Test(arguments: [
    ("a.json", "{\n  \"é😀\": \"x\",\n  \"k\": [true, {\"n\": -1.5}]\n}\n"),
    ("b.json", "{\r\n  \"é😀\": \"x\",\r\n  \"k\": [true, {\"n\": -1.5}]\r\n}\r\n"),
  ]) func locatesNodesInJSON(name: String, text: String) throws {
    let root = try #require(DocumentReader.read(text, named: name).document?.root)
    #expect(root.extent == "1:1-4:2")
    let entry = try #require(root.entry("é😀"))
    #expect(entry.key.extent == "2:3-2:7")
    #expect(entry.value.extent == "2:9-2:12")
    #expect(entry.value.place.start.utf16Column == 10)
    #expect(root["k"]?.extent == "3:8-3:27")
    #expect(root["k"]?[0]?.extent == "3:9-3:13")
    #expect(root["k"]?[1]?.entry("n")?.key.extent == "3:16-3:19")
    #expect(root["k"]?[1]?["n"]?.extent == "3:21-3:25")
    #expect(root["é😀"]?.innerSpan.start == (root["é😀"]?.span.start ?? 0) + 1)
  }

  @Test(arguments: ["\n", "\r\n"]) func locatesNodesInYAML(lineEnd: String) throws {
    let text = ["é😀: 'x'", "k:", "  - true", "  - n: -1.5 # c", "    m: |", "      lit", "z: &q !!str w", ""]
    let root = try #require(
      DocumentReader.read(text.joined(separator: lineEnd), named: "a.yaml").document?.root)
    let entry = try #require(root.entry("é😀"))
    #expect(entry.key.extent == "1:1-1:3")
    #expect(entry.value.extent == "1:5-1:8")
    #expect(root["k"]?[0]?.extent == "3:5-3:9")
    #expect(root["k"]?[1]?.extent == "4:5-6:10")
    #expect(root["k"]?[1]?.entry("n")?.key.extent == "4:5-4:6")
    #expect(root["k"]?[1]?["n"]?.extent == "4:8-4:12")
    #expect(root["k"]?[1]?["m"]?.extent == "5:8-6:10")
    #expect(root["z"]?.extent == "7:13-7:14")
  }

  @Test(arguments: ["\n", "\r\n"]) func locatesNodesInXML(lineEnd: String) throws {
    let text = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<!-- é -->", "<plist version=\"1.0\">", "<dict>",
      "  <key>é😀</key> <string>a&amp;b</string>", "  <key>k</key>",
      "  <array><true/><dict><key>n</key><real>-1.5</real></dict></array>",
      "</dict>", "</plist>", "",
    ]
    let root = try #require(
      DocumentReader.read(text.joined(separator: lineEnd), named: "a.plist").document?.root)
    #expect(root.extent == "4:1-8:8")
    let entry = try #require(root.entry("é😀"))
    #expect(entry.key.extent == "5:3-5:16")
    #expect(entry.value.extent == "5:17-5:41")
    #expect(entry.value.string == "a&b")
    #expect(root["k"]?.extent == "7:3-7:67")
    #expect(root["k"]?[0]?.extent == "7:10-7:17")
    #expect(root["k"]?[1]?["n"]?.extent == "7:35-7:52")
    #expect(root.document.source.text(in: root["k"]?[1]?["n"]?.innerSpan ?? .at(0)) == "-1.5")
  }

  @Test func locatesNodesInOpenStepPropertyLists() throws {
    let text = "// é\n{\n  \"é😀\" = x;\n  k = (yes, { n = <0a 0b>; });\n}\n"
    let root = try #require(DocumentReader.read(text, named: "a.plist").document?.root)
    #expect(root.extent == "2:1-5:2")
    #expect(root.entry("é😀")?.key.extent == "3:3-3:7")
    #expect(root["é😀"]?.extent == "3:10-3:11")
    #expect(root["k"]?.extent == "4:7-4:30")
    #expect(root["k"]?[1]?["n"]?.extent == "4:19-4:26")
  }

  @Test func locatesNodesInBinaryPropertyListsByOffset() throws {
    let document = Document.of(["a": ["x", 300]], name: "v")
    let bytes = try DocumentWriter.write(document, as: .binaryPropertyList)
    let root = try #require(DocumentReader.read(bytes, named: "a.plist").document?.root)
    #expect(root.document.source.isBinary)
    let text = try #require(root["a"]?[0])
    #expect(Array(bytes[text.span.start..<text.span.end]) == [0x51, UInt8(ascii: "x")])
    let number = try #require(root["a"]?[1])
    #expect(Array(bytes[number.span.start..<number.span.end]) == [0x11, 1, 44])
  }

  @Test func locatesNodesAfterTranscoding() throws {
    let text = "{\"é\": 1,\n \"b\": 2}"
    let bytes: [UInt8] = [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let root = try #require(DocumentReader.read(bytes, named: "a.json").document?.root)
    #expect(root["b"]?.extent == "2:7-2:8")
  }
}
