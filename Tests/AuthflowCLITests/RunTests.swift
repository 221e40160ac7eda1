import AuthflowCLI
import Documents
import Effects
import SimulatedWorld
import Testing

/// `authflow run`: terminal output, exit codes, and written files.
@Suite struct RunTests {
  /// A signed token. Its header and payload are Base64-encoded JSON objects, which begin with `eyJ`.
  private static var token: Regex<Substring> { /eyJ[A-Za-z0-9_-]+\.eyJ/ }

  @Test func runsTheMainWorkflow() async throws {
    let session = try TerminalSession(shipped: true)
    let result = try await session.run("run", "Workflows/me.yaml")
    #expect(result.status == .success)
    #expect(result.error == "")
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "Read my profile  Workflows/me.yaml, emulator")
    func line(_ step: String) -> Int? { lines.firstIndex { $0.contains(" \(step)  ") } }
    let steps = ["loadAccount", "interactive-fallback", "callGraph", "signout"].map(line)
    #expect(steps.compactMap { $0 } == steps.compactMap { $0 }.sorted())
    #expect(!steps.contains(nil), "\(result.output)")
    #expect(result.output.contains("Megan Bowen"))
    #expect(result.output.contains("megan@contoso.com"))
    #expect(result.output.contains("4 steps, 1 interaction"))
    #expect(!result.output.contains("\u{1B}"), "colors require a terminal")
  }

  @Test(arguments: [
    "calendar.json", "sign-out.plist", "multi-account.yaml", "incremental-consent.yaml", "b2c.yaml",
    "default-scope.yaml", "me.yaml", "errors/interaction-required.yaml",
  ]) func shippedWorkflowsDoNotWriteToStandardError(name: String) async throws {
    let result = try await TerminalSession(shipped: true).run("run", "Workflows/\(name)", "--fresh")
    #expect(result.status == .success, "\(result.output)\(result.error)")
    #expect(result.error == "")
    #expect(result.output.contains("\nsuccess  "))
  }

  @Test(arguments: ["calendar.json"]) func theSecondRunUsesTheTokenCache(name: String) async throws {
    let session = try TerminalSession(shipped: true)
    let first = try await session.run("run", "Workflows/\(name)")
    #expect(first.status == .success)
    #expect(first.output.contains("1 interaction"))
    let second = try await session.run("run", "Workflows/\(name)")
    #expect(second.status == .success)
    #expect(second.output.contains("0 interactions"))
    #expect(second.output.contains("from the cache"))
    #expect(second.output.contains("interactive-fallback  skipped"))
  }

  @Test func reportsAMissingBrowser() async throws {
    let session = try TerminalSession(shipped: true)
    let result = try await session.run("run", "Workflows/me.yaml", "--browser", "none")
    #expect(result.status == .failed)
    #expect(result.output.contains("noViewController"))
    #expect(result.output.contains("browser"))
    #expect(!result.output.contains("callGraph  success"))
    #expect(result.output.contains("the workflow ended with noViewController at interactive-fallback"))
  }

  @Test func theTraceIsInJSONLinesFormat() async throws {
    let session = try TerminalSession(shipped: true)
    let result = try await session.run("run", "Workflows/me.yaml", "--fresh", "--trace", "out.jsonl")
    #expect(result.status == .success)
    let text = try #require(session.files.text("out.jsonl"))
    #expect(text.hasSuffix("\n"))
    let events = try text.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
    #expect(events.map { $0["seq"]?.integer } == (1...Int64(events.count)).map { $0 })
    #expect(events.first?["kind"]?.string == "run.started")
    #expect(events.last?["kind"]?.string == "run.finished")
    #expect(events.last?["outcome"]?.string == "success")
    #expect(events.allSatisfy { $0["time"]?.string?.count == 27 })
    #expect(!text.contains("Fake-Megan-1"))
    #expect(text.firstMatch(of: Self.token) == nil, "the trace contains a token")
  }

  @Test func reportsAnUnwritableTraceBeforeTheRun() async throws {
    let session = try TerminalSession(shipped: true)
    let result = try await session.run("run", "Workflows/me.yaml", "--trace", "no/such/folder/out.jsonl")
    #expect(result.status == .environmentFailure)
    #expect(result.error.contains("no/such/folder/out.jsonl"))
    #expect(result.output == "")
  }

  @Test func runsWithTheSameSeedHaveTheSameTrace() async throws {
    func trace() async throws -> String? {
      let session = try TerminalSession(shipped: true, seed: "same")
      _ = try await session.run("run", "Workflows/calendar.json", "--trace", "out.jsonl")
      return session.files.text("out.jsonl")
    }
    let first = try await trace()
    #expect(first != nil)
    #expect(try await trace() == first)
  }

  @Test func printsOnlyTheResultAsJSON() async throws {
    let session = try TerminalSession(shipped: true)
    let result = try await session.run("run", "Workflows/me.yaml", "--fresh", "--format", "json")
    #expect(result.status == .success)
    let json = try JSON(parsing: Array(result.output.utf8))
    #expect(json["succeeded"]?.bool == true)
    #expect(json["outcome"]?.string == "success")
    #expect(
      json["path"] == [
        "loadAccount.notFound", "interactive-fallback.success", "callGraph.success", "signout.success",
      ])
    #expect(json["interactions"]?.integer == 1)
  }

  @Test func selectsTheSimulatedUser() async throws {
    let session = try TerminalSession(shipped: true)
    let adele = try await session.run("run", "Workflows/me.yaml", "--fresh", "--user", "adele@contoso.com")
    #expect(adele.status == .success)
    #expect(adele.output.contains("Adele Vance"))
    let dora = try await session.run("run", "Workflows/me.yaml", "--fresh", "--user", "dora@contoso.com")
    #expect(dora.status == .failed)
    #expect(dora.output.contains("AADSTS50057"))
  }

  @Test func validatesInputs() async throws {
    let session = try TerminalSession(
      files: TerminalSession.files(
        steps: "- assert: { top: 7 }", "inputs: { top: { type: integer, default: 5 } }\n"))
    #expect(try await session.run("run", "w.yaml", "--set", "top=7").status == .success)
    #expect(try await session.run("run", "w.yaml").status == .failed)
    for (setting, text) in [
      ("top=many", "integer"), ("tpo=7", "did you mean `top`?"), ("top", "--set NAME=VALUE"),
    ] {
      let result = try await session.run("run", "w.yaml", "--set", setting)
      #expect(result.status == .usageError, "\(setting)")
      #expect(result.error.contains(text), "\(result.error)")
      #expect(result.output == "")
    }
  }

  @Test func reportsAMissingRequiredInput() async throws {
    let session = try TerminalSession(
      files: TerminalSession.files(
        steps: "- assert: { who: { exists: true } }", "inputs: { who: { type: string, required: true } }\n"))
    let result = try await session.run("run", "w.yaml")
    #expect(result.status == .usageError)
    #expect(result.error.contains("--set who="), "\(result.error)")
    #expect(try await session.run("run", "w.yaml", "--set", "who=me").status == .success)
  }

  @Test func aFailedExpectationStopsTheRun() async throws {
    let session = try TerminalSession(
      files: TerminalSession.files(
        steps: "- interactive: {}\n  expect: { account.username: alex@contoso.com }\n- deviceInfo"))
    let result = try await session.run("run", "w.yaml")
    #expect(result.status == .failed)
    #expect(result.output.contains("alex@contoso.com"))
    #expect(result.output.contains("megan@contoso.com"))
    #expect(!result.output.contains("deviceInfo"))
  }

  @Test func anEndlessLoopReachesTheStepLimit() async throws {
    let session = try TerminalSession(
      files: TerminalSession.files(
        steps: "- { interactive: {}, on: { success: silent } }\n- { silent: {}, on: { success: silent } }"))
    let result = try await session.run("run", "w.yaml")
    #expect(result.status == .failed, "\(result.output)")
    #expect(result.output.contains("exhausted") && result.error.contains("[endless-loop]"), "\(result.error)")
  }

  @Test func aLoopWithAnUnusedExitReachesTheStepLimit() async throws {
    // The outcome that leaves the loop never occurs, which validation cannot detect.
    let session = try TerminalSession(
      files: TerminalSession.files(
        steps: "- interactive\n- { silent: {}, on: { success: silent, offline: end } }", "maxSteps: 20\n"))
    let result = try await session.run("run", "w.yaml")
    #expect(result.status == .failed)
    #expect(result.output.contains("exhausted"))
    #expect(result.output.contains("the limit of 20 steps"))
  }

  // MARK: Step by step

  @Test(arguments: [("q", 0), ("", 4)]) func promptsBeforeEachStep(input: String, performed: Int) async throws {
    let console = BufferedConsole(input: input == "q" ? ["q"] : ["", "", "", "", ""])
    let session = try TerminalSession(shipped: true, console: console)
    let result = try await session.run("run", "Workflows/me.yaml", "--fresh", "--step")
    #expect(result.error.contains("next: loadAccount"))
    #expect(result.status == (performed == 0 ? .failed : .success))
    #expect(result.output.contains("\(performed) steps") || result.output.contains("stopped"))
  }

  @Test func promptCommandsShowDetailsOfTheRun() async throws {
    let commands = ["now", "", "why", "n", "", "n", "c", "nonsense", "?", "go"]
    let session = try TerminalSession(shipped: true, console: BufferedConsole(input: commands))
    let result = try await session.run("run", "Workflows/me.yaml", "--fresh", "--step")
    #expect(result.status == .success)
    let prompts = result.error.split(separator: "next: ", omittingEmptySubsequences: false).map(String.init)
    try #require(prompts.count == 11)
    #expect(prompts[1].hasPrefix("loadAccount"))
    #expect(prompts[1].contains("→ notFound: falls back to interactive-fallback\n"))
    #expect(prompts[1].contains("no account is signed in\n"))
    #expect(prompts[2].hasPrefix("loadAccount"))
    #expect(prompts[3].contains("loadAccount  notFound"))
    #expect(
      prompts[3].contains(
        "next step: interactive-fallback: default of loadAccount: notFound → fallback interactive-fallback"))
    #expect(prompts[4].contains("→ success: continues with callGraph\n"))
    #expect(prompts[6].hasPrefix("callGraph"))
    #expect(prompts[6].contains("\nmegan@contoso.com  Megan Bowen\n"))
    #expect(prompts[6].contains("access token for"))
    #expect(prompts[7].contains("RefreshToken (1)\n"))
    #expect(prompts[7].contains("secret: ‹refresh token›\n"))
    #expect(prompts[8].contains("unknown command `nonsense`"))
    #expect(prompts[9].contains("Enter   perform the step"))
    #expect(result.output.contains("success  4 steps"))
    #expect(result.error.firstMatch(of: Self.token) == nil)
  }

  @Test func stopsAtThePromptIfTheInputEnds() async throws {
    let session = try TerminalSession(shipped: true, console: BufferedConsole(input: [""]))
    let result = try await session.run("run", "Workflows/me.yaml", "--fresh", "--step")
    #expect(result.status == .failed)
    #expect(result.output.contains("stopped"))
    #expect(result.error.contains("next: interactive-fallback"))
  }

  @Test func showsADeviceCodeSignInOnATerminal() async throws {
    let console = BufferedConsole(terminals: [.output, .error], width: 80)
    let session = try TerminalSession(
      files: TerminalSession.files(steps: "- deviceCode"), variables: ["LANG": "C.UTF-8"], console: console)
    let result = try await session.run("run", "w.yaml", "--fresh")
    #expect(result.status == .success)
    // The report remains after the progress display below it is overwritten.
    #expect(result.output.contains("deviceCode"))
    // authflow does not print a QR code, because a real device cannot open the emulator's page.
    #expect(!result.output.contains("█"))
  }

  @Test func verboseOutputContainsRequestsAndResponses() async throws {
    let session = try TerminalSession(shipped: true)
    let plain = try await session.run("run", "Workflows/me.yaml", "--fresh")
    let verbose = try await session.run("run", "Workflows/me.yaml", "--fresh", "--verbose")
    #expect(verbose.output.contains("GET https://graph.microsoft.com/v1.0/me"))
    #expect(!plain.output.contains("GET https://graph.microsoft.com/v1.0/me"))
    #expect(verbose.output.contains("returned 200"))
    #expect(verbose.output.firstMatch(of: Self.token) == nil)
  }

  // MARK: The terminal

  struct Terminal: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var terminals: Set<ConsoleStream> = [.output, .error]
    var variables: [String: String] = ["LANG": "en_US.UTF-8"]
    var hasColor: Bool
    var isASCII: Bool
  }

  @Test(arguments: [
    Terminal(testDescription: "a terminal", hasColor: true, isASCII: false),
    Terminal(
      testDescription: "NO_COLOR", variables: ["LANG": "C.UTF-8", "NO_COLOR": "1"], hasColor: false, isASCII: false),
    Terminal(
      testDescription: "an empty NO_COLOR", variables: ["LANG": "C.UTF-8", "NO_COLOR": ""], hasColor: true,
      isASCII: false),
    Terminal(
      testDescription: "a dumb terminal", variables: ["LANG": "C.UTF-8", "TERM": "dumb"], hasColor: false,
      isASCII: false),
    Terminal(testDescription: "no UTF-8", variables: ["LANG": "C"], hasColor: true, isASCII: true),
    Terminal(
      testDescription: "LC_ALL overrides LANG", variables: ["LANG": "en_US.UTF-8", "LC_ALL": "C"], hasColor: true,
      isASCII: true),
    Terminal(testDescription: "a pipe", terminals: [], variables: ["LANG": "C"], hasColor: false, isASCII: false),
  ]) func usesColorAndUnicodeIfTheTerminalSupportsThem(terminal: Terminal) async throws {
    let session = try TerminalSession(
      shipped: true, variables: terminal.variables, console: BufferedConsole(terminals: terminal.terminals, width: 80)
    )
    let result = try await session.run("run", "Workflows/me.yaml", "--fresh")
    #expect(result.status == .success)
    #expect(result.output.contains("\u{1B}[") == terminal.hasColor)
    #expect(result.output.contains("✓") == !terminal.isASCII)
    if terminal.isASCII { #expect(result.output.utf8.allSatisfy { $0 < 0x80 }, "\(result.output)") }
  }

  @Test(arguments: [40, 60, 80]) func wrapsLinesToTheWidthOfTheTerminal(width: Int) async throws {
    let session = try TerminalSession(
      shipped: true, variables: ["LANG": "C.UTF-8", "NO_COLOR": "1"],
      console: BufferedConsole(terminals: [.output], width: width))
    let result = try await session.run("run", "Workflows/me.yaml", "--fresh")
    let long = result.output.split(separator: "\n").filter { $0.count > width && $0.contains(" ") }
    // A word that is longer than the line, such as a cache key, is on its own line.
    #expect(long.allSatisfy { line in line.drop { $0 == " " }.split(separator: " ").count == 1 }, "\(long)")
  }
}
