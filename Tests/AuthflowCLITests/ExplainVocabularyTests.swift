import AuthflowCLI
import Documents
import OrderedCollections
import Testing

/// `authflow explain` covers the keys of all files, and begins each entry with what to do.
@Suite struct ExplainVocabularyTests {
  @Test("explains every key of the published schemas", arguments: ["workflow", "scenarios", "directory", "settings"])
  func everyKey(kind: String) async throws {
    let printed = try await TerminalSession().run("schema", kind)
    let keys = Self.keys(in: try JSON(parsing: Array(printed.output.utf8)))
    #expect(keys.count > 3)
    let list = try await TerminalSession().run("explain", "--list", "--format", "json")
    var known: Set<String> = []
    for entry in try #require(JSON(parsing: Array(list.output.utf8)).array) {
      known.formUnion(([entry["name"]] + (entry["spellings"]?.array ?? [])).compactMap { $0?.string?.lowercased() })
    }
    for key in keys.sorted() { #expect(known.contains(key.lowercased()), "`\(key)` of the \(kind) schema") }
  }

  @Test(
    "explains a key of each kind of file",
    arguments: [
      ("maxSteps", "key of a workflow"), ("matrix", "key of a scenario"), ("startsWith", "key of a scenario"),
      ("retryAfter", "key of a simulated event"), ("registersOnTheFly", "key of a directory file"),
      ("dependsOn", "key of a step"),
    ]) func oneKey(word: String, topic: String) async throws
  {
    let result = try await TerminalSession().run("explain", word)
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output.contains(topic), "\(result.output)")
  }

  @Test(
    "prints the verdict directly below the name",
    arguments: [
      ("AADSTS50011", "Fix the app or ask an administrator: "), ("server_error", "Retry later: "),
      ("MSALErrorUserCanceled", "Expected: "), ("MSALErrorInteractionRequired", "Sign in interactively: "),
      ("slow_down", "Expected: "), ("maxSteps", "How many steps a run may do"),
    ]) func firstLine(word: String, verdict: String) async throws
  {
    let result = try await TerminalSession().run("explain", word)
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count > 2 && lines[1].hasPrefix("  " + verdict), "\(result.output)")
  }

  /// The names below `properties`, at every depth.
  private static func keys(in schema: JSON) -> Set<String> {
    var keys: Set<String> = []
    for (name, value) in schema.object ?? [:] {
      if name == "properties", let members = value.object {
        for (key, inside) in members { keys.formUnion(Self.keys(in: inside).union([key])) }
      } else {
        keys.formUnion(Self.keys(in: value))
      }
    }
    for element in schema.array ?? [] { keys.formUnion(Self.keys(in: element)) }
    return keys
  }
}
