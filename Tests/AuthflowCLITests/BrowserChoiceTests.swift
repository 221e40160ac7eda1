import AuthflowCLI
import Testing

@Suite struct BrowserChoiceTests {
  @Test func thePagesOfTheEmbeddedPlatformAreInThisProcessOnly() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: ExternalValuesTests.pattern))
    let result = try await session.run("run", "w.yaml", "--browser", "system")
    #expect(result.status == .usageError)
    #expect(result.error.contains("--browser system needs --platform live"), "\(result.error)")
    #expect(result.output.isEmpty, "nothing was run")
  }

  @Test(
    "accepts the documented redirect URI of the system browser",
    arguments: [
      ["run", "w.yaml", "--browser", "system"], ["token", "--settings", "S.yaml", "--browser", "system"],
      ["run", "w.yaml", "--print-url"],
    ]) func loopbackRedirect(arguments: [String]) async throws
  {
    let settings = TerminalSession.plainSettings + "RedirectUri: http://localhost\n"
    let session = try TerminalSession(
      files: TerminalSession.files(steps: ExternalValuesTests.pattern, settings: settings))
    // There is no network. The run gets that far because MSAL's check of the redirect URI does not apply.
    let live = try await session.run(arguments + ["--platform", "live"])
    #expect(live.status == .environmentFailure, "\(live.error)")
    #expect(!live.error.contains("invalid-redirect-uri"))
    let simulated = try await session.run(
      arguments.filter { !["--browser", "system", "--print-url"].contains($0) } + ["--platform", "live"])
    #expect(simulated.status == .usageError && simulated.error.contains("invalid-redirect-uri"), "\(simulated.error)")
  }

  @Test(arguments: [
    (["--print-url"], "--print-url needs --platform live"), (["--paste"], "--paste needs --platform live"),
    (["--paste", "--browser", "none", "--platform", "live"], "--paste does not go with --browser none"),
  ]) func waysToABrowserAreWaysToAUsersOwn(arguments: [String], words: String) async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: ExternalValuesTests.pattern))
    let result = try await session.run(["run", "w.yaml"] + arguments)
    #expect(result.status == .usageError && result.error.contains(words), "\(result.error)")
    #expect(result.output.isEmpty, "nothing was run")
  }
}
