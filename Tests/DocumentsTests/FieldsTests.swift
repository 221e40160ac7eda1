import Diagnostics
import Documents
import Testing

private struct Sample: Sendable, Equatable {
  var name = ""
  var count: Int?
  var tags: [String] = []
  var others: [String] = []
}

private let fields = Fields<Sample>(
  "a sample",
  [
    Field("name", .nonEmptyString, into: { $0.name = $1 }, aliases: ["title"], required: true, "the name"),
    Field("count", .integer(in: 0...9), into: { $0.count = $1 }, default: 3, "how many"),
    Field("tags", .listOrOne(of: .string), into: { $0.tags = $1 }, "labels"),
  ],
  otherSchema: { ["type": "string"] }
) { key, value, owner, _ in
  guard let key = key.string, key.contains(".") else { return false }
  owner.others.append(key)
  return value.string != nil
}

private func read(_ json: String) -> (Sample, [Diagnostic]) {
  var sample = Sample()
  var problems = DiagnosticCollector()
  let reading = DocumentReader.read(Array(json.utf8), named: "t.json")
  problems.add(contentsOf: reading.diagnostics)
  if let root = reading.document?.root { _ = fields.read(root, into: &sample, &problems) }
  return (sample, problems.diagnostics)
}

@Suite struct FieldsTests {
  @Test func storesEveryKey() {
    let (sample, problems) = read(#"{"title": "x", "count": 4, "tags": "one", "a.b": "c"}"#)
    #expect(problems.isEmpty)
    #expect(sample == Sample(name: "x", count: 4, tags: ["one"], others: ["a.b"]))
  }

  @Test(
    arguments: [
      (#"{"name": "x", "cuont": 1}"#, "unknown-key", 1, 15, "did you mean `count`?"),
      (#"{"name": 7}"#, "wrong-type", 1, 10, "add quotes: `\"7\"`"),
      (#"{"name": "x", "count": 10}"#, "out-of-range", 1, 24, nil),
      (#"{"name": "  "}"#, "empty-value", 1, 10, nil), (#"{"count": 1}"#, "missing-key", 1, 1, nil),
      (#"[]"#, "wrong-type", 1, 1, nil),
      (#"{"name": "x", "tags": {"a": 1}}"#, "wrong-type", 1, 23, nil),
    ] as [(String, String, Int, Int, String?)])
  func reportsErrorsWithLocationAndHelp(json: String, rule: String, line: Int, column: Int, help: String?) throws {
    let (_, problems) = read(json)
    let problem = try #require(problems.first)
    #expect(problems.count == 1)
    #expect(problem.rule == rule)
    #expect(problem.place.start.line == line)
    #expect(problem.place.start.column == column)
    if let help { #expect(problem.help == help) }
  }

  @Test func reportsAnAliasInAdditionToItsKey() throws {
    let (sample, problems) = read(#"{"name": "x", "title": "y"}"#)
    #expect(sample.name == "x")
    let problem = try #require(problems.first)
    #expect(problem.rule == "duplicate-key")
    #expect(problem.related.first?.place.start.column == 2)
  }

  @Test func derivesTheSchemaFromTheFields() {
    let schema = fields.schema
    #expect(schema["properties"]?["count"]?["description"] == "how many")
    #expect(schema["properties"]?["count"]?["default"] == 3)
    #expect(schema["properties"]?["title"]?["description"] == "the name (alias of `name`)")
    #expect(AliasNote.key(in: "the name (alias of `name`)") == "name" && AliasNote.key(in: "the name") == nil)
    #expect(schema["additionalProperties"] == ["type": "string"])
    #expect(schema["allOf"]?[0]?["anyOf"]?[1]?["required"] == ["title"])
  }

  @Test func limitsSuggestionsForUnknownKeys() {
    let (_, problems) = read("{\"name\": \"x\", \((0..<300).map { "\"conut\($0)\": 1" }.joined(separator: ", "))}")
    #expect(problems.count == 300)
    #expect(problems.filter { $0.help != nil }.count == 100)
  }
}
