import AuthflowCLI
import Documents
import Effects
import SimulatedWorld
import Testing

/// `authflow run --record` and `--platform replay:FILE`.
@Suite struct RecordingTests {
  static let simulating: Set<String> = [
    "adal-migration.yaml", "b2b-guest.yaml", "claims-challenge.yaml", "declined-scopes.yaml",
    "errors/interaction-required.yaml", "forgotten-consent.yaml", "multi-account.yaml", "outage.yaml",
    "throttled.yaml",
  ]
  static let replayable = [
    "b2c.yaml", "calendar.json", "default-scope.yaml", "device-code.yaml", "family.yaml", "incremental-consent.yaml",
    "me.yaml", "national-cloud.yaml", "shared-device.yaml", "sign-out.plist", "conformance/userinfo.yaml",
    "conformance/refresh-token.yaml", "conformance/rp-init-logout.yaml", "conformance/idtoken-sig-rs256.yaml",
  ]

  @Test(arguments: replayable) func replaysShippedWorkflowsWithTheSameResultAYearLater(name: String) async throws {
    let session = try TerminalSession(shipped: true)
    let first = try await session.run("run", "Workflows/\(name)", "--record", "t.jsonl", "--format", "json")
    #expect(first.status == .success, "\(first.output)\(first.error)")
    #expect(first.error == "")
    let clock = session.simulation.clock
    try await session.simulation.run { try await clock.sleep(for: .seconds(400 * 86_400)) }
    let replay = try await session.run("run", "Workflows/\(name)", "--platform", "replay:t.jsonl", "--format", "json")
    #expect(replay.status == .success, "\(replay.error)")
    #expect(replay.error == "")
    #expect(replay.output == first.output)
    // Neither of the runs saves its state.
    #expect(!session.files.paths.contains { $0.hasPrefix(TerminalSession.state) })
  }

  @Test(arguments: simulating.sorted()) func rejectsWorkflowsThatSimulateEvents(name: String)
    async throws
  {
    let session = try TerminalSession(shipped: true)
    let first = try await session.run("run", "Workflows/\(name)", "--record", "t.jsonl")
    #expect(first.status == .success, "\(first.output)\(first.error)")
    let replay = try await session.run("run", "Workflows/\(name)", "--platform", "replay:t.jsonl")
    #expect(replay.status == .usageError)
    #expect(replay.output == "")
    #expect(replay.error.contains("[simulate-on-live]"))
  }

  @Test func recordingAReplayCreatesAReplayableRecording() async throws {
    let session = try TerminalSession(shipped: true)
    _ = try await session.run("run", "Workflows/me.yaml", "--record", "one.jsonl")
    let second = try await session.run(
      "run", "Workflows/me.yaml", "--platform", "replay:one.jsonl", "--record", "two.jsonl")
    #expect(second.status == .success, "\(second.error)")
    #expect(try await session.run("run", "Workflows/me.yaml", "--platform", "replay:two.jsonl").status == .success)
    let two = try #require(session.files.text("two.jsonl"))
    #expect(two.contains(#""platform":"replay""#))
    #expect(!two.contains(/eyJ[A-Za-z0-9_-]+\.eyJ/))
  }

  @Test func reportsTheNearestRecordedRequestForAnUnrecordedRequest() async throws {
    let session = try TerminalSession(shipped: true)
    _ = try await session.run("run", "Workflows/me.yaml", "--record", "t.jsonl")
    let result = try await session.run("run", "Workflows/calendar.json", "--platform", "replay:t.jsonl")
    #expect(result.status == .failed)
    #expect(result.error.contains("t.jsonl:7:1: error: `GET https://graph.microsoft.com/v1.0/me/calendarView`"))
    #expect(result.error.contains("[not-recorded]"))
    #expect(result.error.contains("path: sent `/v1.0/me/calendarView`, recorded `/v1.0/me`"))
    #expect(!result.output.contains("offline"))
  }

  @Test func verboseOutputListsUnusedResponses() async throws {
    let session = try TerminalSession(shipped: true)
    _ = try await session.run("run", "Workflows/me.yaml", "--record", "t.jsonl")
    let recording = try #require(session.files.text("t.jsonl"))
    let call = try #require(recording.split(separator: "\n").last)
    try session.files.replace("t.jsonl", with: Array((recording + call + "\n").utf8), privately: false)
    let quiet = try await session.run("run", "Workflows/me.yaml", "--platform", "replay:t.jsonl")
    #expect(quiet.error == "")
    let verbose = try await session.run("run", "Workflows/me.yaml", "--platform", "replay:t.jsonl", "-v")
    #expect(verbose.status == .success)
    #expect(verbose.error == "note: t.jsonl: unused response: GET https://graph.microsoft.com/v1.0/me\n")
  }

  @Test func runAndTestReplayTheRecordingOfTheWorkflow() async throws {
    let steps = "- silent\n- interactive-fallback\n- callGraph: /me"
    let session = try TerminalSession(files: TerminalSession.files(steps: steps))
    _ = try await session.run("run", "w.yaml", "--record", "t.jsonl")
    let scenario = "scenarios: { one: { expect: { outcome: success } } }\n"
    let text = try #require(session.files.text("w.yaml"))
    try session.files.replace(
      "replay.yaml", with: Array((text + "platform: { replay: t.jsonl }\n" + scenario).utf8), privately: false)
    let run = try await session.run("run", "replay.yaml")
    #expect(run.status == .success, "\(run.error)")
    #expect(run.output.contains("replayed recording"))
    let test = try await session.run("test", "replay.yaml")
    #expect(test.status == .success, "\(test.output)\(test.error)")
    try session.files.remove("t.jsonl")
    #expect(try await session.run("test", "replay.yaml").status != .success)
  }

  @Test func rejectsFilesThatAreNotRecordings() async throws {
    let session = try TerminalSession(files: ["notes.txt": "some notes\n"], shipped: true)
    let recorded = try await session.run("run", "Workflows/me.yaml", "--record", "notes.txt")
    #expect(recorded.status == .usageError)
    #expect(recorded.error.contains("notes.txt exists and is not a recording"))
    #expect(session.files.text("notes.txt") == "some notes\n")
    let replayed = try await session.run("run", "Workflows/me.yaml", "--platform", "replay:notes.txt")
    #expect(replayed.status == .usageError)
    #expect(replayed.error.contains("[unusable-recording]"))
    let missing = try await session.run("run", "Workflows/me.yaml", "--platform", "replay:none.jsonl")
    #expect(missing.status == .usageError)
    _ = try await session.run("run", "Workflows/me.yaml", "--record", "t.jsonl")
    let overwriting = try await session.run(
      "run", "Workflows/me.yaml", "--platform", "replay:t.jsonl", "--record", "t.jsonl")
    #expect(overwriting.status == .usageError)
    #expect(try await session.run("run", "Workflows/me.yaml", "--platform", "replay:t.jsonl").status == .success)
    #expect(try await session.run("run", "Workflows/me.yaml", "--platform", "replay:").status == .usageError)
  }

  /// The test searches for each value in several encodings.
  @Test func recordingsDoNotContainPasswordsOrSecrets() async throws {
    let password = "Fake-Megan-1"
    let secret = "open+sesame/42=Ab"
    let steps = """
      - interactive
      - callGraph: { get: "/users?$filter=displayName eq '${secret:WORD}'", headers: { x-secret: "${secret:WORD}" } }
        on: { error: next, otherStatus: next, notFound: next, forbidden: next }
      - { id: fresh, silent: { forceRefresh: true } }
      """
    let session = try TerminalSession(
      files: [
        "S.yaml": TerminalSession.plainSettings,
        "w.yaml":
          "authflow: 1\nsettings: S.yaml\nuser: { username: megan@contoso.com, password: \(password) }\nsteps:\n"
          + steps.split(separator: "\n").map { "  \($0)\n" }.joined(),
      ], variables: ["WORD": secret])
    let result = try await session.run("run", "w.yaml", "--record", "t.jsonl", "--secret", "WORD")
    #expect(result.status == .success, "\(result.output)\(result.error)")
    let recording = try #require(session.files.text("t.jsonl"))
    for encoding in [secret, "open%2Bsesame%2F42%3DAb", "b3BlbitzZXNhbWUvNDI9QW", password, "RmFrZS1NZWdhbi0x"] {
      #expect(!recording.contains(encoding), "\(encoding)")
    }
    #expect(recording.contains("‹secret #1›"))
    #expect(recording.contains("‹refresh token #"))
    #expect(!recording.contains(/eyJ[A-Za-z0-9_-]+\.eyJ/))
    let replay = try await session.run("run", "w.yaml", "--platform", "replay:t.jsonl", "--secret", "WORD")
    #expect(replay.status == .success, "\(replay.output)\(replay.error)")
  }
}
