import Diagnostics
import Documents
import Testing

struct YAMLTests {
  @Test(arguments: [
    ("a: é x\nb:\n  - 1\n  - \"q\\n\"\nc: |\n  lit\n  two\nd: !!str  12\ne:\nf: {a: 1,\n b: [x]}\n",
     #"{"a":"é x","b":[1,"q\n"],"c":"lit\ntwo\n","d":"12","e":null,"f":{"a":1,"b":["x"]}}"#),
    ("a: &x [1, {b: 2}]\nc: *x\nd: &y text\ne: *y\n", #"{"a":[1,{"b":2}],"c":[1,{"b":2}],"d":"text","e":"text"}"#),
    ("- yes\n- on\n- 0o17\n- 0x1F\n- 007\n- 1.\n- .5e3\n- ~\n- +12\n- 2001-01-01\n- 'true'\n- True\n",
     #"["yes","on",15,31,7,1,500,null,12,"2001-01-01","true",true]"#),
  ]) func readsValues(text: String, json: String) {
    let reading = DocumentReader.read(text, named: "a.yaml")
    #expect(reading.diagnostics.isEmpty)
    #expect(reading.document?.root.json.text(sortedKeys: false) == json)
  }

  @Test func collectsMistakes() {
    let reading = DocumentReader.read("a: 1\n\tb: 2\nc: \"x\nd: 3\ne: @x\nf: 1\n", named: "a.yaml")
    let said = reading.diagnostics.map { "\($0.place.start.line):\($0.place.start.column) \($0.message)" }
    #expect(said == [
      "2:1 a tab stands in the indentation", "3:4 a quoted string has no closing quote",
      "5:4 no value can begin with this character",
    ])
  }
}
