import AuthflowCLI
import Documents
import Effects
import SimulatedWorld
import Testing

/// `authflow explore`.
@Suite struct ExploreCommandTests {
  static let files = TerminalSession.files(steps: "- deviceInfo\n- wait: 1d\n")

  @Test func listsAndProvesAllPaths() async throws {
    let result = try await TerminalSession(files: Self.files).run("explore", "w.yaml")
    #expect(result.status == .success, "\(result.error)")
    #expect(
      result.output == """
        w.yaml
        2 steps, 3 paths: 3 proven, 0 not proven on the emulator, 0 different

        unhandled failures
          deviceInfo  brokerNotAvailable

        paths
          ● deviceInfo ends in success → wait
          ● deviceInfo ends in brokerNotAvailable → failure
          ● wait ends in success → success

        """)
  }

  @Test func printsTheExplorationAsJSON() async throws {
    let result = try await TerminalSession(files: TerminalSession.files(steps: "- wait: 1d\n"))
      .run("explore", "w.yaml", "--format", "json")
    #expect(result.status == .success, "\(result.error)")
    #expect(
      result.output
        == #"{"complete":true,"different":0,"exploration":2,"file":"w.yaml","findings":[],"paths":[{"entries":["wait.success"],"name":"wait ends in success","outcome":"success","proof":"proven","scenario":{"expect":{"path":["wait.success"]}},"step":"wait","to":"success"}],"proven":1,"states":1,"title":"w.yaml","unhandled":[],"unproven":0}"#
        + "\n")
  }

  @Test func writesValidScenariosThatPass() async throws {
    let files = TerminalSession.files(
      steps: "- loadAccount\n- silent\n- interactive-fallback\n- callGraph: /me # mine\n")
    let session = try TerminalSession(files: files)
    let written = try await session.run("explore", "w.yaml", "--write", "out.yaml")
    #expect(written.status == .success, "\(written.error)")
    #expect(written.error.contains("added 8 scenarios"))
    let text = String(decoding: try session.files.read("out.yaml", limit: 1 << 20), as: UTF8.self)
    #expect(text.contains("- callGraph: /me # mine\n"))
    #expect(String(decoding: try session.files.read("w.yaml", limit: 1 << 20), as: UTF8.self) == files["w.yaml"])
    #expect(try await session.run("validate", "out.yaml").status == .success)
    let tested = try await session.run("test", "out.yaml")
    #expect(tested.status == .success, "\(tested.output)")
    // The scenarios now cover all paths.
    let again = try await session.run("explore", "out.yaml", "--write", "again.yaml")
    #expect(again.error.contains("added 0 scenarios"))
  }

  /// The second exploration recognizes the scenarios from the first one, including scenarios that `--all` added.
  @Test(arguments: [[], ["--all"]])
  func writingAgainDoesNotChangeTheFile(options: [String]) async throws {
    let session = try TerminalSession(files: Self.files)
    let explore = ["explore", "w.yaml", "--write", "w.yaml"] + options
    #expect(try await session.run(explore).status == .success)
    let textBefore = session.files.text("w.yaml")
    #expect(textBefore?.contains("scenarios:") == true)
    let again = try await session.run(explore)
    #expect(again.error.hasPrefix("added 0 scenarios"), "\(again.error)")
    #expect(session.files.text("w.yaml") == textBefore)
  }

  @Test func writesAJSONWorkflowAsJSON() async throws {
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

  @Test func failsForUnreachableStepsAndInStrictModeForUnhandledFailures() async throws {
    let unreachable = try TerminalSession(
      files: TerminalSession.files(steps: "- wait: 1d\n  on: {success: end}\n- signout\n"))
    let result = try await unreachable.run("explore", "w.yaml", "--no-proof")
    #expect(result.status == .failed)
    #expect(result.output.contains("[unreachable-step]"))
    let unhandled = try TerminalSession(files: Self.files)
    #expect(try await unhandled.run("explore", "w.yaml", "--no-proof").status == .success)
    #expect(try await unhandled.run("explore", "w.yaml", "--no-proof", "--strict").status == .failed)
    #expect(try await unhandled.run("explore", "w.yaml", "--depth", "9").status != .success)
    #expect(try await unhandled.run("explore", "none.yaml").status == .usageError)
  }

  /// An interrupted exploration prints the paths found so far and does not write the file.
  @Test func anInterruptedExplorationPrintsPartialResults() async throws {
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

  /// With `--write -`, standard output contains only the workflow. The summary goes to standard error.
  @Test func writesTheWorkflowToStandardOutput() async throws {
    let session = try TerminalSession(files: Self.files)
    let result = try await session.run("explore", "w.yaml", "--write", "-")
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output.hasPrefix(Self.files["w.yaml"] ?? "?"))
    #expect(result.output.contains("\nscenarios:\n"))
    #expect(!result.output.contains("3 proven"))
    #expect(result.error.contains("2 steps, 3 paths: 3 proven"))
    #expect(result.error.hasSuffix("added 1 scenario to standard output\n"))
    #expect(session.files.text("-") == nil)
    let both = try await session.run("explore", "w.yaml", "--write", "-", "--format", "json")
    #expect(both.status != .success)
    #expect(both.error.contains("cannot be used together"))
  }

  /// Before writing, `explore` compares the file with the explored workflow. The spelling of the path in the option
  /// does not matter.
  @Test(arguments: ["w.yaml", "./w.yaml", TerminalSession.workingDirectory + "/w.yaml"])
  func doesNotOverwriteAnEditMadeDuringTheExploration(path: String) async throws {
    let session = try TerminalSession(files: Self.files)
    let edited = "authflow: 1\nsettings: S.yaml\nsteps:\n  - wait: 2d\n"
    var world = session.simulation.world
    // The exploration reads the settings a second time for the scenarios, after it has loaded the workflow.
    let editedFiles = EditedFiles(base: session.files, watched: "S.yaml") {
      try? session.files.replace("w.yaml", with: Array(edited.utf8), privately: false)
    }
    world.files = editedFiles
    let status = try await session.simulation.run { [world] in
      await CommandLineTool.run(["explore", "w.yaml", "--write", path], in: world)
    }
    let output = String(decoding: session.simulation.console.writings.flatMap(\.bytes), as: UTF8.self)
    #expect(status == .environmentFailure, "\(output)")
    #expect(output.contains("changed during the exploration and was not written\n  help: run the command again"))
    #expect(session.files.text("w.yaml") == edited)
  }

  @Test func doesNotOverwriteAFileThatIsNotAWorkflow() async throws {
    var files = Self.files
    files["notes.txt"] = "mine\n"
    let session = try TerminalSession(files: files)
    let result = try await session.run("explore", "w.yaml", "--write", "notes.txt")
    #expect(result.status == .usageError)
    #expect(result.error.contains("notes.txt exists and is not a workflow"))
    #expect(session.files.text("notes.txt") == "mine\n")
  }
}
