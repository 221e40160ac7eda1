import AuthflowCLI
import Testing

@Suite struct BrowserChoiceTests {
  @Test func thePagesOfTheEmbeddedPlatformAreInThisProcessOnly() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: SurroundingsTests.pattern))
    let result = try await session.run("run", "w.yaml", "--browser", "system")
    #expect(result.status == .unusable)
    #expect(result.error.contains("--browser system needs --platform live"), "\(result.error)")
    #expect(result.output.isEmpty, "nothing was run")
  }

  @Test(arguments: [
    (["--print-url"], "--print-url needs --platform live"), (["--paste"], "--paste needs --platform live"),
    (["--paste", "--browser", "none", "--platform", "live"], "--paste does not go with --browser none"),
  ]) func waysToABrowserAreWaysToAPersonsOwn(arguments: [String], words: String) async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: SurroundingsTests.pattern))
    let result = try await session.run(["run", "w.yaml"] + arguments)
    #expect(result.status == .unusable && result.error.contains(words), "\(result.error)")
    #expect(result.output.isEmpty, "nothing was run")
  }
}
