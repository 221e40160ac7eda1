import AuthflowCLI
import Documents
import Effects
import SimulatedWorld
import Testing

/// `authflow report`, and the pages that `run`, `test` and `merge` write.
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

  @Test func aRunAndItsTraceGiveOnePage() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: Self.steps))
    let run = try await session.run("run", "w.yaml", "--trace", "t.jsonl", "--report", "live.html")
    #expect(run.status == .success, "\(run.error)")
    let later = try await session.run("report", "t.jsonl", "--html", "later.html")
    #expect(later.status == .success, "\(later.error)")
    #expect(later.output == "")
    #expect(try Self.page("live.html", in: session) == Self.page("later.html", in: session))
    // A page may be written anew.
    #expect(try await session.run("run", "w.yaml", "--report", "live.html").status == .success)
    #expect(try Self.page("live.html", in: session).contains("found"))
  }

  @Test func aRunThatFailsHasItsPageToo() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: "- {callGraph: /me/nothing}"))
    let run = try await session.run("run", "w.yaml", "--report", "r.html")
    #expect(run.status == .failed)
    #expect(try Self.page("r.html", in: session).contains("failed"))
  }

  @Test func aRunThatDidNotBeginHasNone() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: "- dance"))
    #expect(try await session.run("run", "w.yaml", "--report", "r.html").status == .usageError)
    #expect(session.files.text("r.html") == nil)
  }

  @Test(arguments: ["S.yaml", "", "-"]) func whatIsNoPageIsNotWrittenOver(name: String) async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: Self.steps))
    let run = try await session.run("run", "w.yaml", "--report", name)
    #expect(run.status == .usageError)
    #expect(run.output == "", "nothing was run")
    #expect(run.error.contains(name == "S.yaml" ? "S.yaml is there and is no HTML page" : "--report names no file"))
    #expect(session.files.text("S.yaml") == TerminalSession.plainSettings)
  }

  @Test func aPageThatCannotBeWrittenIsToldAndTheRunStaysWhole() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: Self.steps))
    let run = try await session.run("run", "w.yaml", "--report", "S.yaml/r.html")
    #expect(run.status == .environmentFailure)
    #expect(run.output.contains("success  3 steps"))
    #expect(run.error.contains("error: "))
  }

  @Test func aSuiteAndItsMergedShardsHavePages() async throws {
    let scenarios = "scenarios: {first: {expect: {interactions: 1}}, second: {expect: {interactions: 2}}}\n"
    let session = try TerminalSession(files: TerminalSession.files(steps: Self.steps, scenarios))
    let whole = try await session.run("test", "w.yaml", "--report", "suite.html", "--json", "1.json")
    #expect(whole.status == .failed)
    let page = try Self.page("suite.html", in: session)
    #expect(page.contains("2 scenarios") && page.contains("authflow test w.yaml --filter"))
    #expect(try await session.run("merge", "1.json", "--report", "merged.html").status == .failed)
    #expect(try Self.page("merged.html", in: session).contains("2 scenarios"))
  }

  @Test func formsGoToTheirOwnFiles() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: Self.steps))
    _ = try await session.run("run", "w.yaml", "--trace", "t.jsonl")
    let twice = try await session.run("report", "t.jsonl", "--html", "x", "--har", "x")
    #expect(twice.status == .usageError)
    #expect(twice.error.contains("two forms are to be written to x"))
    let itself = try await session.run("report", "t.jsonl", "--junit", "t.jsonl")
    #expect(itself.status == .usageError)
    #expect(itself.error.contains("t.jsonl is the trace itself"))
    let printed = try await session.run("report", "t.jsonl", "--mermaid", "-")
    #expect(printed.status == .success)
    #expect(printed.output.hasPrefix("sequenceDiagram\n"))
    let one = try await session.run("report", "t.jsonl", "--html", "no/such/folder/x", "--har", "ok.har")
    #expect(one.status == .environmentFailure || session.files.text("no/such/folder/x") != nil)
    #expect(session.files.text("ok.har") != nil, "one that cannot be written must not cost the others")
  }

  @Test(arguments: ["", "{}", "not a trace", "[1]\n", "\u{FEFF}"]) func whatIsNoTraceIsSaidToBeNone(text: String)
    async throws
  {
    let session = try TerminalSession(files: ["t.jsonl": text])
    let result = try await session.run("report", "t.jsonl", "--html", "x.html")
    #expect(result.status == .usageError)
    #expect(result.error.contains("t.jsonl"))
    #expect(session.files.text("x.html") == nil)
  }
}
