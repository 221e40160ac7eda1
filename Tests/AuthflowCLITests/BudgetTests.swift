import AuthflowCLI
import SimulatedWorld
import Testing

/// Limits on query results, and interrupted commands.
@Suite struct BudgetTests {
  static let doublingQuery = "$" + String(repeating: "[*,*]", count: 24)
  static let nestedArrays = String(repeating: "[", count: 24) + String(repeating: "]", count: 24)

  @Test("reports the segment at which a query exceeds the node limit", arguments: [[], ["--paths"]])
  func query(options: [String]) async throws {
    let session = try TerminalSession(files: ["x.json": Self.nestedArrays])
    let result = try await session.run(["query", Self.doublingQuery, "x.json"] + options)
    #expect(result.status == .usageError)
    #expect(result.output == "")
    #expect(result.error.contains("the query selects more than 500,000 nodes"), "\(result.error)")
    #expect(result.error.contains("jsonpath-budget"))
    #expect(result.error.contains("<path>:1:92"), "\(result.error)")
    #expect(result.error.contains("narrow the query"))
  }

  @Test("rejects a query that selects few nodes with too much text")
  func output() async throws {
    let text = String(repeating: "x", count: 1 << 20)
    let session = try TerminalSession(files: ["x.json": "[\"\(text)\"]"])
    let largest = try await session.run(
      "query", "$[\(Array(repeating: "0", count: 15).joined(separator: ","))]", "x.json")
    #expect(largest.status == .success)
    let result = try await session.run(
      "query", "$[\(Array(repeating: "0", count: 17).joined(separator: ","))]", "x.json")
    #expect(result.status == .usageError)
    #expect(result.output == "")
    #expect(result.error.contains("the query selects more than 16,777,216 bytes of text"), "\(result.error)")
  }

  /// Runs a command in a task that is already canceled.
  static func runInterrupted(_ session: TerminalSession, _ arguments: String...) async throws -> TerminalSession.Result
  {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await session.run(arguments)
    }
    return try await task.value
  }

  @Test("an interrupted validation does not report findings or change files")
  func validate() async throws {
    let files = ["S.yaml": "AppID: 6731de76-14a6-49ae-97bc-6eba6914391e\n"]
    let session = try TerminalSession(files: files)
    #expect(try await session.run("validate", "S.yaml").status != .interrupted)
    let result = try await Self.runInterrupted(session, "validate", "S.yaml")
    #expect(result.status == .interrupted)
    #expect(result.output == "")
    #expect(result.error == "interrupted: the findings are incomplete\n")
    let fixed = try await Self.runInterrupted(session, "validate", "S.yaml", "--fix")
    #expect(fixed.status == .interrupted)
    #expect(fixed.error == "interrupted: no files were changed\n")
    #expect(session.files.text("S.yaml") == files["S.yaml"])
    let listed = try await Self.runInterrupted(session, "validate", ".", "--list-files")
    #expect(listed.status == .interrupted)
    #expect(listed.output == "")
  }

  @Test("an interrupted command does not write its diagram")
  func graph() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: "- wait: 1d\n"))
    let result = try await Self.runInterrupted(session, "graph", "w.yaml", "--output", "w.txt")
    #expect(result.status == .interrupted)
    #expect(session.files.text("w.txt") == nil)
  }
}
