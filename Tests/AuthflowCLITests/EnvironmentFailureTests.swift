import AuthflowCLI
import Documents
import Effects
import SimulatedWorld
import Testing

/// Conditions outside a workflow: network failures, interrupts, and options that override the workflow's values.
@Suite struct EnvironmentFailureTests {
  static let signInSteps = "- loadAccount\n- silent\n- interactive-fallback\n- callGraph: /me"

  @Test func aLiveRunReportsAMissingNetworkAndUsesASeparateCache() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: Self.signInSteps))
    let emulated = try await session.run("run", "w.yaml")
    #expect(emulated.status == .success)
    let live = try await session.run("run", "w.yaml", "--platform", "live")
    #expect(live.status == .environmentFailure)
    #expect(live.output.contains("live service"))
    #expect(live.output.contains("offline"), "\(live.output)")
    #expect(
      live.output.contains("loadAccount  notFound"), "the live cache does not contain the emulator's account")
    #expect(live.output.contains("login.microsoftonline.com"), "\(live.output)")
    #expect(try await session.run("run", "w.yaml").output.contains("0 interactions"))
  }

  @Test(arguments: [
    (TransportFailure.cannotConnect("login.microsoftonline.com"), "error: cannot connect: login.microsoftonline.com"),
    (.timedOut("waiting for login.microsoftonline.com"), "error: timed out: waiting for login.microsoftonline.com"),
    (.proxy("status 407"), "error: proxy error: status 407"),
  ])
  func aNetworkFailureIsAnEnvironmentError(failure: TransportFailure, message: String) async throws {
    let session = try TerminalSession(
      files: TerminalSession.files(steps: Self.signInSteps),
      http: StubTransport { _ throws(TransportFailure) in throw failure })
    let run = try await session.run("run", "w.yaml", "--platform", "live")
    #expect(run.status == .environmentFailure, "\(run.output)")
    #expect(run.error.contains(message) && run.error.contains("\n  help: check "), "\(run.error)")
    let token = try await session.run("token", "--settings", "S.yaml", "--platform", "live")
    #expect(token.status == .environmentFailure && token.error.contains("\n  help: check "), "\(token.error)")
  }

  @Test func theCommandLineOverridesThePlatformOfTheWorkflow() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: Self.signInSteps, "platform: live\n"))
    let untrusted = try await session.run("run", "w.yaml")
    #expect(untrusted.status == .usageError && untrusted.output.isEmpty)
    #expect(untrusted.error.contains("(trust rule `live`)") && untrusted.error.contains("--platform live"))
    #expect(try await session.run("run", "w.yaml", "--platform", "live").output.contains("live service"))
    let emulated = try await session.run("run", "w.yaml", "--platform", "emulated")
    #expect(emulated.status == .success)
    #expect(emulated.output.contains("emulator"))
  }

  @Test func rejectsALongWaitOnTheLivePlatform() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: "- wait: 2h"))
    let result = try await session.run("run", "w.yaml", "--platform", "live")
    #expect(result.status == .failed)
    #expect(result.output.contains("a wait of 2h is too long"), "\(result.output)")
    let start = session.simulation.clock.now
    #expect(try await session.run("run", "w.yaml").status == .success)
    #expect(session.simulation.clock.now - start < .seconds(1), "the emulator uses virtual time")
  }

  @Test func reportsAMissingRecording() async throws {
    let session = try TerminalSession(
      files: TerminalSession.files(steps: Self.signInSteps, "platform: { replay: recording.jsonl }\n"))
    let result = try await session.run("run", "w.yaml")
    #expect(result.status == .usageError)
    #expect(result.error.contains("recording.jsonl: no such file"), "\(result.error)")
    #expect(result.error.contains("--record recording.jsonl"), "\(result.error)")
  }

  @Test func anInterruptedRunExitsWith130() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: Self.signInSteps))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await session.run("run", "w.yaml", "--trace", "out.jsonl")
    }
    let result = try await task.value
    #expect(result.status == .interrupted)
    #expect(result.status.rawValue == 130)
    // The trace is incomplete, but each of its lines is complete.
    let trace = session.files.text("out.jsonl") ?? ""
    #expect(trace.isEmpty || trace.hasSuffix("\n"))
  }

  @Test func exitStatusesHaveTheDocumentedValues() {
    let codes: [(ExitStatus, Int32)] = [
      (.success, 0), (.failed, 1), (.usageError, 2), (.environmentFailure, 3), (.interrupted, 130),
    ]
    for (status, code) in codes { #expect(status.rawValue == code) }
  }

  @Test func definitionsResolveBuildSettings() async throws {
    let settings = "AppId: $(APP_ID)\nGraphScopes: [User.Read]\nBundleId: ${PRODUCT_BUNDLE_IDENTIFIER}\n"
    let session = try TerminalSession(files: TerminalSession.files(steps: Self.signInSteps, settings: settings))
    let undefined = try await session.run("run", "w.yaml", "--fresh")
    #expect(undefined.status == .usageError)
    #expect(
      undefined.error.contains("APP_ID") && undefined.error.contains("PRODUCT_BUNDLE_IDENTIFIER"), "\(undefined.error)")
    let defined = try await session.run(
      "run", "w.yaml", "--fresh", "--define", "APP_ID=6731de76-14a6-49ae-97bc-6eba6914391e", "--define",
      "PRODUCT_BUNDLE_IDENTIFIER=com.contoso.defined")
    #expect(defined.status == .success, "\(defined.error)")
  }

  struct Redirect: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var lines: String
    var location: String
    var message: String
  }

  /// MSAL cannot create the application, so authflow does not run any step.
  @Test(arguments: [
    Redirect(
      testDescription: "an invalid redirect URI", lines: "RedirectUri: nonsense\n", location: "S.yaml:4:14: error:",
      message: "help:"),
    Redirect(
      testDescription: "another app's broker redirect URI",
      lines: "RedirectUri: msauth.com.other.app://auth\nPlatform: iOS\n", location: "S.yaml:4:14: error:",
      message: "-42011"),
  ]) func rejectsARedirectURIThatMSALRejects(redirect: Redirect) async throws {
    let settings = "AppId: 6731de76-14a6-49ae-97bc-6eba6914391e\nGraphScopes: [User.Read]\nBundleId: com.contoso.mine\n"
    let session = try TerminalSession(
      files: TerminalSession.files(steps: Self.signInSteps, settings: settings + redirect.lines))
    let result = try await session.run("run", "w.yaml", "--fresh", "--trace", "out.jsonl")
    #expect(result.status == .usageError)
    #expect(result.output == "")
    #expect(result.error.contains(redirect.location), "\(result.error)")
    #expect(result.error.contains(redirect.message), "\(result.error)")
    #expect(session.files.text("out.jsonl") == nil, "the run does not create a trace")
  }

  @Test func requestsUserReadIfTheSettingsContainNoScopes() async throws {
    let settings = "AppId: 6731de76-14a6-49ae-97bc-6eba6914391e\nBundleId: com.contoso.mine\n"
    let session = try TerminalSession(files: TerminalSession.files(steps: Self.signInSteps, settings: settings))
    let result = try await session.run("run", "w.yaml", "--fresh", "--verbose")
    #expect(result.status == .success, "\(result.error)\(result.output)")
    #expect(result.output.contains("User.Read"))
  }
}
