import AuthflowCLI
import Documents
import Effects
import SimulatedWorld
import Testing

/// What is outside: the network that is not there, the user who presses Ctrl-C, what the command line defines.
@Suite struct ExternalValuesTests {
  static let pattern = "- loadAccount\n- silent\n- interactive-fallback\n- callGraph: /me"

  @Test func liveWithoutANetworkSaysSoAndKeepsApart() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: Self.pattern))
    let emulated = try await session.run("run", "w.yaml")
    #expect(emulated.status == .success)
    let live = try await session.run("run", "w.yaml", "--platform", "live")
    #expect(live.status == .environmentFailure)
    #expect(live.output.contains("live platform"))
    #expect(live.output.contains("offline"), "\(live.output)")
    #expect(live.output.contains("loadAccount  notFound"), "the emulated account is not known there")
    #expect(live.output.contains("login.microsoftonline.com"), "\(live.output)")
    #expect(try await session.run("run", "w.yaml").output.contains("0 interactions"))
  }

  @Test(arguments: [
    (TransportFailure.cannotConnect("login.microsoftonline.com"), "error: cannot connect: login.microsoftonline.com"),
    (.timedOut("waiting for login.microsoftonline.com"), "error: timed out: waiting for login.microsoftonline.com"),
    (.proxy("no way"), "error: the proxy refused: no way"),
  ])
  func aNetworkThatFailsIsTheSurroundingsDoing(failure: TransportFailure, words: String) async throws {
    let session = try TerminalSession(
      files: TerminalSession.files(steps: Self.pattern),
      http: StubTransport { _ throws(TransportFailure) in throw failure })
    let run = try await session.run("run", "w.yaml", "--platform", "live")
    #expect(run.status == .environmentFailure, "\(run.output)")
    #expect(run.error.contains(words) && run.error.contains("\n  help: check "), "\(run.error)")
    let token = try await session.run("token", "--settings", "S.yaml", "--platform", "live")
    #expect(token.status == .environmentFailure && token.error.contains("\n  help: check "), "\(token.error)")
  }

  @Test func theWorkflowsOwnPlatformIsOverruledByTheCommandLine() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: Self.pattern, "platform: live\n"))
    let unasked = try await session.run("run", "w.yaml")
    #expect(unasked.status == .usageError && unasked.output.isEmpty)
    #expect(unasked.error.contains("(trust rule `live`)") && unasked.error.contains("--platform live"))
    #expect(try await session.run("run", "w.yaml", "--platform", "live").output.contains("live platform"))
    let emulated = try await session.run("run", "w.yaml", "--platform", "emulated")
    #expect(emulated.status == .success)
    #expect(emulated.output.contains("emulated platform"))
  }

  @Test func aLongWaitIsRefusedOnTheLivePlatform() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: "- wait: 2h"))
    let result = try await session.run("run", "w.yaml", "--platform", "live")
    #expect(result.status == .failed)
    #expect(result.output.contains("a wait of 2h is too long"), "\(result.output)")
    let start = session.simulation.clock.now
    #expect(try await session.run("run", "w.yaml").status == .success)
    #expect(session.simulation.clock.now - start < .seconds(1), "virtual time costs nobody anything")
  }

  @Test func aRecordingThatIsNotThereIsTold() async throws {
    let session = try TerminalSession(
      files: TerminalSession.files(steps: Self.pattern, "platform: { replay: recording.jsonl }\n"))
    let result = try await session.run("run", "w.yaml")
    #expect(result.status == .usageError)
    #expect(result.error.contains("recording.jsonl: no such file"), "\(result.error)")
    #expect(result.error.contains("--record recording.jsonl"), "\(result.error)")
  }

  @Test func whoIsInterruptedEndsWith130() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: Self.pattern))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await session.run("run", "w.yaml", "--trace", "out.jsonl")
    }
    let result = try await task.value
    #expect(result.status == .interrupted)
    #expect(result.status.rawValue == 130)
    // What was written until then is whole lines.
    let trace = session.files.text("out.jsonl") ?? ""
    #expect(trace.isEmpty || trace.hasSuffix("\n"))
  }

  @Test func theCodesAreThoseOfTheContract() {
    let codes: [(ExitStatus, Int32)] = [
      (.success, 0), (.failed, 1), (.usageError, 2), (.environmentFailure, 3), (.interrupted, 130),
    ]
    for (status, code) in codes { #expect(status.rawValue == code) }
  }

  @Test func buildSettingsAreFilledFromTheCommandLine() async throws {
    let settings = "AppId: $(APP_ID)\nGraphScopes: [User.Read]\nBundleId: ${PRODUCT_BUNDLE_IDENTIFIER}\n"
    let session = try TerminalSession(files: TerminalSession.files(steps: Self.pattern, settings: settings))
    let without = try await session.run("run", "w.yaml", "--fresh")
    #expect(without.status == .usageError)
    #expect(without.error.contains("APP_ID") && without.error.contains("PRODUCT_BUNDLE_IDENTIFIER"), "\(without.error)")
    let with = try await session.run(
      "run", "w.yaml", "--fresh", "--define", "APP_ID=6731de76-14a6-49ae-97bc-6eba6914391e", "--define",
      "PRODUCT_BUNDLE_IDENTIFIER=com.contoso.defined")
    #expect(with.status == .success, "\(with.error)")
  }

  struct Redirect: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var lines: String
    var place: String
    var words: String
  }

  /// The application object cannot be made at all: nothing is run.
  @Test(arguments: [
    Redirect(
      testDescription: "a redirect URI that is none", lines: "RedirectUri: nonsense\n", place: "S.yaml:4:14: error:",
      words: "help:"),
    Redirect(
      testDescription: "a broker's redirect URI of another app",
      lines: "RedirectUri: msauth.com.other.app://auth\nPlatform: iOS\n", place: "S.yaml:4:14: error:",
      words: "-42011"),
  ]) func anAppThatCannotBeMadeIsUnusable(redirect: Redirect) async throws {
    let settings = "AppId: 6731de76-14a6-49ae-97bc-6eba6914391e\nGraphScopes: [User.Read]\nBundleId: com.contoso.mine\n"
    let session = try TerminalSession(
      files: TerminalSession.files(steps: Self.pattern, settings: settings + redirect.lines))
    let result = try await session.run("run", "w.yaml", "--fresh", "--trace", "out.jsonl")
    #expect(result.status == .usageError)
    #expect(result.output == "")
    #expect(result.error.contains(redirect.place), "\(result.error)")
    #expect(result.error.contains(redirect.words), "\(result.error)")
    #expect(session.files.text("out.jsonl") == nil, "no partial file is written")
  }

  @Test func anAppThatAsksForNothingAsksForUserRead() async throws {
    let settings = "AppId: 6731de76-14a6-49ae-97bc-6eba6914391e\nBundleId: com.contoso.mine\n"
    let session = try TerminalSession(files: TerminalSession.files(steps: Self.pattern, settings: settings))
    let result = try await session.run("run", "w.yaml", "--fresh")
    #expect(result.status == .success, "\(result.error)\(result.output)")
    #expect(result.output.contains("User.Read"))
  }
}
