import Documents
import JSONPath
import Testing

@Suite("Quoted names, escapes, and normalized paths (RFC 9535 §2.3.1, §2.7)")
struct StringLiteralTests {
  @Test(
    "evaluates escape sequences in names",
    arguments: QueryCase.table(
      #"""
      {"s":"$[\"\\b\\f\\n\\r\\t\\/\\\\\\\"'\"]","d":{"\b\f\n\r\t/\\\"'":1},"r":[1],"p":["$['\\b\\f\\n\\r\\t/\\\\\"\\'']"]}
      {"s":"$['\\b\\f\\n\\r\\t\\/\\\\\\'\"']","d":{"\b\f\n\r\t/\\'\"":1},"r":[1]}
      {"s":"$['\\u0061']","d":{"a":1},"r":[1],"p":["$['a']"]}
      {"s":"$['\\u263A']","d":{"☺":1},"r":[1]}
      {"s":"$['\\u263a']","d":{"☺":1},"r":[1]}
      {"s":"$['\\uD834\\uDD1E']","d":{"𝄞":1},"r":[1],"p":["$['𝄞']"]}
      {"s":"$['\\uD83D\\uDE00']","d":{"😀":1},"r":[1]}
      {"s":"$['\\u0000']","d":{"\u0000":1},"r":[1],"p":["$['\\u0000']"]}
      {"s":"$['\\u000B\\u001f']","d":{"\u000b\u001f":1},"r":[1],"p":["$['\\u000b\\u001f']"]}
      {"s":"$['\u007f']","d":{"\u007f":1},"r":[1],"p":["$['\u007f']"]}
      {"s":"$['\\uFFFE\\uFFFF']","d":{"\ufffe\uffff":1},"r":[1]}
      {"s":"$['a b']","d":{"a b":1},"r":[1]}
      {"s":"$['\"']","d":{"\"":1},"r":[1],"p":["$['\"']"]}
      {"s":"$[\"'\"]","d":{"'":1},"r":[1],"p":["$['\\'']"]}
      {"s":"$['\\\\']","d":{"\\":1},"r":[1],"p":["$['\\\\']"]}
      {"s":"$['@.$*[]?']","d":{"@.$*[]?":1},"r":[1]}
      """#))
  func escapes(_ query: QueryCase) throws { try query.check() }

  @Test(
    "rejects invalid names",
    arguments: QueryCase.selectors(
      #"""
      "$['\u0000']"
      "$['\u001f']"
      "$['\n']"
      "$[\"\t\"]"
      "$['\\a']"
      "$['\\0']"
      "$['\\x41']"
      "$['\\\"']"
      "$[\"\\'\"]"
      "$['\\u']"
      "$['\\u00']"
      "$['\\u004']"
      "$['\\u004g']"
      "$['\\U0041']"
      "$['\\uD800']"
      "$['\\uDC00']"
      "$['\\uD800\\uD800']"
      "$['\\uD83D\\u0041']"
      "$['\\uD83Dx']"
      "$['\\uD83D\\n']"
      "$['\\uDE00\\uD83D']"
      "$['\\']"
      "$['"
      "$[\""
      "$['\\"
      "$['a\"]"
      "$['''']"
      "$['a''b']"
      "$['\\u{41}']"
      """#))
  func malformed(_ selector: String) {
    #expect(throws: JSONPathSyntaxError.self) { try JSONPathQuery(parsing: selector) }
  }

  @Test("compares names by code points without normalization")
  func normalization() throws {
    let composed: JSON = ["\u{E9}": 1]
    #expect(try JSONPathQuery(parsing: "$['\u{E9}']").values(in: composed) == [1])
    #expect(try JSONPathQuery(parsing: "$['e\u{301}']").values(in: composed).isEmpty)
    #expect(try JSONPathQuery(parsing: "$[?@=='e\u{301}']").values(in: ["\u{E9}"] as JSON).isEmpty)
  }
}
