import Documents
import JSONPath
import Testing

@Suite("Query budgets")
struct QueryBudgetTests {
  /// Returns nested arrays. A query with two `..` visits each node once per ancestor.
  private func nested(_ depth: Int) -> JSON {
    var value: JSON = 1
    for _ in 0..<depth { value = .array([value]) }
    return value
  }

  private func budget(visits: Int = .max, nodes: Int = .max, output: Int = .max) -> QueryBudget {
    QueryBudget(visits: visits, nodes: nodes, output: output)
  }

  private func failure(_ query: String, in value: JSON, _ budget: QueryBudget) throws -> QueryFailure? {
    let query = try JSONPathQuery(parsing: query)
    do throws(QueryFailure) {
      _ = try query.values(in: value, within: budget)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the smallest visit budget that is sufficient for a query.
  private func visits(_ query: String, in value: JSON) throws -> Int {
    var (low, high) = (0, 1 << 24)
    while low < high {
      let middle = (low + high) / 2
      if try failure(query, in: value, budget(visits: middle)) == nil { high = middle } else { low = middle + 1 }
    }
    return low
  }

  @Test(
    "counts linear visits for a query that visits each node once",
    arguments: ["$..*", "$..a", "$..[0]", "$..[?@ > 1]", "$..[?search('abc', 'b+')]"])
  func linear(query: String) throws {
    let small = try visits(query, in: nested(200))
    let large = try visits(query, in: nested(400))
    #expect(large <= 2 * small + 10, "\(small), \(large)")
    #expect(small <= 200 * 12)
  }

  @Test("reports the segment that exceeds the visit budget")
  func excessiveVisits() throws {
    let failure = try failure("$..*..*", in: nested(900), budget(visits: 100_000))
    #expect(failure == .exceeded(.visits, of: 100_000, offset: 4))
    #expect(failure?.message == "visits more than 100,000 nodes")
    #expect(failure?.help?.contains("narrow the query") == true)
  }

  @Test("rejects a result with too many nodes", arguments: [("$..*..*", 1), ("$[*,*,*][*,*,*][*,*,*]", 15)])
  func excessiveNodes(query: String, offset: Int) throws {
    #expect(
      try failure(query, in: nested(100), budget(nodes: 20)) == .exceeded(.nodes, of: 20, offset: offset))
  }

  @Test("stops a query that would exhaust memory")
  func standard() throws {
    let doubling = "$" + String(repeating: "[*,*]", count: 24)
    let failure = try failure(doubling, in: nested(24), .standard)
    #expect(failure == .exceeded(.nodes, of: 500_000, offset: 1 + 5 * 18))
  }

  @Test("applies the same budget to all queries in filters")
  func filters() throws {
    let value: JSON = .array((0..<100).map { .integer($0) })
    let inner = try failure("$[?count($[*]) > 1]", in: value, budget(nodes: 50))
    #expect(inner == .exceeded(.nodes, of: 50, offset: 10))
    #expect(try failure("$[?$[*] && $[0:60]]", in: value, budget(nodes: 150)) != nil)
  }

  @Test("counts the nodes that comparisons of containers visit")
  func comparisons() throws {
    let wide: JSON = .array((0..<1_000).map { .integer($0) })
    let value: JSON = .array([wide, wide, wide, wide])
    #expect(try visits("$[?@ == $[0]]", in: value) > 4_000)
  }

  @Test("counts the steps of matching and compiling regular expressions")
  func patterns() throws {
    let text = String(repeating: "a", count: 10_000)
    #expect(try visits("$[?search(@, '(a|aa|aaa)+b')]", in: [.string(text)]) > 2_000)
    // Every element is a different pattern.
    let patterns: JSON = .array((0..<20).map { .string("(x|\($0)){5000}") })
    #expect(try visits("$[?match('x', @)]", in: patterns) > 10_000)
  }

  @Test("limits a regular expression outside a query")
  func expressions() throws {
    let expression = try IRegexp(parsing: "(a|b)*c")
    let text = String(repeating: "ab", count: 20_000)
    #expect(try !expression.matches(text))
    #expect(throws: QueryFailure.self) { try expression.matches(text, within: budget(visits: 1_000)) }
    #expect(throws: QueryFailure.self) { try expression.occurs(in: text, within: budget(visits: 1_000)) }
  }

  @Test("measures the size of paths and values as text")
  func output() throws {
    let value: JSON = ["a": .array([.string(String(repeating: "x", count: 100)), 2, .null])]
    let query = try JSONPathQuery(parsing: "$..*")
    var values = OutputMeter(of: query, budget: budget(output: 1_000))
    var paths = OutputMeter(of: query, budget: budget(output: 1_000))
    var count = 0
    #expect(throws: QueryFailure.exceeded(.output, of: 1_000, offset: 1)) {
      while true {
        try values.add(value)
        count += 1
      }
    }
    // The value has 140 bytes as text, plus a few more as a list element.
    #expect(count == 6)
    let path = try #require(try query.select(from: value).last?.normalizedPath)
    #expect(throws: QueryFailure.self) { for _ in 0..<500 { try paths.add(path) } }
  }

  @Test("stops a long query if the task is canceled")
  func canceled() async throws {
    let value = nested(300)
    let query = try JSONPathQuery(parsing: "$..*..*")
    let task = Task { () -> QueryFailure? in
      withUnsafeCurrentTask { $0?.cancel() }
      do throws(QueryFailure) {
        _ = try query.values(in: value)
        return nil
      } catch {
        return error
      }
    }
    #expect(await task.value == .canceled)
  }
}
