import Documents
import JSONPath
import Testing

@Suite("Queries on documents")
struct NodeQueryTests {
  private func root(_ text: String) throws -> Node {
    let result = DocumentReader.read(Array(text.utf8), named: "test")
    return try #require(result.document).root
  }

  @Test("selects nodes of the document")
  func nodes() throws {
    let node = try root("apps:\n  - id: one\n  - id: two\n    on: true\n")
    let query = try JSONPathQuery(parsing: "$.apps[?@.on==true].id")
    let match = try #require(try query.select(from: node).first)
    #expect(match.value.string == "two")
    #expect(match.value.document === node.document)
    #expect(match.normalizedPath.description == "$['apps'][1]['id']")
  }

  @Test(
    "converts values that JSON lacks to strings and numbers",
    arguments: [
      ("$[?@=='2025-01-01T00:00:00Z']", 1), ("$[?length(@)>=4]", 3), ("$[?@==2]", 1), ("$[?@==true]", 1), ("$.*", 5),
    ])
  func propertyList(selector: String, count: Int) throws {
    let node = try root(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>date</key><date>2025-01-01T00:00:00Z</date><key>data</key><data>AQID</data>
      <key>yes</key><true/><key>list</key><array><integer>1</integer><string>a</string><string>b</string><string>c</string></array>
      <key>two</key><real>2.0</real></dict></plist>
      """)
    #expect(try JSONPathQuery(parsing: selector).values(in: node).count == count)
  }

  @Test(
    "selects the same values in a document and its JSON value",
    arguments: [
      "$..*", "$..[0]", "$..[?@.a]", "$..[-1:]", "$..[?@>1]", "$..[?@==$.x]", "$.x", "$..['a','x']", "$[?length(@)==2]",
    ])
  func agreement(selector: String) throws {
    let node = try root(#"{"x": [1, 2.5, {"a": null}], "y": {"a": [1, 2.5, {"a": null}], "b": "é"}, "z": 2}"#)
    let query = try JSONPathQuery(parsing: selector)
    let onNodes = try query.select(from: node)
    let onValues = try query.select(from: node.json)
    #expect(!onNodes.isEmpty)
    #expect(onNodes.map(\.value.json) == onValues.map(\.value))
    #expect(onNodes.map(\.normalizedPath) == onValues.map(\.normalizedPath))
  }
}
