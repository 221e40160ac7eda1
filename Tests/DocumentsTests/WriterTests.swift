import Diagnostics
import Documents
import Testing

struct WriterTests {
  static let strings = [
    "", " ", "a", "true", "null", "~", "yes", "on", "No", "007", "1.5", "0x1F", "1e3", ".inf", "-", "- a", "a: b", "a:",
    "a #b", "#a",
    "a\nb", "a\nb\n", "a\n\nb\n\n", "\na", " a\n b", "a \nb", "\ta", "a\tb", "'a'", "\"a\"", "a\\b", "é😀", "\u{85}x",
    "x\u{2028}y", "\u{FEFF}x",
    "@a", "%a", "&a", "*a", "!a", "|", ">", "[a", "{a", "a]", "?", "? a", ":", "a,b", "---", "...", "--- a",
    "2001-01-01", "12:30", "<<", "=",
    "a\r\nb", "x\u{7f}", "line\n  indented\n", "trailing\n\n\n", "http://x/y?z=#1", "{{x}}", "$a", "+1", "+a", "a:b",
    "\u{10FFFF}", "C:\\x",
  ]

  static let document: Document = {
    let members = strings.enumerated().map { index, text in "<key>k\(index)</key><string>\(escaped(text))</string>" }
    let keys = strings.map { "<key>\(escaped($0))!</key><true/>" }
    let text = """
      <plist><dict><key>strings</key><dict>\(members.joined())</dict><key>keys</key><dict>\(keys.joined())</dict>
      <key>numbers</key><array><integer>-9223372036854775808</integer><integer>18446744073709551615</integer><integer>0</integer>
      <integer>255</integer><integer>65536</integer><real>1.5</real><real>-0.001</real><real>1e300</real><real>3</real></array>
      <key>nested</key><array><array><array/><dict/></array><array><dict><key>a</key><array><true/></array></dict></array><false/></array>
      <key>data</key><data>AAECAwQFBgcICQ==</data><key>date</key><date>2011-10-05T14:48:00Z</date>
      <key>long</key><data>\(String(repeating: "AAAA", count: 60))</data></dict></plist>
      """
    return DocumentReader.read(text, named: "a.plist").document ?? Document.of(nil, name: "none")
  }()

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case "\r": "&#13;"
      default: String(scalar)
      }
    }.joined()
  }

  @Test(arguments: [DocumentSyntax.yaml, .xmlPropertyList, .binaryPropertyList]) func readsBackTheWrittenDocument(
    syntax: DocumentSyntax
  ) throws {
    let original = Self.document.root.shape
    #expect(Self.document.root["strings"]?.count == Self.strings.count)
    for (index, text) in Self.strings.enumerated() {
      #expect(Self.document.root["strings"]?["k\(index)"]?.string == text)
    }
    let bytes = try DocumentWriter.write(Self.document, as: syntax)
    let again = DocumentReader.read(bytes, named: "again")
    #expect(again.messages == [])
    #expect(again.document?.syntax == syntax)
    #expect(again.document?.root.shape == original)
    // Reading and writing the output again does not change it.
    if let document = again.document { #expect(try DocumentWriter.write(document, as: syntax) == bytes) }
  }

  @Test func preservesValuesThroughEverySyntax() throws {
    var document = Self.document
    for syntax in [DocumentSyntax.yaml, .binaryPropertyList, .xmlPropertyList, .yaml, .xmlPropertyList] {
      document = try #require(DocumentReader.read(try DocumentWriter.write(document, as: syntax), named: "x").document)
    }
    #expect(document.root.shape == Self.document.root.shape)
  }

  @Test func writesValuesFromOtherSyntaxesAsJSON() throws {
    let text = """
      b: !!binary aGk=
      a: 340282366920938463463374607431768211456
      d: !!timestamp 2001-12-14 21:59:43.5 -5
      c: 1.10
      e: 0x10
      f: [~, .5]
      """
    let document = try #require(DocumentReader.read(text, named: "a.yaml").document)
    let json = String(decoding: try DocumentWriter.write(document, as: .json), as: UTF8.self)
    #expect(
      json == """
        {
          "a": 340282366920938463463374607431768211456,
          "b": "aGk=",
          "c": 1.10,
          "d": "2001-12-15T02:59:43.5Z",
          "e": 16,
          "f": [
            null,
            0.5
          ]
        }

        """)
  }

  @Test(arguments: [
    ("a: .nan\n", DocumentSyntax.json, "1:4 cannot-write: JSON cannot represent the number `.nan`"),
    ("a: ~\n", .xmlPropertyList, "1:4 cannot-write: property lists cannot contain `null`"),
    ("a: [null]\n", .binaryPropertyList, "1:5 cannot-write: property lists cannot contain `null`"),
    ("a: \"\\x01\"\n", .xmlPropertyList, "1:4 cannot-write: XML cannot contain the character U+0001"),
    ("a: 1\n", .openStepPropertyList, "1:1 cannot-write: cannot write OpenStep property lists"),
    (
      "a: 340282366920938463463374607431768211456\n", .xmlPropertyList,
      "1:4 cannot-write: integer `340282366920938463463374607431768211456` is too large for a property list"
    ),
  ]) func rejectsValuesThatTheSyntaxCannotRepresent(text: String, syntax: DocumentSyntax, messages: String) throws {
    let document = try #require(DocumentReader.read(text, named: "a.yaml").document)
    #expect {
      try DocumentWriter.write(document, as: syntax)
    } throws: { error in
      (error as? DocumentWriteError).map {
        ReadResult(document: nil, diagnostics: $0.diagnostics).messages == [messages]
      }
        ?? false
    }
  }

  @Test func writesAppleLayout() throws {
    let document = try #require(
      DocumentReader.read("b: [1, {c: true}]\na: {}\nd: !!binary aGk=\n", named: "a.yaml").document)
    let xml = String(decoding: try DocumentWriter.write(document, as: .xmlPropertyList), as: UTF8.self)
    #expect(
      xml == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>b</key>
        \t<array>
        \t\t<integer>1</integer>
        \t\t<dict>
        \t\t\t<key>c</key>
        \t\t\t<true/>
        \t\t</dict>
        \t</array>
        \t<key>a</key>
        \t<dict/>
        \t<key>d</key>
        \t<data>
        \taGk=
        \t</data>
        </dict>
        </plist>

        """)
  }

  @Test func writesYAMLBlockStyle() throws {
    let document = try #require(
      DocumentReader.read(#"{"a": {"b": [1, [2, []], {"c": "x\ny", "d": {}}]}, "e": "no", "f": "1"}"#, named: "a.json")
        .document)
    let yaml = String(decoding: try DocumentWriter.write(document, as: .yaml), as: UTF8.self)
    #expect(
      yaml == """
        a:
          b:
            - 1
            - - 2
              - []
            - c: |-
                x
                y
              d: {}
        e: "no"
        f: "1"

        """)
  }

  @Test func preservesUIDs() throws {
    let bytes = BinaryPropertyListTests.file([[0xA2, 1, 2], [0x80, 7], [0x81, 1, 0]])
    let document = try #require(DocumentReader.read(bytes, named: "a").document)
    for syntax in [DocumentSyntax.json, .yaml, .xmlPropertyList, .binaryPropertyList] {
      let other = try #require(DocumentReader.read(try DocumentWriter.write(document, as: syntax), named: "b").document)
      let back = try #require(
        DocumentReader.read(try DocumentWriter.write(other, as: .binaryPropertyList), named: "c").document)
      #expect(back.root.shape == "[uid 7, uid 256]")
    }
  }
}
