import AuthflowCLI
import Documents
import Effects
import SimulatedWorld
import Testing

/// `authflow run --record` and `--platform replay:FILE`.
@Suite struct RecordingTests {
  static let event: Set<String> = [
    "adal-migration.yaml", "b2b-guest.yaml", "claims-challenge.yaml", "declined-scopes.yaml",
    "errors/interaction-required.yaml", "forgotten-consent.yaml", "multi-account.yaml", "outage.yaml",
    "throttled.yaml",
  ]
  static let replayable = [
    "b2c.yaml", "calendar.json", "default-scope.yaml", "device-code.yaml", "family.yaml", "incremental-consent.yaml",
    "me.yaml", "national-cloud.yaml", "shared-device.yaml", "sign-out.plist", "conformance/userinfo.yaml",
    "conformance/refresh-token.yaml", "conformance/rp-init-logout.yaml", "conformance/idtoken-sig-rs256.yaml",
  ]

  @Test(arguments: replayable) func aShippedWorkflowGoesTheSameWayOnItsRecordingAYearLater(name: String) async throws {
    let session = try TerminalSession(shipped: true)
    let first = try await session.run("run", "Workflows/\(name)", "--record", "t.jsonl", "--format", "json")
    #expect(first.status == .success, "\(first.output)\(first.error)")
    #expect(first.error == "")
    let clock = session.simulation.clock
    try await session.simulation.run { try await clock.sleep(for: .seconds(400 * 86_400)) }
    let again = try await session.run("run", "Workflows/\(name)", "--platform", "replay:t.jsonl", "--format", "json")
    #expect(again.status == .success, "\(again.error)")
    #expect(again.error == "")
    #expect(again.output == first.output)
    // Neither of them keeps anything.
    #expect(!session.files.paths.contains { $0.hasPrefix(TerminalSession.state) })
  }

  @Test(arguments: event.sorted()) func whatCannotHappenInARecordingIsRefusedBeforeAnythingRuns(name: String)
    async throws
  {
    let session = try TerminalSession(shipped: true)
    let first = try await session.run("run", "Workflows/\(name)", "--record", "t.jsonl")
    #expect(first.status == .success, "\(first.output)\(first.error)")
    let again = try await session.run("run", "Workflows/\(name)", "--platform", "replay:t.jsonl")
    #expect(again.status == .usageError)
    #expect(again.output == "")
    #expect(again.error.contains("cannot happen while a recording is played [simulate-on-live]"))
  }

  @Test func aRecordingOfARecordingIsARecording() async throws {
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

  @Test func aMissEndsInOneAndShowsTheNearest() async throws {
    let session = try TerminalSession(shipped: true)
    _ = try await session.run("run", "Workflows/me.yaml", "--record", "t.jsonl")
    let result = try await session.run("run", "Workflows/calendar.json", "--platform", "replay:t.jsonl")
    #expect(result.status == .failed)
    #expect(result.error.contains("t.jsonl:7:1: error: GET https://graph.microsoft.com/v1.0/me/calendarView is not in"))
    #expect(result.error.contains("[not-recorded]"))
    #expect(result.error.contains(#"path: "/v1.0/me/calendarView" was sent, the recording has "/v1.0/me""#))
    #expect(!result.output.contains("offline"))
  }

  @Test func whatNobodyAskedForIsToldOnRequest() async throws {
    let session = try TerminalSession(shipped: true)
    _ = try await session.run("run", "Workflows/me.yaml", "--record", "t.jsonl")
    let recording = try #require(session.files.text("t.jsonl"))
    let call = try #require(recording.split(separator: "\n").last)
    try session.files.replace("t.jsonl", with: Array((recording + call + "\n").utf8), privately: false)
    let quiet = try await session.run("run", "Workflows/me.yaml", "--platform", "replay:t.jsonl")
    #expect(quiet.error == "")
    let told = try await session.run("run", "Workflows/me.yaml", "--platform", "replay:t.jsonl", "-v")
    #expect(told.status == .success)
    #expect(told.error == "note: t.jsonl: not asked for: GET https://graph.microsoft.com/v1.0/me\n")
  }

  @Test func theWorkflowsOwnRecordingIsPlayedByRunAndTest() async throws {
    let steps = "- silent\n- interactive-fallback\n- callGraph: /me"
    let session = try TerminalSession(files: TerminalSession.files(steps: steps))
    _ = try await session.run("run", "w.yaml", "--record", "t.jsonl")
    let scenario = "scenarios: { one: { expect: { outcome: success } } }\n"
    let text = try #require(session.files.text("w.yaml"))
    try session.files.replace(
      "played.yaml", with: Array((text + "platform: { replay: t.jsonl }\n" + scenario).utf8), privately: false)
    let run = try await session.run("run", "played.yaml")
    #expect(run.status == .success, "\(run.error)")
    #expect(run.output.contains("replay platform"))
    let test = try await session.run("test", "played.yaml")
    #expect(test.status == .success, "\(test.output)\(test.error)")
    try session.files.remove("t.jsonl")
    #expect(try await session.run("test", "played.yaml").status != .success)
  }

  @Test func whatIsNoRecordingIsNeitherPlayedNorWrittenOver() async throws {
    let session = try TerminalSession(files: ["notes.txt": "dear diary\n"], shipped: true)
    let over = try await session.run("run", "Workflows/me.yaml", "--record", "notes.txt")
    #expect(over.status == .usageError)
    #expect(over.error.contains("notes.txt is there and is no recording"))
    #expect(session.files.text("notes.txt") == "dear diary\n")
    let played = try await session.run("run", "Workflows/me.yaml", "--platform", "replay:notes.txt")
    #expect(played.status == .usageError)
    #expect(played.error.contains("this is no recording"))
    let missing = try await session.run("run", "Workflows/me.yaml", "--platform", "replay:none.jsonl")
    #expect(missing.status == .usageError)
    _ = try await session.run("run", "Workflows/me.yaml", "--record", "t.jsonl")
    let itself = try await session.run(
      "run", "Workflows/me.yaml", "--platform", "replay:t.jsonl", "--record", "t.jsonl")
    #expect(itself.status == .usageError)
    #expect(try await session.run("run", "Workflows/me.yaml", "--platform", "replay:t.jsonl").status == .success)
    #expect(try await session.run("run", "Workflows/me.yaml", "--platform", "replay:").status == .usageError)
  }

  /// What is only typed or only named must not come onto the recording either, in no form.
  @Test func passwordsSeedsAndNamedSecretsStayOutOfTheRecording() async throws {
    let password = "Fake-Megan-1"
    let word = "open+sesame/42=Ab"
    let steps = """
      - interactive
      - callGraph: { get: "/users?$filter=displayName eq '${secret:WORD}'", headers: { x-word: "${secret:WORD}" } }
        on: { error: next, otherStatus: next, notFound: next, forbidden: next }
      - { id: fresh, silent: { forceRefresh: true } }
      """
    let session = try TerminalSession(
      files: [
        "S.yaml": TerminalSession.plainSettings,
        "w.yaml":
          "authflow: 1\nsettings: S.yaml\nuser: { username: megan@contoso.com, password: \(password) }\nsteps:\n"
          + steps.split(separator: "\n").map { "  \($0)\n" }.joined(),
      ], variables: ["WORD": word])
    let result = try await session.run("run", "w.yaml", "--record", "t.jsonl", "--secret", "WORD")
    #expect(result.status == .success, "\(result.output)\(result.error)")
    let recording = try #require(session.files.text("t.jsonl"))
    for form in [word, "open%2Bsesame%2F42%3DAb", "b3BlbitzZXNhbWUvNDI9QW", password, "RmFrZS1NZWdhbi0x"] {
      #expect(!recording.contains(form), "\(form)")
    }
    #expect(recording.contains("‹secret #1›"))
    #expect(recording.contains("‹refresh token #"))
    #expect(!recording.contains(/eyJ[A-Za-z0-9_-]+\.eyJ/))
    let replay = try await session.run("run", "w.yaml", "--platform", "replay:t.jsonl", "--secret", "WORD")
    #expect(replay.status == .success, "\(replay.output)\(replay.error)")
  }
}
