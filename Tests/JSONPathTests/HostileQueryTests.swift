import Documents
import JSONPath
import Testing

@Suite("Queries and expressions that mean harm")
struct HostileQueryTests {
  @Test(
    "nesting is bounded",
    arguments: [
      "$[?" + String(repeating: "(", count: 100_000) + "@.a", "$" + String(repeating: "[?@", count: 100_000),
      "$[?" + String(repeating: "length(", count: 100_000), "$[?" + String(repeating: "!", count: 100_000),
      "$[?" + String(repeating: "!(", count: 100_000),
    ])
  func nesting(selector: String) {
    #expect(throws: JSONPathSyntaxError.self) { try JSONPathQuery(parsing: selector) }
  }

  @Test("a long query is no deep query")
  func long() throws {
    let selector = "$" + String(repeating: ".a", count: 10_000)
    #expect(try JSONPathQuery(parsing: selector).values(in: ["a": 1] as JSON).isEmpty)
    let filter = "$[?" + Array(repeating: "@.a==1", count: 2_000).joined(separator: "||") + "]"
    #expect(try JSONPathQuery(parsing: filter).values(in: [["a": 1], ["a": 2]] as JSON) == [["a": 1]])
  }

  @Test("a deep value is walked without a deep stack")
  func deep() throws {
    var value: JSON = 1
    for _ in 0..<10_000 { value = .array([value]) }
    #expect(try JSONPathQuery(parsing: "$..*").values(in: value).count == 10_000)
  }

  @Test("an absolute query in a filter is run once, not for every node")
  func absolute() throws {
    let value: JSON = ["list": .array((0..<2_000).map { .integer($0) }), "last": 1_999]
    let query = try JSONPathQuery(parsing: "$.list[?@==value($..last)]")
    #expect(try query.values(in: value) == [1_999])
  }

  @Test(
    "errors say where, in bytes",
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
    "errors help",
    arguments: [
      ("$.@odata.nextLink", "write ['@odata.nextLink'] without the dot"),
      ("$.value[0].my-key", "write ['my-key'] without the dot"),
      ("displayName", "write $.displayName"), ("$[name]", "write ['name']"),
      ("$[(@.length-1)]", "the last element is [-1], a filter begins with ?"), ("$.a.['b']", "leave the dot out"),
      ("$[?@.a==True]", "write true"), ("$[?@.a==Megan]", "a member is written @.Megan, a text 'Megan'"),
      ("$[?length(@.a)]", "compare it: length(…) > 0"),
    ])
  func help(selector: String, help: String) {
    #expect {
      try JSONPathQuery(parsing: selector)
    } throws: { error in
      (error as? JSONPathSyntaxError)?.help == help
    }
  }
}
