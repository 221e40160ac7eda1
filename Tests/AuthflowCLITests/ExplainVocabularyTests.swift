import AuthflowCLI
import Documents
import OrderedCollections
import Testing

/// `authflow explain` for the keys of the schemas, and the first line of each entry.
@Suite struct ExplainVocabularyTests {
  @Test("explains every key of the published schemas", arguments: ["workflow", "scenarios", "directory", "settings"])
  func everyKey(kind: String) async throws {
    let schema = try await TerminalSession().run("schema", kind)
    let keys = Self.keys(in: try JSON(parsing: Array(schema.output.utf8)))
    #expect(keys.count > 3)
    let list = try await TerminalSession().run("explain", "--list", "--format", "json")
    var names: Set<String> = []
    for entry in try #require(JSON(parsing: Array(list.output.utf8)).array) {
      names.formUnion(([entry["name"]] + (entry["spellings"]?.array ?? [])).compactMap { $0?.string?.lowercased() })
    }
    for key in keys.sorted() { #expect(names.contains(key.lowercased()), "`\(key)` of the \(kind) schema") }
  }

  @Test(
    "explains the keys of workflows, scenarios, events, directories, and steps",
    arguments: [
      ("maxSteps", "workflow key"), ("matrix", "scenario key"), ("startsWith", "scenario key"),
      ("retryAfter", "simulated event key"), ("registersOnTheFly", "directory file key"),
      ("dependsOn", "step key"),
    ]) func oneKey(key: String, topic: String) async throws
  {
    let result = try await TerminalSession().run("explain", key)
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output.contains(topic), "\(result.output)")
  }

  @Test(
    "prints the recommended action or the summary below the name",
    arguments: [
      ("AADSTS50011", "Fix the app or ask an administrator: "), ("server_error", "Retry later: "),
      ("MSALErrorUserCanceled", "Expected: "), ("MSALErrorInteractionRequired", "Sign in interactively: "),
      ("slow_down", "Expected: "), ("maxSteps", "Maximum number of steps in a run"),
    ]) func firstLine(term: String, start: String) async throws
  {
    let result = try await TerminalSession().run("explain", term)
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count > 2 && lines[1].hasPrefix("  " + start), "\(result.output)")
  }

  /// Returns the names of all properties in a schema, including nested ones.
  private static func keys(in schema: JSON) -> Set<String> {
    var keys: Set<String> = []
    for (name, value) in schema.object ?? [:] {
      if name == "properties", let members = value.object {
        for (key, subschema) in members { keys.formUnion(Self.keys(in: subschema).union([key])) }
      } else {
        keys.formUnion(Self.keys(in: value))
      }
    }
    for element in schema.array ?? [] { keys.formUnion(Self.keys(in: element)) }
    return keys
  }
}
