import AuthflowCLI
import SimulatedWorld
import Testing

/// Commands on input that multiplies, and commands that are interrupted.
@Suite struct BudgetTests {
  static let doubling = "$" + String(repeating: "[*,*]", count: 24)
  static let nested = String(repeating: "[", count: 24) + String(repeating: "]", count: 24)

  @Test("a query that multiplies is an error at the segment that does", arguments: [[], ["--paths"]])
  func query(options: [String]) async throws {
    let session = try TerminalSession(files: ["x.json": Self.nested])
    let result = try await session.run(["query", Self.doubling, "x.json"] + options)
    #expect(result.status == .usageError)
    #expect(result.output == "")
    #expect(result.error.contains("the query selects more than 500,000 nodes"), "\(result.error)")
    #expect(result.error.contains("jsonpath-budget"))
    #expect(result.error.contains("<path>:1:92"), "\(result.error)")
    #expect(result.error.contains("narrow the query"))
  }

  @Test("a query whose result is too large is an error, though it selects few nodes")
  func output() async throws {
    let text = String(repeating: "x", count: 1 << 20)
    let session = try TerminalSession(files: ["x.json": "[\"\(text)\"]"])
    let most = try await session.run("query", "$[\(Array(repeating: "0", count: 15).joined(separator: ","))]", "x.json")
    #expect(most.status == .success)
    let result = try await session.run(
      "query", "$[\(Array(repeating: "0", count: 17).joined(separator: ","))]", "x.json")
    #expect(result.status == .usageError)
    #expect(result.output == "")
    #expect(result.error.contains("the query selects more than 16,777,216 bytes of text"), "\(result.error)")
  }

  static func interrupted(_ session: TerminalSession, _ arguments: String...) async throws -> TerminalSession.Result {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await session.run(arguments)
    }
    return try await task.value
  }

  @Test("an interrupted validation reports no findings and changes no file")
  func validate() async throws {
    let files = ["S.yaml": "AppID: 6731de76-14a6-49ae-97bc-6eba6914391e\n"]
    let session = try TerminalSession(files: files)
    #expect(try await session.run("validate", "S.yaml").status != .interrupted)
    let result = try await Self.interrupted(session, "validate", "S.yaml")
    #expect(result.status == .interrupted)
    #expect(result.output == "")
    #expect(result.error == "interrupted: the findings are not complete\n")
    let fixed = try await Self.interrupted(session, "validate", "S.yaml", "--fix")
    #expect(fixed.status == .interrupted)
    #expect(fixed.error == "interrupted: nothing was changed\n")
    #expect(session.files.text("S.yaml") == files["S.yaml"])
    let listed = try await Self.interrupted(session, "validate", ".", "--list-files")
    #expect(listed.status == .interrupted)
    #expect(listed.output == "")
  }

  @Test("an interrupted drawing is not written")
  func graph() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: "- wait: 1d\n"))
    let result = try await Self.interrupted(session, "graph", "w.yaml", "--output", "w.txt")
    #expect(result.status == .interrupted)
    #expect(session.files.text("w.txt") == nil)
  }
}
