import AuthflowCLI
import Documents
import Effects
import SimulatedWorld
import Testing

@Suite struct ExploreCommandTests {
  static let files = TerminalSession.files(steps: "- deviceInfo\n- wait: 1d\n")

  @Test func whatIsThereIsShownAndProven() async throws {
    let result = try await TerminalSession(files: Self.files).run("explore", "w.yaml")
    #expect(result.status == .success, "\(result.error)")
    #expect(
      result.output == """
        w.yaml
        2 steps, 3 paths: 3 proven, 0 not forced on this platform, 0 different

        end in failure without a word about it
          deviceInfo  brokerNotAvailable

        paths
          ● deviceInfo ends in success → wait
          ● deviceInfo ends in brokerNotAvailable → failure
          ● wait ends in success → success

        """)
  }

  @Test func asDataItIsAPublishedForm() async throws {
    let result = try await TerminalSession(files: TerminalSession.files(steps: "- wait: 1d\n"))
      .run("explore", "w.yaml", "--format", "json")
    #expect(result.status == .success, "\(result.error)")
    #expect(
      result.output
        == #"{"different":0,"exploration":1,"file":"w.yaml","findings":[],"notForced":0,"paths":[{"entries":["wait.success"],"name":"wait ends in success","outcome":"success","proof":"proven","scenario":{"expect":{"path":["wait.success"]}},"step":"wait","to":"success"}],"places":1,"proven":1,"title":"w.yaml","unhandled":[],"whole":true}"#
        + "\n")
  }

  @Test func whatIsWrittenIsValidAndPasses() async throws {
    let files = TerminalSession.files(
      steps: "- loadAccount\n- silent\n- interactive-fallback\n- callGraph: /me # mine\n")
    let session = try TerminalSession(files: files)
    let written = try await session.run("explore", "w.yaml", "--write", "out.yaml")
    #expect(written.status == .success, "\(written.error)")
    #expect(written.error.contains("scenarios added"))
    let text = String(decoding: try session.files.read("out.yaml", limit: 1 << 20), as: UTF8.self)
    #expect(text.contains("- callGraph: /me # mine\n"))
    #expect(String(decoding: try session.files.read("w.yaml", limit: 1 << 20), as: UTF8.self) == files["w.yaml"])
    #expect(try await session.run("validate", "out.yaml").status == .success)
    let tested = try await session.run("test", "out.yaml")
    #expect(tested.status == .success, "\(tested.output)")
    // Nothing is missing any more.
    let again = try await session.run("explore", "out.yaml", "--write", "again.yaml")
    #expect(again.error.contains("0 scenarios added"))
  }

  /// What was written once is known again, also where every way is wanted.
  @Test(arguments: [[], ["--all"]])
  func whatIsWrittenTwiceStaysAsItIs(more: [String]) async throws {
    let session = try TerminalSession(files: Self.files)
    let explore = ["explore", "w.yaml", "--write", "w.yaml"] + more
    #expect(try await session.run(explore).status == .success)
    let once = session.files.text("w.yaml")
    #expect(once?.contains("scenarios:") == true)
    let again = try await session.run(explore)
    #expect(again.error.hasSuffix("0 scenarios added\n"), "\(again.error)")
    #expect(session.files.text("w.yaml") == once)
  }

  @Test func jsonAndPropertyListsStayWhatTheyAre() async throws {
    let files = [
      "S.yaml": TerminalSession.plainSettings,
      "w.json": #"{"authflow": 1, "settings": "S.yaml", "steps": [{"wait": "1d"}]}"#,
    ]
    let session = try TerminalSession(files: files)
    #expect(try await session.run("explore", "w.json", "--write", "out.json").status == .success)
    let text = String(decoding: try session.files.read("out.json", limit: 1 << 20), as: UTF8.self)
    #expect(try JSON(parsing: Array(text.utf8))["scenarios"]?["wait ends in success"] != nil)
    #expect(try await session.run("test", "out.json").status == .success)
  }

  @Test func whatIsUnreachableFailsAndWhatIsUnhandledDoesWhenStrict() async throws {
    let lost = try TerminalSession(
      files: TerminalSession.files(steps: "- wait: 1d\n  on: {success: end}\n- signout\n"))
    let result = try await lost.run("explore", "w.yaml", "--no-proof")
    #expect(result.status == .failed)
    #expect(result.output.contains("[unreachable-step]"))
    let fine = try TerminalSession(files: Self.files)
    #expect(try await fine.run("explore", "w.yaml", "--no-proof").status == .success)
    #expect(try await fine.run("explore", "w.yaml", "--no-proof", "--strict").status == .failed)
    #expect(try await fine.run("explore", "w.yaml", "--depth", "9").status != .success)
    #expect(try await fine.run("explore", "none.yaml").status == .usageError)
  }

  /// What is known by then is told, and a file is not written by halves.
  @Test func whoIsInterruptedIsToldWhatWasFound() async throws {
    let session = try TerminalSession(files: Self.files)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await session.run("explore", "w.yaml", "--write", "out.yaml")
    }
    let result = try await task.value
    #expect(result.status == .interrupted)
    #expect(result.output.contains("2 steps, 3 paths, none tried"), "\(result.output)")
    #expect(result.error.contains("interrupted: out.yaml was not written"))
    #expect(session.files.text("out.yaml") == nil)
  }

  /// As with other commands, `-` is standard output: there is the workflow and nothing else.
  @Test func aDashIsStandardOutput() async throws {
    let session = try TerminalSession(files: Self.files)
    let result = try await session.run("explore", "w.yaml", "--write", "-")
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output.hasPrefix(Self.files["w.yaml"] ?? "?"))
    #expect(result.output.contains("\nscenarios:\n"))
    #expect(!result.output.contains("3 proven"))
    #expect(result.error.contains("2 steps, 3 paths: 3 proven"))
    #expect(result.error.hasSuffix("standard output: 1 scenario added\n"))
    #expect(session.files.text("-") == nil)
    let both = try await session.run("explore", "w.yaml", "--write", "-", "--format", "json")
    #expect(both.status != .success)
    #expect(both.error.contains("both want standard output"))
  }

  /// Whoever edits the file while it is explored keeps what was written, by whatever name the file is told.
  @Test(arguments: ["w.yaml", "./w.yaml", TerminalSession.workingDirectory + "/w.yaml"])
  func whatWasChangedMeanwhileIsLeftAlone(path: String) async throws {
    let session = try TerminalSession(files: Self.files)
    let changed = "authflow: 1\nsettings: S.yaml\nsteps:\n  - wait: 2d\n"
    var world = session.simulation.world
    // The settings are read again for the scenarios: by then the workflow is known.
    let editor = EditedFiles(base: session.files, watched: "S.yaml") {
      try? session.files.replace("w.yaml", with: Array(changed.utf8), privately: false)
    }
    world.files = editor
    let status = try await session.simulation.run { [world] in
      await CommandLineTool.run(["explore", "w.yaml", "--write", path], in: world)
    }
    let said = String(decoding: session.simulation.console.writings.flatMap(\.bytes), as: UTF8.self)
    #expect(status == .environmentFailure, "\(said)")
    #expect(said.contains("was changed meanwhile, and was not written\n  help: explore it again"))
    #expect(session.files.text("w.yaml") == changed)
  }

  /// A slip of the fingers costs nobody a file.
  @Test func whatIsNoWorkflowIsNotWrittenOver() async throws {
    var files = Self.files
    files["notes.txt"] = "mine\n"
    let session = try TerminalSession(files: files)
    let result = try await session.run("explore", "w.yaml", "--write", "notes.txt")
    #expect(result.status == .usageError)
    #expect(result.error.contains("notes.txt is there and is no workflow"))
    #expect(session.files.text("notes.txt") == "mine\n")
  }
}
