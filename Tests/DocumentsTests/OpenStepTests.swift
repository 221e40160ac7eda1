import Diagnostics
import Documents
import Testing

struct OpenStepTests {
  @Test(arguments: [
    ("{ a = b; \"c d\" = (x, \"y\", 'z'); e = {}; f = (); }", #"{a: "b", c d: ["x", "y", "z"], e: {}, f: []}"#),
    ("// c\n{ /* d */ path = /usr/lib/x.y-z; url = http://x; }", #"{path: "/usr/lib/x.y-z", url: "http://x"}"#),
    ("(a, b,)", #"["a", "b"]"#), ("{ d = <0fb d77 1c>; }", "{d: data [15, 189, 119, 28]}"),
    ("<48 69>", "data [72, 105]"),
    (#"{ s = "\n\t\\\"\101\U00e9\Ud83d\Ude00\341"; }"#, "{s: \"\n\t\\\"Aé😀Æ\"}"),
    (
      "{ i = <*I-5>; r = <*R1.5>; y = <*BY>; n = <*BN>; d = <*D2011-10-05 14:48:00 +0200>; x = <[aGk=]>; }",
      "{i: -5, r: real 1.5, y: true, n: false, d: date 2011-10-05T12:48:00Z, x: data [104, 105]}"
    ),
    ("\"key\" = \"value\";\nother = x;\nalone;\n", #"{key: "value", other: "x", alone: "alone"}"#),
    ("/* strings */\n\"a\" = \"b\";\n", #"{a: "b"}"#), ("{ a = 1; }", #"{a: "1"}"#),
  ]) func readsValues(text: String, shape: String) {
    let reading = DocumentReader.read(text, named: "a.plist")
    #expect(reading.messages == [])
    #expect(reading.document?.syntax == .openStepPropertyList)
    #expect(reading.document?.root.shape == shape)
  }

  @Test(arguments: [
    ("{ a = b }", ["1:9 plist-syntax: missing `;` after the value"]),
    ("{ a = b; c d; }", ["1:12 plist-syntax: missing `=` after the key `c`"]),
    ("{ a = (x y); }", ["1:10 plist-syntax: missing comma before this element"]),
    ("{ a = ; }", ["1:7 plist-syntax: missing value before `;`"]),
    ("{ a = b; ", ["1:10 plist-syntax: missing `}` at the end of the document"]),
    (
      "{ a = \"b; }",
      ["1:7 plist-syntax: unclosed string", "1:12 plist-syntax: missing `}` at the end of the document"],
    ),
    ("{ a = <0g>; }", ["1:7 plist-syntax: `0g` is not hexadecimal data"]),
    ("{ a = b; } x", ["1:12 plist-syntax: unexpected `x` after the property list"]),
    ("{ a = b; a = c; }", ["1:10 duplicate-key: duplicate key `a`"]),
    ("a = b", ["1:6 plist-syntax: missing `;` after the last entry"]),
    ("// nothing", ["1:1 empty-document: file contains only comments"]),
  ]) func reportsErrors(text: String, messages: [String]) {
    let reading = DocumentReader.read(text, named: "a.plist")
    #expect(reading.messages == messages)
    #expect(reading.diagnostics.allSatisfy { $0.help != nil })
  }
}
