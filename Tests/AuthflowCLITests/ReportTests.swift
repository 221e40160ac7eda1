import AuthflowCLI
import Documents
import Effects
import SimulatedWorld
import Testing

/// `authflow report`, and the HTML reports of `run`, `test`, and `merge`.
@Suite struct ReportTests {
  private static let steps = """
    - loadAccount
    - silent
    - interactive-fallback
    - callGraph: /me
    """

  private static func page(_ path: String, in session: TerminalSession) throws -> String {
    let page = try #require(session.files.text(path))
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"))
    return page
  }

  @Test func aRunAndItsTraceHaveTheSameReport() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: Self.steps))
    let run = try await session.run("run", "w.yaml", "--trace", "t.jsonl", "--report", "live.html")
    #expect(run.status == .success, "\(run.error)")
    let later = try await session.run("report", "t.jsonl", "--html", "later.html")
    #expect(later.status == .success, "\(later.error)")
    #expect(later.output == "")
    #expect(try Self.page("live.html", in: session) == Self.page("later.html", in: session))
    // An existing report can be overwritten.
    #expect(try await session.run("run", "w.yaml", "--report", "live.html").status == .success)
    #expect(try Self.page("live.html", in: session).contains("found"))
  }

  @Test func writesAReportForAFailedRun() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: "- {callGraph: /me/nothing}"))
    let run = try await session.run("run", "w.yaml", "--report", "r.html")
    #expect(run.status == .failed)
    #expect(try Self.page("r.html", in: session).contains("failed"))
  }

  @Test func doesNotWriteAReportForAnInvalidWorkflow() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: "- dance"))
    #expect(try await session.run("run", "w.yaml", "--report", "r.html").status == .usageError)
    #expect(session.files.text("r.html") == nil)
  }

  @Test(arguments: ["S.yaml", "", "-"]) func rejectsInvalidReportPaths(name: String) async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: Self.steps))
    let run = try await session.run("run", "w.yaml", "--report", name)
    #expect(run.status == .usageError)
    #expect(run.output == "", "the workflow ran")
    let message = name == "S.yaml" ? "S.yaml exists and is not an HTML page" : "`--report` requires a file"
    #expect(run.error.contains(message), "\(run.error)")
    #expect(session.files.text("S.yaml") == TerminalSession.plainSettings)
  }

  @Test func aRunContinuesIfItsReportCannotBeWritten() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: Self.steps))
    let run = try await session.run("run", "w.yaml", "--report", "S.yaml/r.html")
    #expect(run.status == .environmentFailure)
    #expect(run.output.contains("success  3 steps"))
    #expect(run.error.contains("error: "))
  }

  @Test func writesReportsForSuitesAndMergedResults() async throws {
    let scenarios = "scenarios: {first: {expect: {interactions: 1}}, second: {expect: {interactions: 2}}}\n"
    let session = try TerminalSession(files: TerminalSession.files(steps: Self.steps, scenarios))
    let suite = try await session.run("test", "w.yaml", "--report", "suite.html", "--json", "1.json")
    #expect(suite.status == .failed)
    let page = try Self.page("suite.html", in: session)
    #expect(page.contains("2 scenarios") && page.contains("authflow test w.yaml --filter"))
    #expect(try await session.run("merge", "1.json", "--report", "merged.html").status == .failed)
    #expect(try Self.page("merged.html", in: session).contains("2 scenarios"))
  }

  @Test func eachFormatRequiresASeparateFile() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: Self.steps))
    _ = try await session.run("run", "w.yaml", "--trace", "t.jsonl")
    let duplicate = try await session.run("report", "t.jsonl", "--html", "x", "--har", "x")
    #expect(duplicate.status == .usageError)
    #expect(duplicate.error.contains("two reports use the same file: x"))
    let overwriting = try await session.run("report", "t.jsonl", "--junit", "t.jsonl")
    #expect(overwriting.status == .usageError)
    #expect(overwriting.error.contains("would overwrite the trace: t.jsonl"))
    let printed = try await session.run("report", "t.jsonl", "--mermaid", "-")
    #expect(printed.status == .success)
    #expect(printed.output.hasPrefix("sequenceDiagram\n"))
    let partial = try await session.run("report", "t.jsonl", "--html", "no/such/folder/x", "--har", "ok.har")
    #expect(partial.status == .environmentFailure || session.files.text("no/such/folder/x") != nil)
    #expect(session.files.text("ok.har") != nil, "the other reports are still written")
  }

  @Test(arguments: ["", "{}", "not a trace", "[1]\n", "\u{FEFF}"]) func rejectsFilesThatAreNotTraces(text: String)
    async throws
  {
    let session = try TerminalSession(files: ["t.jsonl": text])
    let result = try await session.run("report", "t.jsonl", "--html", "x.html")
    #expect(result.status == .usageError)
    #expect(result.error.contains("t.jsonl"))
    #expect(session.files.text("x.html") == nil)
  }
}
