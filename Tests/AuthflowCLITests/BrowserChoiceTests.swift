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
}
