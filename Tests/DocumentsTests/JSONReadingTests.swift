import Diagnostics
import Documents
import Testing

struct JSONReadingTests {
  @Test(arguments: [
    "[]", "[[]   ]", "[\"\"]", "[\"a\"]", "[false]", "[null, 1, \"1\", {}]", "[null]", "[1\n]", " [1]",
    "[1,null,null,null,2]",
    "[2] ", "[123e65]", "[0e+1]", "[0e1]", "[ 4]", "[-0.000000000000000000000000000000000000001]", "[20e1]", "[-0]",
    "[-123]", "[-1]", "[1E22]", "[1E-2]", "[1E+2]", "[123e45]", "[123.456e78]", "[1e-2]", "[1e+2]", "[123]",
    "[123.456789]", "{\"asd\":\"sdf\", \"dfg\":\"fgh\"}", "{\"asd\":\"sdf\"}", "{}", "{\"\":0}",
    "{\"foo\\u0000bar\": 42}",
    "{ \"min\": -1.0e+28, \"max\": 1.0e+28 }", "{\"a\":[]}", "{\"title\":\"\\u041f\\u043e\\u043b\" }",
    "{\n\"a\": \"b\"\n}", "[\"\\u0060\\u012a\\u12AB\"]", "[\"\\uD801\\udc37\"]", "[\"\\ud83d\\ude39\\ud83d\\udc8d\"]",
    "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]", "[\"\\\\u0000\"]", "[\"\\\"\"]", "[\"a/*b*/c/*d//e\"]", "[\"\\\\a\"]",
    "[\"\\\\n\"]",
    "[\"\\u0012\"]", "[\"\\uFFFF\"]", "[\"asd\"]", "[ \"asd\"]", "[\"\\uDBFF\\uDFFF\"]", "[\"new\\u00A0line\"]",
    "[\"\u{10FFFF}\"]",
    "[\"\u{FFFF}\"]", "[\"\\u0000\"]", "[\"\\u002c\"]", "[\"π\"]", "[\"\u{1BFFF}\"]", "[\"asd \"]", "\" \"",
    "[\"\\uD834\\uDd1e\"]",
    "[\"\\u0821\"]", "[\"\\u0123\"]", "[\"\u{2028}\"]", "[\"\u{2029}\"]", "[\"\\u0061\\u30af\\u30EA\\u30b9\"]",
    "[\"new\\u000Aline\"]", "[\"\u{7f}\"]", "[\"\\uA66D\"]", "[\"\\u005C\"]", "[\"⍂㈴⍂\"]", "[\"\\u0022\"]",
    "[\"\\uDBFF\\uDFFE\"]", "[\"\\uFDD0\"]", "[\"\\uFFFE\"]", "[\"€𝄞\"]", "[\"aa\"]", "false", "42", "-0.1", "null",
    "\"asd\"", "true", "\"\"", "[\"a\"]\n", "[true]", " [] ", "\u{FEFF}[1]",
  ]) func acceptsValidJSON(_ text: String) throws {
    let reading = DocumentReader.read(text, named: "y.json")
    #expect(reading.messages == [])
    #expect(reading.document?.syntax == .json)
    _ = try JSON(parsing: text)
  }

  @Test(arguments: [
    "[1 true]", "[\"\": 1]", "[\"\"],", "[,1]", "[1,,2]", "[\"x\",,]", "[\"x\"]]", "[\"\",]", "[\"x\"", "[x", "[3[4]]",
    "[1,]", "[1,,]",
    "[-]", "[   , \"\"]", "[\"a\",\n4\n,1,", "[1,", "[1,\n1\n,1", "[{}", "[fals]", "[nul]", "[tru]", "[++1234]", "[+1]",
    "[+Inf]", "[-01]", "[-1.0.]", "[-2.]", "[-NaN]", "[.-1]", "[.2e-3]", "[0.1.2]", "[0.3e+]", "[0.3e]", "[0.e1]",
    "[0E+]",
    "[0E]", "[0e+]", "[0e]", "[1.0e+]", "[1.0e-]", "[1.0e]", "[1 000.0]", "[1eE2]", "[2.e+3]", "[2.e-3]", "[2.e3]",
    "[9.e+]",
    "[Inf]", "[NaN]", "[１]", "[1+2]", "[0x1]", "[0x42]", "[Infinity]", "[0e+-1]", "[-123.123foo]", "[-Infinity]",
    "[-foo]",
    "[- 1]", "[-012]", "[-.123]", "[-1x]", "[1ea]", "[1.]", "[.123]", "[1.2a-3]", "[1.8011670033376514H-308]", "[012]",
    "[\"x\", truth]", "{[: \"x\"}\n", "{\"x\", null}", "{\"x\"::\"b\"}", "{🇨🇭}", "{\"a\":\"a\" 123}", "{key: 'value'}",
    "{\"a\" b}",
    "{:\"b\"}", "{\"a\" \"b\"}", "{\"a\":", "{\"a\"", "{1:1}", "{9999E9999:1}", "{null:null,null:null}",
    "{\"id\":0,,,,,}", "{'a':0}", "{\"id\":0,}", "{\"a\":\"b\"}/**/", "{\"a\":\"b\"}/**//", "{\"a\":\"b\"}//",
    "{\"a\":\"b\"}/",
    "{\"a\":\"b\",,\"c\":\"d\"}", "{a: \"b\"}", "{\"a\":\"a", "{ \"foo\" : \"bar\", \"a\" }", "{\"a\":\"b\"}#",
    "[\"\\uD800\\\"]",
    "[\"\\uD800\\u\"]", "[\"\\uD800\\u1\"]", "[\"\\uD800\\u1x\"]", "[é]", "[\"\\x00\"]", "[\"\\\\\\\"]", "[\"\\\t\"]",
    "[\"\\🌀\"]",
    "[\"\\\"]", "[\"\\u00A\"]", "[\"\\uD834\\uDd\"]", "[\"\\uD800\\uD800\\x\"]", "[\"\\a\"]", "[\"\\uqqqq\"]",
    "[\\u0020\"asd\"]",
    "[\\n]", "\"", "['single quote']", "abc", "[\"\\", "[\"new\nline\"]", "[\"\t\"]", "\"\\UA66D\"", "\"\"x",
    "[\u{2060}]", "<.>",
    "[<null>]", "[1]x", "[1]]", "[\"asd]", "aå", "[True]", "1]", "{\"x\": true,", "[][]", "]", "{}}", "{\"\":",
    "{\"a\":/*comment*/\"b\"}",
    "{\"a\": true} \"x\"", "['", "[\"a", "[,", "[{", "{[", "{,", "{'a'", "{\"a\":\"b\"}\u{85}", "{]", "*",
    "{\"a\":\"b\"}#{}", "[\u{c}]",
    "[\\u000A\"\"]", "[1", "[ false, nul", "[ true, fals", "[ false, tru", "{\"asd\":\"asd\"", "[⁠", "[1}",
    "[a\u{2028}]",
  ]) func rejectsInvalidJSON(_ text: String) {
    let reading = DocumentReader.read(text, named: "n.json")
    #expect(reading.hasErrors)
    for diagnostic in reading.diagnostics { #expect(diagnostic.help != nil, "\(diagnostic.message)") }
    #expect(throws: JSONSyntaxError.self) { try JSON(parsing: text) }
  }

  @Test func continuesAfterErrors() {
    let text = "{\n  \"a\": tru,\n  b: 'x',\n  \"c\": [1 2,],\n  \"d\" 4\n  \"e\": 07\n}\n"
    let reading = DocumentReader.read(text, named: "a.json")
    #expect(
      reading.messages == [
        "2:8 json-syntax: invalid JSON value `tru`", "3:3 json-syntax: key `b` is not in double quotes",
        "3:6 json-syntax: JSON string in single quotes",
        "4:11 json-syntax: missing comma before this element",
        "4:12 trailing-comma: trailing comma before the closing bracket",
        "5:7 json-syntax: missing `:` after the key `d`", "6:3 json-syntax: missing comma before this member",
        "6:8 json-syntax: invalid JSON number `07`",
      ])
    #expect(reading.json == #"{"a":"tru","b":"x","c":[1,2],"d":4,"e":"07"}"#)
  }

  @Test func toleratesCommentsIfRequested() {
    let text = "// first\n{ /* second */ \"a\": [1, 2,], // third\n}\n"
    let strict = DocumentReader.read(text, named: "a.json")
    #expect(
      strict.diagnostics.map(\.rule) == [
        "comment-in-json", "comment-in-json", "trailing-comma", "comment-in-json", "trailing-comma",
      ])
    let tolerant = DocumentReader.read(text, named: "a.json", options: ReadingOptions(toleratesComments: true))
    #expect(tolerant.diagnostics.map(\.rule) == ["comment-in-json", "trailing-comma"])
    #expect(tolerant.diagnostics.allSatisfy { $0.severity == .note })
    #expect(tolerant.json == #"{"a":[1,2]}"#)
    #expect(strict.json == tolerant.json)
  }

  @Test(
    arguments: [
      ("1", 1), ("1.0", 1), ("1e2", 100), ("-0", 0), ("9223372036854775807", Int64.max), ("9223372036854775808", nil),
      ("1.5", nil),
    ] as [(String, Int64?)]) func readsIntegers(text: String, value: Int64?)
  {
    #expect(DocumentReader.read(text, named: "a.json").document?.root.integer == value)
  }

  /// The fast parser returns the same value as the document reader and rejects text with errors.
  @Test(arguments: [
    "{}", "[]", " [ 1 , -1 , 0 , -0 , 1.0 , 1e2 , 0.5 ] ",
    "[123456789012345678,1234567890123456789,99999999999999999999]",
    #"{"a":{"b":[true,false,null,"c"]},"é":"ü😀"}"#, #"["\u00e9\n\ud83d\ude00","a\/b"]"#, "\"text\"", "7",
    "[01]", "[1", "{\"a\" 1}", "{\"a\":}", "[1,]", "{\"a\":1,}", "tru", "truex", "[1 2]", "[1]]", "{a:1}", "\"a\nb\"",
    "", " ", "\u{FEFF}[1]", "[\u{0}]", "12a", "1.", "-",
    String(repeating: "[", count: 70) + String(repeating: "]", count: 70),
  ])
  func fastParserAgreesWithTheDocumentReader(text: String) {
    let document = DocumentReader.read(Array(text.utf8), named: "a.json", options: ReadingOptions(syntax: .json))
    let isGood = !document.diagnostics.contains { $0.severity == .error }
    #expect((try? JSON(parsing: text)) == (isGood ? document.document?.root.json : nil))
  }

  /// The fast parser and the document reader agree on mutations of valid text, including the order of members.
  @Test func fastParserAgreesWithTheDocumentReaderOnMutatedText() {
    let good = [
      #"{"a":{"b":[true,false,null,"c"],"d":0},"é":"ü😀","n":[-1,0.5,1e2,123456789012345678,1234567890123456789]}"#,
      #" [ {"k" : "v\n\"é" , "e":[ ] , "o":{ } } , [[[null]],"",true] , 17 ] "#,
      #"{"exp":1735693200,"scp":"User.Read"}"#,
    ].map { Array($0.utf8) }
    let odd = Array("{}[]\":,0123456789-+.eEtrufalsn\\/ \t\n\r\u{0}\u{7F}".utf8) + [0x80, 0xBF, 0xC3, 0xEF, 0xF0, 0xFF]
    var state: UInt64 = 2025
    func any(below count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(count))
    }
    var accepted = 0
    for round in 0..<6000 {
      var text = good[round % good.count]
      for _ in 0...any(below: 3) where !text.isEmpty {
        let index = any(below: text.count)
        switch any(below: 5) {
        case 0: text.remove(at: index)
        case 1: text.insert(odd[any(below: odd.count)], at: index)
        case 2: text[index] = odd[any(below: odd.count)]
        case 3: text.insert(contentsOf: text[index...].prefix(any(below: 8)), at: any(below: text.count))
        default: text.removeLast(any(below: min(text.count, 12)))
        }
      }
      let document = DocumentReader.read(text, named: "a.json", options: ReadingOptions(syntax: .json))
      // The last of duplicate names wins in `JSON(parsing:)`, but a document that contains them is invalid.
      if document.diagnostics.contains(where: { $0.rule == "duplicate-key" }) { continue }
      let isGood = !document.diagnostics.contains { $0.severity == .error }
      let wanted = isGood ? document.document?.root.json.text(sortedKeys: false) : nil
      accepted += isGood ? 1 : 0
      #expect((try? JSON(parsing: text))?.text(sortedKeys: false) == wanted, "\(String(decoding: text, as: UTF8.self))")
    }
    #expect((300...5700).contains(accepted))
  }

  @Test func usesTheLastMemberWithADuplicateName() throws {
    #expect(try JSON(parsing: #"{"a":1,"a":2}"#).text() == #"{"a":2}"#)
  }

  @Test func rejectsNumbersOutOfRange() {
    #expect(DocumentReader.read("[1e400]", named: "a.json").messages == ["1:2 json-syntax: number out of range"])
    #expect(DocumentReader.read("[1e-400]", named: "a.json").messages == [])
  }

  @Test func reportsTheLocationOfParseErrors() {
    #expect {
      try JSON(parsing: "{\n \"é\": x}")
    } throws: { error in
      (error as? JSONSyntaxError).map { $0.line == 2 && $0.column == 7 && $0.offset == 9 } ?? false
    }
  }

  @Test func sortsAndEscapesText() {
    let json: JSON = ["b": [1, 2.5, nil, true, "q\"\\\n\u{1}é😀/"], "a": [:], "é": []]
    #expect(json.text() == #"{"a":{},"b":[1,2.5,null,true,"q\"\\\n\u0001é😀/"],"é":[]}"#)
    #expect(
      json.text(pretty: true) == """
        {
          "a": {},
          "b": [
            1,
            2.5,
            null,
            true,
            "q\\"\\\\\\n\\u0001é😀/"
          ],
          "é": []
        }
        """)
    #expect(json.text(sortedKeys: false).hasPrefix("{\"b\""))
    #expect(JSON.array([.real(.infinity), .real(.nan), .real(1e300)]).text() == "[null,null,1e+300]")
  }

  @Test func createsADocumentFromAValue() {
    let document = Document.of(["x": ["y": [1, "two"]]], name: "settings")
    #expect(document.root["x"]?["y"]?[1]?.string == "two")
    #expect(document.root["x"]?["y"]?[1]?.extent == "5:7-5:12")
    #expect(document.source.name == "settings")
  }
}
