import Diagnostics
import Documents
import Testing
import Validation

/// Tests that edits change only their target, use the style of neighboring items, and produce the expected tree in
/// every syntax.
@Suite struct TextEditsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var before: String
    var after: String
    var edit: @Sendable (Node) -> [Diagnostic.Edit]?

    init(
      _ name: String, _ before: String, _ after: String, _ edit: @escaping @Sendable (Node) -> [Diagnostic.Edit]?
    ) {
      (self.name, self.before, self.after, self.edit) = (name, before, after, edit)
    }

    var testDescription: String { name }
  }

  static func read(_ text: String) throws -> Document {
    let reading = DocumentReader.read(text, named: "x", options: ReadingOptions(toleratesComments: true))
    return try #require(reading.document)
  }

  static func apply(_ text: String, _ edit: (Node) -> [Diagnostic.Edit]?) throws -> String {
    let document = try read(text)
    let edits = try #require(edit(document.root), "no edit for \(text)")
    return String(decoding: try SpanEdits.apply(edits, to: document.source), as: UTF8.self)
  }

  @Test(arguments: replacing + removing + adding) func anEditChangesOnlyItsTarget(_ example: Case) throws {
    #expect(try Self.apply(example.before, example.edit) == example.after)
  }

  static let replacing: [Case] = [
    Case("JSON escapes", #"{"a": "x", "b": 1}"#, #"{"a": "say \"hi\"", "b": 1}"#) {
      $0["a"].flatMap { TextEdits.replaceValue($0, with: #"say "hi""#) }
    },
    Case("a JSON boolean", #"{"a":"no"}"#, #"{"a":false}"#) {
      $0["a"].flatMap { TextEdits.replaceValue($0, with: .bool(false)) }
    },
    Case("YAML plain", "a: x # why\nb: 1\n", "a: w # why\nb: 1\n") {
      $0["a"].flatMap { TextEdits.replaceValue($0, with: "w") }
    },
    Case("YAML plain value that needs quotes", "a: x\n", "a: \"yes\"\n") {
      $0["a"].flatMap { TextEdits.replaceValue($0, with: "yes") }
    },
    Case("YAML in brackets", "a: [x, z]\n", "a: [\"x, y\", z]\n") {
      $0["a"]?[0].flatMap { TextEdits.replaceValue($0, with: "x, y") }
    },
    Case("YAML single quotes", "a: 'x'\n", "a: 'it''s'\n") {
      $0["a"].flatMap { TextEdits.replaceValue($0, with: "it's") }
    },
    Case("YAML double quotes", "a: \"x\"\n", "a: \"\\\"\"\n") {
      $0["a"].flatMap { TextEdits.replaceValue($0, with: "\"") }
    },
    Case("YAML nothing", "a:\nb: 1\n", "a: w\nb: 1\n") { $0["a"].flatMap { TextEdits.replaceValue($0, with: "w") } },
    Case("YAML block text", "a: |\n  x\n  z\nb: 1\n", "a: w\nb: 1\n") {
      $0["a"].flatMap { TextEdits.replaceValue($0, with: "w") }
    },
    Case("YAML list by a word", "a:\n  - x\n  - z\nb: 1\n", "a: w\nb: 1\n") {
      $0["a"].flatMap { TextEdits.replaceValue($0, with: "w") }
    },
    Case("XML escapes", xml("<key>a</key><string>x</string>"), xml("<key>a</key><string>x&amp;&lt;y</string>")) {
      $0["a"].flatMap { TextEdits.replaceValue($0, with: "x&<y") }
    },
    Case("XML empty", xml("<key>a</key><string/>"), xml("<key>a</key><string>w</string>")) {
      $0["a"].flatMap { TextEdits.replaceValue($0, with: "w") }
    },
    Case("XML section", xml("<key>a</key><string><![CDATA[x]]></string>"), xml("<key>a</key><string>w</string>")) {
      $0["a"].flatMap { TextEdits.replaceValue($0, with: "w") }
    },
    Case("XML boolean", xml("<key>a</key><string>YES</string>"), xml("<key>a</key><true/>")) {
      $0["a"].flatMap { TextEdits.replaceValue($0, with: .bool(true)) }
    },
    Case("OpenStep bare", "{ a = x; }", "{ a = w; }") { $0["a"].flatMap { TextEdits.replaceValue($0, with: "w") } },
    Case("OpenStep value that needs quotes", "{ a = x; }", "{ a = \"x y\"; }") {
      $0["a"].flatMap { TextEdits.replaceValue($0, with: "x y") }
    },
    Case("OpenStep quoted", "{ a = \"x\"; }", "{ a = \"w\"; }") {
      $0["a"].flatMap { TextEdits.replaceValue($0, with: "w") }
    },
    Case("a JSON key", #"{"a" : 1}"#, #"{"b" : 1}"#) {
      $0.entry("a").flatMap { TextEdits.replaceKey($0.key, with: "b") }
    },
    Case("a YAML key", "'a': 1\n", "'b': 1\n") { $0.entry("a").flatMap { TextEdits.replaceKey($0.key, with: "b") } },
    Case("an XML key", xml("<key>a</key><true/>"), xml("<key>b</key><true/>")) {
      $0.entry("a").flatMap { TextEdits.replaceKey($0.key, with: "b") }
    },
    Case("an OpenStep key", "{a = 1;}", "{\"b-c\" = 1;}") {
      $0.entry("a").flatMap { TextEdits.replaceKey($0.key, with: "b-c") }
    },
  ]

  static let removing: [Case] = [
    Case(
      "JSON middle", "{\n  \"a\": 1,\n  \"b\": 2, // two\n  // three\n  \"c\": 3\n}\n",
      "{\n  \"a\": 1,\n  // three\n  \"c\": 3\n}\n"
    ) { TextEdits.removeEntry("b", from: $0) },
    Case("JSON last", "{\n\t\"a\": 1, // one\n\t\"b\": 2\n}", "{\n\t\"a\": 1 // one\n}") {
      TextEdits.removeEntry("b", from: $0)
    },
    Case("JSON last with a comma", "{\n  \"a\": 1,\n  \"b\": 2,\n}", "{\n  \"a\": 1,\n}") {
      TextEdits.removeEntry("b", from: $0)
    },
    Case("JSON only", "{\n  \"a\": {\n    \"b\": 2\n  }\n}", "{\n  \"a\": {}\n}") {
      $0["a"].flatMap { TextEdits.removeEntry("b", from: $0) }
    },
    Case("JSON on one line, first", "[1, 2, 3]", "[2, 3]") { list in
      list[0].flatMap { TextEdits.removeElement($0, from: list) }
    },
    Case("JSON on one line, middle", "[ 1, 2, 3 ]", "[ 1, 3 ]") { list in
      list[1].flatMap { TextEdits.removeElement($0, from: list) }
    },
    Case("JSON on one line, last", "[ 1, 2, 3 ]", "[ 1, 2 ]") { list in
      list[2].flatMap { TextEdits.removeElement($0, from: list) }
    },
    Case("JSON several", "[\n  1,\n  2,\n  3,\n  4\n]", "[\n  1,\n  2\n]") { list in
      TextEdits.removeElements(Array(list.elements.dropFirst(2)), from: list)
    },
    Case("JSON all", "[ 1, 2 ]", "[]") { list in TextEdits.removeElements(Array(list.elements), from: list) },
    Case("CRLF", "{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}\r\n", "{\r\n  \"b\": 2\r\n}\r\n") {
      TextEdits.removeEntry("a", from: $0)
    },
    Case("YAML entry", "a: 1\n# about b\nb: 2 # two\nc: 3\n", "a: 1\n# about b\nc: 3\n") {
      TextEdits.removeEntry("b", from: $0)
    },
    Case("YAML block entry", "a:\n  - x\n  - y\nb: |\n  text\n\nc: 3\n", "a:\n  - x\n  - y\n\nc: 3\n") {
      TextEdits.removeEntry("b", from: $0)
    },
    Case("YAML last entry without a line ending", "a: 1\nb: 2", "a: 1") { TextEdits.removeEntry("b", from: $0) },
    Case("YAML first entry after a dash", "- a: 1\n  b: 2\n", "- b: 2\n") {
      $0[0].flatMap { TextEdits.removeEntry("a", from: $0) }
    },
    Case("YAML only", "a:\n  b: 1\nc: 2\n", "a: {}\nc: 2\n") {
      $0["a"].flatMap { TextEdits.removeEntry("b", from: $0) }
    },
    Case("YAML element", "a:\n- x # one\n- y\n", "a:\n- y\n") { root in
      root["a"].flatMap { list in list[0].flatMap { TextEdits.removeElement($0, from: list) } }
    },
    Case("YAML in brackets", "a: [x, y]\n", "a: [x]\n") { root in
      root["a"].flatMap { list in list[1].flatMap { TextEdits.removeElement($0, from: list) } }
    },
    Case(
      "XML entry", xml("\n\t<key>a</key>\n\t<string>x</string>\n\t<!-- b -->\n\t<key>b</key>\n\t<true/>\n"),
      xml("\n\t<!-- b -->\n\t<key>b</key>\n\t<true/>\n")
    ) { TextEdits.removeEntry("a", from: $0) },
    Case(
      "XML only element",
      xml("\n\t<key>a</key>\n\t<array>\n\t\t<string>x</string>\n\t</array>\n"), xml("\n\t<key>a</key>\n\t<array/>\n")
    ) { root in root["a"].flatMap { list in list[0].flatMap { TextEdits.removeElement($0, from: list) } } },
    Case("XML on one line", xml("<key>a</key><true/> <key>b</key><true/>"), xml("<key>b</key><true/>")) {
      TextEdits.removeEntry("a", from: $0)
    },
    Case("OpenStep entry", "{\n\ta = 1; /* one */\n\tb = 2;\n}", "{\n\tb = 2;\n}") {
      TextEdits.removeEntry("a", from: $0)
    },
    Case("OpenStep last", "{ a = 1; b = 2; }", "{ a = 1; }") { TextEdits.removeEntry("b", from: $0) },
    Case("OpenStep element", "(a, b)", "(a)") { list in list[1].flatMap { TextEdits.removeElement($0, from: list) } },
  ]

  static let adding: [Case] = [
    Case(
      "JSON element", "{\n  \"a\": [\n    \"x\" // one\n  ]\n}", "{\n  \"a\": [\n    \"x\", // one\n    \"y\"\n  ]\n}"
    ) {
      $0["a"].flatMap { TextEdits.appendElement("y", to: $0) }
    },
    Case("JSON element after a comma", "[\n\t\"x\",\n]", "[\n\t\"x\",\n\t\"y\",\n]") {
      TextEdits.appendElement("y", to: $0)
    },
    Case("JSON on one line", "[\"x\",\"z\"]", "[\"x\",\"z\",\"y\"]") { TextEdits.appendElement("y", to: $0) },
    Case("JSON empty", "{\n  \"a\": []\n}", "{\n  \"a\": [\n    \"y\"\n  ]\n}") {
      $0["a"].flatMap { TextEdits.appendElement("y", to: $0) }
    },
    Case(
      "JSON empty among lists on one line", "{\n  \"b\": [1],\n  \"a\": []\n}", "{\n  \"b\": [1],\n  \"a\": [\"y\"]\n}"
    ) {
      $0["a"].flatMap { TextEdits.appendElement("y", to: $0) }
    },
    Case(
      "JSON entry after another", "{\n  \"a\" : 1,\n  \"b\" : 2\n}", "{\n  \"a\" : 1,\n  \"m\" : true,\n  \"b\" : 2\n}"
    ) {
      TextEdits.insertEntry("m", .bool(true), into: $0, after: "a")
    },
    Case("JSON nested", "{\r\n  \"a\": 1\r\n}", "{\r\n  \"a\": 1,\r\n  \"m\": [\r\n    \"x\"\r\n  ]\r\n}") {
      TextEdits.insertEntry("m", ["x"], into: $0)
    },
    Case("JSON minified", "{\"a\":1}", "{\"a\":1, \"m\":\"x\"}") { TextEdits.insertEntry("m", "x", into: $0) },
    Case("YAML entry", "a: 1 # one\nb: 2\n", "a: 1 # one\nm: x\nb: 2\n") {
      TextEdits.insertEntry("m", "x", into: $0, after: "a")
    },
    Case("YAML entry after a block", "a:\n  - x\nb: 2", "a:\n  - x\nb: 2\nm:\n  - w\n  - z") {
      TextEdits.insertEntry("m", ["w", "z"], into: $0)
    },
    Case("YAML dashes in the key's column", "a:\n- x\n", "a:\n- x\nm:\n- w\n") {
      TextEdits.insertEntry("m", ["w"], into: $0)
    },
    Case("YAML mapping in a list", "l:\n  - a: 1\n    b: 2\n", "l:\n  - a: 1\n    b: 2\n    m:\n      k: v\n") {
      $0["l"]?[0].flatMap { TextEdits.insertEntry("m", ["k": "v"], into: $0) }
    },
    Case("YAML element", "a:\n  - \"x\"\n", "a:\n  - \"x\"\n  - \"y\"\n") {
      $0["a"].flatMap { TextEdits.appendElement("y", to: $0) }
    },
    Case("YAML in brackets", "a: [x]\n", "a: [x, w]\n") { $0["a"].flatMap { TextEdits.appendElement("w", to: $0) } },
    Case("YAML empty", "a: []\n", "a: [w]\n") { $0["a"].flatMap { TextEdits.appendElement("w", to: $0) } },
    Case(
      "XML element", xml("\n\t<array>\n\t\t<string>x</string>\n\t</array>\n", in: nil),
      xml("\n\t<array>\n\t\t<string>x</string>\n\t\t<string>y&amp;z</string>\n\t</array>\n", in: nil)
    ) {
      TextEdits.appendElement("y&z", to: $0)
    },
    Case(
      "XML empty", xml("\n\t<key>a</key>\n\t<array/>\n"),
      xml("\n\t<key>a</key>\n\t<array>\n\t\t<string>y</string>\n\t</array>\n")
    ) { $0["a"].flatMap { TextEdits.appendElement("y", to: $0) } },
    Case(
      "XML entry", xml("\n    <key>a</key>\n    <true/>\n"),
      xml(
        "\n    <key>a</key>\n    <true/>\n    <key>m</key>\n    <array>\n        <dict>\n            <key>k</key>\n"
          + "            <string>v</string>\n        </dict>\n    </array>\n")
    ) { TextEdits.insertEntry("m", [["k": "v"]], into: $0) },
    Case("XML on one line", xml("<key>a</key><true/>"), xml("<key>a</key><true/><key>m</key><string>x</string>")) {
      TextEdits.insertEntry("m", "x", into: $0)
    },
    Case("OpenStep entry", "{\n\ta = 1;\n}", "{\n\ta = 1;\n\tm = \"x y\";\n}") {
      TextEdits.insertEntry("m", "x y", into: $0)
    },
    Case("OpenStep element", "{\n\ta = (\n\t\tx,\n\t);\n}", "{\n\ta = (\n\t\tx,\n\t\ty,\n\t);\n}") {
      $0["a"].flatMap { TextEdits.appendElement("y", to: $0) }
    },
    Case("OpenStep pairs", "a = 1;\nb = 2;\n", "a = 1;\nm = x;\nb = 2;\n") {
      TextEdits.insertEntry("m", "x", into: $0, after: "a")
    },
  ]

  /// - Parameter element: A closure that returns the element around the text, or nil if the text is the complete value.
  static func xml(_ content: String, in element: String? = "dict") -> String {
    let inner = element.map { "<\($0)>\(content)</\($0)>" } ?? content
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n\(inner)\n</plist>\n"
  }

  @Test func rejectsBinaryPropertyLists() throws {
    let bytes = try DocumentWriter.write(try Self.read(#"{"a": "x", "b": ["y"]}"#), as: .binaryPropertyList)
    let root = try #require(DocumentReader.read(bytes, named: "x").document).root
    #expect(TextEdits.removeEntry("a", from: root) == nil)
    #expect(TextEdits.insertEntry("n", "x", into: root) == nil)
    #expect(root["a"].flatMap { TextEdits.replaceValue($0, with: "y") } == nil)
  }

  @Test func rejectsAliasedValues() throws {
    let root = try Self.read("a: &x\n  b: 1\nc: *x\n").root
    #expect(root["c"].flatMap { TextEdits.removeEntry("b", from: $0) } == nil)
    #expect(root["a"].flatMap { TextEdits.insertEntry("n", "1", into: $0) } != nil)
  }
}
