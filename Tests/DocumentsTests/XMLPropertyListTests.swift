import Diagnostics
import Documents
import Testing

struct XMLPropertyListTests {
  static func plist(_ inside: String) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\(inside)</plist>\n"
  }

  @Test(arguments: [
    ("<dict><key>a</key><string>x</string></dict>", "{a: \"x\"}"),
    ("<string/>", "\"\""), ("<string></string>", "\"\""), ("<string>a&lt;&#65;&#x1F600;&apos;</string>", "\"a<A😀'\""),
    ("<string><![CDATA[<&>]]></string>", "\"<&>\""), ("<string>a<!-- c -->b</string>", "\"ab\""),
    ("<string>a\r\nb</string>", "\"a\nb\""), ("<string> a </string>", "\" a \""),
    ("<integer>42</integer>", "42"), ("<integer> -7\n</integer>", "-7"), ("<integer>+7</integer>", "7"),
    ("<integer>0xFF</integer>", "255"), ("<integer>-0x10</integer>", "-16"), ("<integer>007</integer>", "7"),
    ("<integer>18446744073709551615</integer>", "18446744073709551615"),
    ("<integer>-9223372036854775808</integer>", "-9223372036854775808"), ("<integer>4<!-- c -->2</integer>", "42"),
    ("<real>1.5e3</real>", "real 1500.0"), ("<real>nan</real>", "real nan"), ("<real>-Infinity</real>", "real -inf"),
    ("<real>+inf</real>", "real inf"), ("<real>2</real>", "real 2.0"),
    ("<date>2011-10-05T14:48:00Z</date>", "date 2011-10-05T14:48:00Z"),
    ("<data>\n\taGVs\n\tbG8=\n</data>", "data [104, 101, 108, 108, 111]"), ("<data/>", "data []"),
    ("<true/>", "true"), ("<false></false>", "false"), ("<array/>", "[]"), ("<dict/>", "{}"),
    ("<array><dict><key>CF$UID</key><integer>3</integer></dict></array>", "[uid 3]"),
    ("<!-- c --><array><!-- d --><true/><!-- e --></array><?x y?>", "[true]"),
  ]) func readsValues(inside: String, shape: String) {
    let reading = DocumentReader.read(Self.plist(inside), named: "a.plist")
    #expect(reading.messages == [])
    #expect(reading.document?.root.shape == shape)
  }

  @Test(
    arguments: [
      ("<dict><string>x</string></dict>", ["2:28 plist-syntax: value `<string>` without a key"], "{}"),
      ("<dict><key>a</key></dict>", ["2:28 plist-syntax: missing value for the key `a`"], "{a: null}"),
      (
        "<dict><key>a</key><key>b</key><true/></dict>", ["2:28 plist-syntax: missing value for the key `a`"],
        "{a: null, b: true}"
      ),
      ("<array>x<true/></array>", ["2:29 plist-syntax: text `x` between elements"], "[true]"),
      (
        "<array><sting>x</sting><true/></array>", ["2:29 plist-syntax: unknown element `<sting>`"],
        "[true]"
      ),
      ("<array><integer>1x</integer></array>", ["2:29 plist-syntax: `1x` is not an integer"], "[\"1x\"]"),
      (
        "<array><integer></integer></array>",
        ["2:29 plist-syntax: empty element, expected an integer"], "[\"\"]"
      ),
      ("<date>yesterday</date>", ["2:22 plist-syntax: `yesterday` is not a date"], "\"yesterday\""),
      ("<data>*</data>", ["2:22 plist-syntax: invalid base64 data"], "data []"),
      ("<true/><false/>", ["2:29 plist-syntax: second value `<false>` at the top level"], "true"),
      ("<key>a</key><true/>", ["2:22 plist-syntax: `<key>` outside `<dict>`"], "true"),
      (
        "<dict><key>a</key><true/><key>a</key><false/></dict>",
        ["2:47 duplicate-key: duplicate key `a`"], "{a: true, a: false}"
      ),
      ("<string>a<b/>c</string>", ["2:31 plist-syntax: element inside a scalar"], nil),
      ("<string>a&nbsp;b</string>", ["2:31 plist-syntax: unknown entity `&nbsp;`"], nil),
      ("<array><true/></dict>", ["2:36 plist-syntax: expected `</array>`, found `</dict>`"], "[true]"),
    ] as [(String, [String], String?)]) func reportsErrors(inside: String, messages: [String], shape: String?)
  {
    let reading = DocumentReader.read(Self.plist(inside), named: "a.plist")
    #expect(reading.messages == messages)
    if let shape { #expect(reading.document?.root.shape == shape) }
    #expect(reading.diagnostics.allSatisfy { $0.help != nil })
  }

  @Test(arguments: [
    "<!DOCTYPE plist PUBLIC \"-//Apple Computer//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n<!-- c -->\n<plist version=\"1.0\"><true/></plist>",
    "<?xml version=\"1.0\"?>\n<!DOCTYPE plist SYSTEM \"file://localhost/System/Library/DTDs/PropertyList.dtd\">\n<plist><true/></plist>",
    "<true/>", "<plist>\r\n<true/>\r\n</plist>", "\u{FEFF}<?xml version='1.0' encoding='utf-8'?><plist><true/></plist>",
  ]) func readsProlog(text: String) {
    let reading = DocumentReader.read(text, named: "a.plist")
    #expect(reading.messages == [])
    #expect(reading.document?.root.bool == true)
  }

  @Test func rejectsEntityDeclarations() {
    let laughs = """
      <?xml version="1.0"?>
      <!DOCTYPE plist [
       <!ENTITY a "ha">
       <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
      ]>
      <plist><string>&b;</string></plist>
      """
    let reading = DocumentReader.read(laughs, named: "a.plist")
    #expect(reading.messages == ["3:2 plist-syntax: entity declaration"])
  }

  @Test func doesNotReadExternalEntities() {
    let text =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE plist [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>\n<plist><string>&x;</string></plist>"
    let reading = DocumentReader.read(text, named: "a.plist")
    #expect(reading.messages.count == 1)
    #expect(reading.document?.root.string?.contains("root") != true)
  }

  @Test func keepsTheValuesBeforeATruncation() {
    let text = "<plist><dict><key>a</key><integer>1</integer><key>b</key><arr"
    let reading = DocumentReader.read(text, named: "a.plist")
    #expect(reading.hasErrors)
    #expect(reading.document?.root["a"]?.integer == 1)
  }
}
