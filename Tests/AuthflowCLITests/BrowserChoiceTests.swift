import AuthflowCLI
import Testing

/// Tests the options `--browser`, `--print-url`, and `--paste`.
@Suite struct BrowserChoiceTests {
  @Test func systemBrowserRequiresTheLivePlatform() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: EnvironmentFailureTests.signInSteps))
    let result = try await session.run("run", "w.yaml", "--browser", "system")
    #expect(result.status == .usageError)
    #expect(result.error.contains("`--browser system` requires `--platform live`"), "\(result.error)")
    #expect(result.output.isEmpty, "no scenarios ran")
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
      files: TerminalSession.files(steps: EnvironmentFailureTests.signInSteps, settings: settings))
    // Network access fails in this session. The run sends a request only if authflow accepts the redirect URI.
    let live = try await session.run(arguments + ["--platform", "live"])
    #expect(live.status == .environmentFailure, "\(live.error)")
    #expect(!live.error.contains("invalid-redirect-uri"))
    let simulated = try await session.run(
      arguments.filter { !["--browser", "system", "--print-url"].contains($0) } + ["--platform", "live"])
    #expect(simulated.status == .usageError && simulated.error.contains("invalid-redirect-uri"), "\(simulated.error)")
  }

  @Test(arguments: [
    (["--print-url"], "`--print-url` requires `--platform live`"),
    (["--paste"], "`--paste` requires `--platform live`"),
    (["--paste", "--browser", "none", "--platform", "live"], "`--paste` and `--browser none` cannot be used together"),
  ]) func rejectsBrowserOptionsThatDoNotApply(arguments: [String], message: String) async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: EnvironmentFailureTests.signInSteps))
    let result = try await session.run(["run", "w.yaml"] + arguments)
    #expect(result.status == .usageError && result.error.contains(message), "\(result.error)")
    #expect(result.output.isEmpty, "no scenarios ran")
  }
}
