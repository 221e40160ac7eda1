import Documents
import JSONPath
import Testing

@Suite("Hostile queries and expressions")
struct HostileQueryTests {
  @Test(
    "limits nesting",
    arguments: [
      "$[?" + String(repeating: "(", count: 100_000) + "@.a", "$" + String(repeating: "[?@", count: 100_000),
      "$[?" + String(repeating: "length(", count: 100_000), "$[?" + String(repeating: "!", count: 100_000),
      "$[?" + String(repeating: "!(", count: 100_000),
    ])
  func nesting(selector: String) {
    #expect(throws: JSONPathSyntaxError.self) { try JSONPathQuery(parsing: selector) }
  }

  @Test("accepts a long query without nesting")
  func long() throws {
    let selector = "$" + String(repeating: ".a", count: 10_000)
    #expect(try JSONPathQuery(parsing: selector).values(in: ["a": 1] as JSON).isEmpty)
    let filter = "$[?" + Array(repeating: "@.a==1", count: 2_000).joined(separator: "||") + "]"
    #expect(try JSONPathQuery(parsing: filter).values(in: [["a": 1], ["a": 2]] as JSON) == [["a": 1]])
  }

  @Test("visits a deeply nested value without recursion")
  func deep() throws {
    var value: JSON = 1
    for _ in 0..<10_000 { value = .array([value]) }
    #expect(try JSONPathQuery(parsing: "$..*").values(in: value).count == 10_000)
  }

  @Test("evaluates an absolute query in a filter only once")
  func absolute() throws {
    let value: JSON = ["list": .array((0..<2_000).map { .integer($0) }), "last": 1_999]
    let query = try JSONPathQuery(parsing: "$.list[?@==value($..last)]")
    #expect(try query.values(in: value) == [1_999])
  }

  @Test(
    "reports the offset of errors in bytes",
    arguments: [
      ("$.é.1", 5), ("$['☺'", 1), ("$[?@.a==b]", 8), ("$.a[", 4), ("$[?(@.a]", 7), ("$[?length(@.a)]", 3),
    ])
  func offsets(selector: String, offset: Int) {
    #expect {
      try JSONPathQuery(parsing: selector)
    } throws: { error in
      (error as? JSONPathSyntaxError)?.offset == offset
    }
  }

  @Test(
    "suggests a fix in errors",
    arguments: [
      ("$.@odata.nextLink", "write `['@odata.nextLink']` without the dot"),
      ("$.value[0].my-key", "write `['my-key']` without the dot"),
      ("displayName", "write `$.displayName`"), ("$[name]", "write `['name']`"),
      ("$[(@.length-1)]", "use `[-1]` for the last element, or `?` to start a filter"), ("$.a.['b']", "remove the `.`"),
      ("$[?@.a==True]", "write `true`"), ("$[?@.a==Megan]", "write `@.Megan` for a member, or `'Megan'` for a string"),
      ("$[?length(@.a)]", "compare the result, such as `length(…) > 0`"),
    ])
  func help(selector: String, help: String) {
    #expect {
      try JSONPathQuery(parsing: selector)
    } throws: { error in
      (error as? JSONPathSyntaxError)?.help == help
    }
  }
}
