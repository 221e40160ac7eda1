import Diagnostics
import Documents
import Foundation
import LanguageService
import TestSupport
import Testing

@Suite struct FormattingTests {
  /// Returns the formatted text, or nil if there are no edits.
  private static func format(_ text: String, _ name: String = "a.yaml", tabSize: Int = 2) throws -> String? {
    let document = try NavigationProject([name: text]).document(name)
    let edits = document.formattingEdits(FormattingOptions(tabSize: tabSize))
    guard !edits.isEmpty else { return nil }
    return String(decoding: try SpanEdits.apply(edits, to: document.source), as: UTF8.self)
  }

  @Test(
    "formats YAML",
    arguments: [
      ("a:   1\nb :  2\n", "a: 1\nb: 2\n"),
      ("a:\n- 1\n-   2\n", "a:\n  - 1\n  - 2\n"),
      ("a:\n    b:\n        - x: 1\n          y: 2\n", "a:\n  b:\n    - x: 1\n      y: 2\n"),
      ("a: {b: 1,c:   2}\n", "a: { b: 1, c: 2 }\n"),
      ("a: [ 1,2 ,3 ]\n", "a: [1, 2, 3]\n"),
      ("a: { }\nb: [ ]\n", "a: {}\nb: []\n"),
      ("a: 1   \n\n\n\nb: 2", "a: 1\n\nb: 2\n"),
      ("a:\n    # comment\n    b: 1\n    # end\nc: 2\n", "a:\n  # comment\n  b: 1\n  # end\nc: 2\n"),
      ("a:\n    b: |\n        text\n          more\n    c: 1\n", "a:\n  b: |\n      text\n        more\n  c: 1\n"),
      ("a:\n    b: [1,\n        2]\n", "a:\n  b: [1,\n      2]\n"),
      ("a: \"x\n    y\"\n", nil), ("a: 1\nb:\n  - c\n", nil), ("a: [1\n", nil), ("", nil),
      ("a: 'it''s'   # comment  \n", "a: 'it''s'   # comment\n"),
    ] as [(String, String?)])
  func formatsYAML(text: String, expected: String?) throws {
    let formatted = try Self.format(text)
    #expect(formatted == expected)
    if let formatted { #expect(try Self.format(formatted) == nil) }
  }

  @Test("uses the editor's tab size")
  func usesTabSize() throws {
    #expect(try Self.format("a:\n  b:\n    - c: 1\n", tabSize: 4) == "a:\n    b:\n        - c: 1\n")
    #expect(try Self.format("{\n  \"a\": 1\n}\n", "a.json", tabSize: 4) == "{\n    \"a\": 1\n}\n")
  }

  @Test(
    "formats JSON",
    arguments: [
      ("{\"a\":1,\n\"b\":[1,2 ]}", "{ \"a\": 1,\n  \"b\": [1, 2] }\n"),
      ("{\n\"a\":{\"b\" : []},\n      \"c\":{ }}", "{\n  \"a\": { \"b\": [] },\n  \"c\": {}\n}\n"),
      ("{\n  \"a\": [{\n  \"b\": 1\n}]\n}\n", "{\n  \"a\": [{\n    \"b\": 1\n  }]\n}\n"),
      ("{\n  \"a\": 1\n}\n", nil), ("{\"a\": }", nil),
      ("{ \"a\":\n1 }\n", "{ \"a\": 1 }\n"),
    ] as [(String, String?)])
  func formatsJSON(text: String, expected: String?) throws {
    let formatted = try Self.format(text, "a.json")
    #expect(formatted == expected)
    if let formatted { #expect(try Self.format(formatted, "a.json") == nil) }
  }

  @Test("splits JSON that is too long for one line")
  func splitsJSON() throws {
    let values = (1...40).map { "\"value \($0)\"" }.joined(separator: ",")
    let formatted = try #require(try Self.format("{\"a\":[\(values)],\"b\":{\"c\":1}}", "a.json"))
    #expect(formatted.hasPrefix("{\n  \"a\": [\n    \"value 1\",\n    \"value 2\",\n"))
    #expect(formatted.hasSuffix("\n  ],\n  \"b\": { \"c\": 1 }\n}\n"))
    #expect(try Self.format(formatted, "a.json") == nil)
  }

  @Test("keeps the comments of JSON")
  func keepsJSONComments() throws {
    let text = """
      {
      // client
      "client_id":"3f2a9c1e-7b4d-4e8a-9c6f-1d2e3f4a5b6c",// id
      /* several
           lines */
      "redirect_uri" : "msauth://com.contoso.app/abc%3D", "authorities": [{"type":"AAD"}], "account_mode":"SINGLE"
      }
      """
    let formatted = try #require(try Self.format(text, "auth_config.json"))
    #expect(
      formatted == """
        {
          // client
          "client_id": "3f2a9c1e-7b4d-4e8a-9c6f-1d2e3f4a5b6c", // id
          /* several
             lines */
          "redirect_uri": "msauth://com.contoso.app/abc%3D", "authorities": [{ "type": "AAD" }], "account_mode": "SINGLE"
        }

        """)
  }

  @Test("formats XML property lists with tabs")
  func formatsPropertyList() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
        <dict>
          <key>AppId</key>   <string>a
        b</string>
          <!-- comment
            in two lines -->
          <key>GraphScopes</key>
            <array>
              <string> User.Read </string>
          </array>
        </dict>
      </plist>
      """
    let formatted = try #require(try Self.format(text, "a.plist"))
    #expect(
      formatted == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>AppId</key> <string>a
          b</string>
        \t<!-- comment
              in two lines -->
        \t<key>GraphScopes</key>
        \t<array>
        \t\t<string> User.Read </string>
        \t</array>
        </dict>
        </plist>

        """)
    #expect(try Self.format(formatted, "a.plist") == nil)
  }

  @Test("formats only the lines in a range")
  func formatsRange() throws {
    let text = "a:   1\nb:   2\nc:   3\n"
    let document = try NavigationProject(["a.yaml": text]).document("a.yaml")
    let edits = document.formattingEdits(FormattingOptions(), in: SourceSpan(start: 7, end: 9))
    #expect(
      String(decoding: try SpanEdits.apply(edits, to: document.source), as: UTF8.self) == "a:   1\nb: 2\nc:   3\n")
  }

  @Test("keeps line endings")
  func keepsLineEndings() throws {
    #expect(try Self.format("a:   1\r\nb:\r\n- 2\r\n") == "a: 1\r\nb:\r\n  - 2\r\n")
  }

  @Test("does not change shipped workflows", arguments: try ProjectFiles.files(in: "Workflows"))
  func keepsShippedWorkflows(name: String) throws {
    let text = String(decoding: try ProjectFiles.bytes(of: "Workflows/\(name)"), as: UTF8.self)
    #expect(try Self.format(text, FilePath.name(of: name)) == nil)
  }

  /// Returns the fixtures and the corpus files in formats that consist of keys and values.
  private static func corpus() throws -> [URL] {
    let fixtures = ProjectFiles.directory.appending(path: "Tests/Fixtures")
    let folders = [fixtures] + [OutsideCorpus.directory].compactMap { $0 }
    return try folders.flatMap { folder in
      try ProjectFiles.files(below: folder).filter { name in
        ["json", "yaml", "yml", "plist", "entitlements"].contains { name.hasSuffix(".\($0)") }
      }.map { folder.appending(path: $0) }
    }
  }

  @Test("preserves the values and comments of all sample files and is idempotent")
  func keepsCorpus() throws {
    var formattedCount = 0
    for file in try Self.corpus() {
      let bytes = try ProjectFiles.bytes(of: file)
      guard bytes.count < 200_000, let text = String(validating: bytes, as: UTF8.self) else { continue }
      guard let formatted = try Self.format(text, file.lastPathComponent) else { continue }
      formattedCount += 1
      #expect(try Self.format(formatted, file.lastPathComponent) == nil, "\(file.path)")
      let options = ReadingOptions(toleratesComments: true)
      let before = DocumentReader.read(Array(text.utf8), named: "a", options: options)
      let after = DocumentReader.read(Array(formatted.utf8), named: "a", options: options)
      #expect(before.document?.root.json == after.document?.root.json, "\(file.path)")
      let comments = [before, after].map { $0.document.map { Comments.all(in: $0).map(\.text) } }
      #expect(comments[0] == comments[1], "\(file.path)")
    }
    #expect(formattedCount > 10)
  }
}
