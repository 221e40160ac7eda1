import Diagnostics
import Documents
import Testing

struct YAMLReadingTests {
  @Test(arguments: [
    (
      "a: é x\nb:\n  - 1\n  - \"q\\n\"\nc: |\n  lit\n  two\nd: !!str  12\ne:\nf: {a: 1,\n b: [x]}\n",
      #"{"a":"é x","b":[1,"q\n"],"c":"lit\ntwo\n","d":"12","e":null,"f":{"a":1,"b":["x"]}}"#
    ),
    ("a: &x [1, {b: 2}]\nc: *x\nd: &y text\ne: *y\n", #"{"a":[1,{"b":2}],"c":[1,{"b":2}],"d":"text","e":"text"}"#),
    (
      "- yes\n- on\n- 0o17\n- 0x1F\n- 007\n- 1.\n- .5e3\n- ~\n- +12\n- 2001-01-01\n- 'true'\n- True\n- TRUE\n- tRUE\n- Null\n- 0b1\n- 1_000\n- -.5\n- 1e\n- 12:30\n",
      #"["yes","on",15,31,7,1,500,null,12,"2001-01-01","true",true,true,"tRUE",null,"0b1","1_000",-0.5,"1e","12:30"]"#
    ),
    ("%YAML 1.2\n---\na: 1\n...\n", #"{"a":1}"#),
    ("# only this\n--- # doc\nplain text\n  over lines\n", #""plain text over lines""#),
    (
      "a: >-\n  folded\n  text\n\n  new\nb: |+\n  keep\n\nc: 'it''s'\n",
      #"{"a":"folded text\nnew","b":"keep\n\n","c":"it's"}"#
    ),
    (
      "1: one\ntrue: yes\n~: nothing\n? long key\n: value\n",
      #"{"1":"one","true":"yes","~":"nothing","long key":"value"}"#
    ),
    ("<<: {a: 1}\nb: 2\n", #"{"<<":{"a":1},"b":2}"#),
    ("{a: 1, 'b': [x, y], c}\n", #"{"a":1,"b":["x","y"],"c":null}"#),
    (
      "a: !!int 12\nb: !!float 3\nc: !!bool true\nd: !!null ~\ne: !!binary aGk=\nf: !!timestamp 2001-12-14t21:59:43.10-05:00\ng: !!map {}\nh: !!seq []\ni: ! 12\n",
      #"{"a":12,"b":3,"c":true,"d":null,"e":"aGk=","f":"2001-12-15T02:59:43.1Z","g":{},"h":[],"i":"12"}"#
    ),
    ("a: \"tab\\there \\x41\\u00e9\\U0001F600\"\r\nb: x\r\n", #"{"a":"tab\there Aé😀","b":"x"}"#),
    ("key with spaces: v#no comment # comment\n", #"{"key with spaces":"v#no comment"}"#),
    ("- - a\n  - b\n- c: 1\n  d: 2\n-\n", #"[["a","b"],{"c":1,"d":2},null]"#),
    ("---\n", "null"),
    ("{? foo: bar, b?: \"c?\", d: e?f}\n", #"{"foo":"bar","b?":"c?","d":"e?f"}"#),
    ("[&a x, *a, &b , {c: &d }]\n", #"["x","x",null,{"c":null}]"#),
  ]) func readsValues(text: String, json: String) {
    let reading = DocumentReader.read(text, named: "a.yaml")
    #expect(reading.messages == [])
    #expect(reading.json == json)
  }

  @Test(arguments: [
    ("a: 1\n\tb: 2\n", ["2:1 yaml-syntax: tab in the indentation"]),
    ("a: *b\n", ["1:4 yaml-syntax: undefined anchor `&b`"]),
    (
      "a: &a [1, *a]\n",
      ["1:11 alias-expansion: alias `*a` inside its own anchor"]
    ),
    ("a: 1\n---\nb: 2\n", ["2:1 yaml-syntax: second document in one file"]),
    ("a: !!int x\n", ["1:10 yaml-syntax: `x` does not match the tag `!!int`"]),
    ("a: !Ref x\n", ["1:9 unknown-tag: unknown tag `!Ref` is ignored"]),
    ("[a]: b\n", ["1:1 yaml-syntax: list used as a key"]),
    ("a: b: c\n", ["1:5 yaml-syntax: unexpected `:`"]),
    ("é: 1\né: 2\n", ["2:1 duplicate-key: duplicate key `é`"]),
    ("a: @x\n", ["1:4 yaml-syntax: value starts with a reserved character"]),
    ("# nothing\n", ["1:1 empty-document: file contains only comments"]),
    ("a: &an:chor b\n", ["1:4 yaml-syntax: anchor name contains `:`"]),
    ("é: !!str &x:y b\n", ["1:10 yaml-syntax: anchor name contains `:`"]),
    ("{?foo: bar}\n", ["1:2 yaml-syntax: ambiguous `?` before a key in braces or brackets"]),
    ("[a, ?\"b\": c]\n", ["1:5 yaml-syntax: ambiguous `?` before a key in braces or brackets"]),
    ("a: 1\nb: \"x\u{1}y\"\n", ["2:6 yaml-syntax: control character"]),
  ]) func reportsErrors(text: String, messages: [String]) {
    let reading = DocumentReader.read(text, named: "a.yaml")
    #expect(reading.messages == messages)
    #expect(reading.diagnostics.allSatisfy { $0.help != nil })
  }

  @Test func continuesAfterErrors() {
    let reading = DocumentReader.read("a: 1\n\tb: 2\nc: \"x\nd: 3\ne: @x\nf: 1\n", named: "a.yaml")
    #expect(
      reading.messages == [
        "2:1 yaml-syntax: tab in the indentation", "3:4 yaml-syntax: unclosed string",
        "5:4 yaml-syntax: value starts with a reserved character",
      ])
    #expect(reading.json == #"{"a":1,"d":3,"f":1}"#)
  }

  @Test func limitsTheNumberOfErrors() {
    let text = String(repeating: "a: @x\n", count: 1000)
    #expect(DocumentReader.read(text, named: "a.yaml").diagnostics.count <= 25)
  }

  @Test func preservesTheSourceTextOfScalars() {
    let root = DocumentReader.read("a: 007\nb: ~\nc: 1.50\nd: True\ne: 0x10\n", named: "a.yaml").document?.root
    #expect(["a", "b", "c", "d", "e"].map { root?[$0]?.scalarText } == ["007", "~", "1.50", "True", "0x10"])
    #expect(root?["e"]?.integer == 16)
  }

  @Test func reportsTheLocationsOfAnAliasAndItsContent() {
    let root = DocumentReader.read("a: &x {k: 1}\nb: *x\n", named: "a.yaml").document?.root
    #expect(root?["b"]?.extent == "2:4-2:6")
    #expect(root?["b"]?["k"]?.extent == "1:11-1:12")
  }
}
