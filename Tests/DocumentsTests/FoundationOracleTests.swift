import Diagnostics
import Documents
import Foundation
import Testing

/// Compatibility with Foundation's property list and JSON coders.
struct FoundationOracleTests {
  @Test(arguments: [DocumentSyntax.xmlPropertyList, .binaryPropertyList]) func writesPropertyListsForFoundation(
    syntax: DocumentSyntax
  ) throws {
    let text = """
      a: [1, -1, 255, 256, 65536, 4294967296, 1.5, -2.25]
      b: "text & <é😀>"
      c: !!binary AAECAw==
      d: !!timestamp 2011-10-05T14:48:00Z
      e: {f: true, g: [], h: {}}
      """
    let document = try #require(DocumentReader.read(text, named: "a.yaml").document)
    let bytes = try DocumentWriter.write(document, as: syntax)
    let theirs = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    #expect(Oracle.equal(document.root, theirs))
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func readsPropertyListsFromFoundation(format: PropertyListSerialization.PropertyListFormat) throws {
    let value: [String: Any] = [
      "a": [1, -1, 1 << 40, 1.5, true, false], "b": "é😀 & <x>", "c": Data([0, 1, 255]),
      "d": Date(timeIntervalSince1970: 1_317_826_080),
      "e": ["f": [String](), "long": String(repeating: "x", count: 300)],
    ]
    let data = try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
    let reading = DocumentReader.read([UInt8](data), named: "a.plist")
    #expect(reading.messages == [])
    let root = try #require(reading.document?.root)
    #expect(Oracle.equal(root, value))
  }

  @Test func agreesWithFoundationOnJSON() throws {
    let text = "{\"a\":[1,2.5,-3e2,true,null,\"\\u00e9\\ud83d\\ude00\\n\"],\"b\":{\"c\":\"\",\"d\":[]}}"
    let theirs = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let root = try #require(DocumentReader.read(text, named: "a.json").document?.root)
    #expect(Oracle.equal(root, theirs))
    let back = try JSONSerialization.jsonObject(with: Data(try DocumentWriter.write(root, as: .json)))
    #expect(Oracle.equal(root, back))
  }
}
