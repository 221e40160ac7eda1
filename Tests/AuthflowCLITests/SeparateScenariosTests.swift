import AuthflowCLI
import Documents
import Effects
import SimulatedWorld
import TestSupport
import Testing

/// Commands with scenarios in a separate file.
@Suite struct SeparateScenariosTests {
  static let workflow = """
    authflow: 1
    settings: S.yaml
    steps: [loadAccount, silent, interactive-fallback, { callGraph: /me }]
    scenarios: w.scenarios.yaml

    """
  static let scenarios = """
    # Comments must be preserved.
    authflow: 1
    workflow: w.yaml
    scenarios:
      first run: { tags: slow, expect: { path: [loadAccount.notFound, interactive-fallback.success, callGraph.success] } }
      returning: { given: [signedIn: megan@contoso.com], expect: { path: [..., callGraph.success] } }

    """
  static let files = [
    "S.yaml": TerminalSession.plainSettings, "w.yaml": workflow, "w.scenarios.yaml": scenarios,
  ]

  static func session(_ more: [String: String?] = [:]) throws -> TerminalSession {
    var files = Self.files
    for (name, text) in more { files[name] = text }
    return try TerminalSession(files: files)
  }

  static let warning =
    "warning: 1 error in scenarios that this command does not use\n  help: run `authflow validate w.yaml` to list it\n"

  // MARK: run

  /// New users often begin by removing a step that the scenarios refer to.
  @Test func aRunIgnoresScenariosThatNoLongerMatchTheSteps() async throws {
    let session = try TerminalSession(shipped: true)
    let original = try #require(session.files.text("Workflows/me.yaml"))
    let edited = original.replacing("  - signout\n", with: "")
    #expect(edited != original)
    try session.files.replace("Workflows/me.yaml", with: Array(edited.utf8), privately: false)
    for interactions in [1, 0] {
      let result = try await session.run("run", "Workflows/me.yaml", "--format", "json")
      #expect(result.status == .success, "\(result.error)")
      #expect(try JSON(parsing: Array(result.output.utf8))["interactions"]?.integer == Int64(interactions))
      #expect(result.error == "")
    }
    #expect(try await session.run("validate", "Workflows/me.yaml").status == .failed)
  }

  @Test(arguments: [
    "scenarios: { a: { expekt: {} } }", "scenarios: none.yaml", "scenarios: w.yaml", "scenarios: S.yaml",
    "scenarios: [a]",
    "scenarios: { a: {}, a: {} }",
  ])
  func aRunIgnoresErrorsInScenarios(_ line: String) async throws {
    let text = Self.workflow.replacing("scenarios: w.scenarios.yaml", with: line)
    let session = try Self.session(["w.yaml": text])
    let result = try await session.run("run", "w.yaml")
    #expect(result.status == .success, "\(result.error)")
    #expect(result.error == (line.contains("a: {}, a: {}") ? Self.warning : ""))
    for command in [["graph", "w.yaml"], ["explain", "w.yaml"]] {
      let other = try await session.run(command)
      #expect(other.status == .success, "\(command): \(other.error)")
      #expect(other.error.hasPrefix(Self.warning))
    }
    #expect(try await session.run("test", "w.yaml").status == .usageError)
    #expect(try await session.run("run", "w.yaml", "--scenario", "b").status == .usageError)
  }

  @Test func aRunReportsErrorsInSteps() async throws {
    let session = try Self.session(["w.yaml": Self.workflow.replacing("silent,", with: "slient,")])
    let result = try await session.run("run", "w.yaml")
    #expect(result.status == .usageError)
    #expect(result.error.contains("slient"))
  }

  @Test func runsOneScenarioDespiteErrorsInAnother() async throws {
    let wrong = Self.scenarios + "  wrong: { expect: { path: [nothing.found] } }\n"
    let session = try Self.session(["w.scenarios.yaml": wrong])
    for file in ["w.yaml", "w.scenarios.yaml"] {
      let good = try await session.run("run", file, "--scenario", "returning")
      #expect(good.status == .success, "\(good.error)")
      #expect(good.error.hasPrefix("warning: 1 error in scenarios that this command does not use\n"))
      let bad = try await session.run("run", file, "--scenario", "wrong")
      #expect(bad.status == .usageError)
      #expect(bad.error.contains("w.scenarios.yaml:7:"))
    }
    let unknown = try await session.run("run", "w.yaml", "--scenario", "retruning")
    #expect(unknown.status == .usageError)
    #expect(unknown.error.contains("w.scenarios.yaml has no scenario retruning"), "\(unknown.error)")
    #expect(unknown.error.contains("did you mean `returning`?"))
  }

  @Test func doesNotReadSettingsOfOtherScenarios() async throws {
    let session = try Self.session(["w.scenarios.yaml": Self.scenarios + "  other: { settings: none.yaml }\n"])
    #expect(try await session.run("run", "w.yaml", "--scenario", "returning").status == .success)
    #expect(try await session.run("run", "w.yaml", "--scenario", "other").status == .usageError)
    #expect(try await session.run("test", "w.yaml").status == .usageError)
  }

  @Test func runningAScenariosFileRunsItsWorkflow() async throws {
    let result = try await Self.session().run("run", "w.scenarios.yaml", "--fresh")
    #expect(result.status == .success)
    #expect(result.error.isEmpty)
    #expect(result.output.hasPrefix("w.yaml"))
  }

  // MARK: test

  @Test(arguments: [
    ["."], ["w.yaml"], ["w.scenarios.yaml"], ["w.yaml", "w.scenarios.yaml"], ["w.scenarios.yaml", "w.yaml"],
    ["w.yaml", "./w.yaml", "/home/dev/app/w.yaml"], ["x/../w.scenarios.yaml", ".", "./w.yaml"],
  ])
  func eachScenarioRunsOnce(paths: [String]) async throws {
    let session = try Self.session()
    let result = try await session.run(
      ["test"] + paths + ["--json", "r.json", "--junit", "j.xml", "--coverage", "--quiet"])
    #expect(result.status == .success, "\(result.error)")
    let json = try JSON(parsing: Array(try #require(session.files.text("r.json")).utf8))
    let tests = try #require(json["tests"]?.array)
    #expect(tests.map { $0["name"] } == ["first run", "returning"])
    #expect(tests.allSatisfy { $0["file"]?.string?.hasSuffix("w.scenarios.yaml") == true }, "\(tests)")
    #expect(session.files.text("j.xml")?.contains("w.scenarios.yaml\"") == true)
    let coverage = try #require(json["coverage"]?["workflows"]?.array)
    #expect(coverage.count == 1)
    #expect(coverage[0]["file"]?.string?.hasSuffix("w.yaml") == true)
    #expect(coverage[0]["runs"] == 2)
  }

  @Test func listsAndFiltersUseTheNameOfTheScenariosFile() async throws {
    let session = try Self.session()
    let list = try await session.run("test", "--list")
    #expect(list.output == "w.scenarios.yaml: first run\nw.scenarios.yaml: returning\n")
    #expect(list.error.isEmpty)
    let one = try await session.run("test", "--filter", "w.scenarios.yaml: returning", "-v")
    #expect(one.output.contains("1 passed"))
    for index in 1...2 {
      #expect(
        try await session.run("test", "w.yaml", "--shard", "\(index)/2", "--json", "\(index).json").status == .success)
    }
    let merged = try await session.run("merge", "1.json", "2.json")
    #expect(merged.output.contains("2 passed"), "\(merged.output)\(merged.error)")
  }

  @Test func severalScenariosFilesCoverOneWorkflow() async throws {
    let session = try Self.session([
      "more/x.json":
        #"{"authflow": 1, "workflow": "../w.yaml", "scenarios": {"again": {"given": [{"signedIn": "megan@contoso.com"}]}}}"#
    ])
    let result = try await session.run("test", ".", "--json", "r.json", "--quiet", "--coverage")
    #expect(result.status == .success, "\(result.error)")
    let json = try JSON(parsing: Array(try #require(session.files.text("r.json")).utf8))
    #expect(Set(json["tests"]?.array?.compactMap { $0["file"]?.string } ?? []) == ["w.scenarios.yaml", "more/x.json"])
    #expect(json["coverage"]?["workflows"]?.array?.map { $0["runs"] } == [3])
    // The scenarios file and its workflow are in different folders.
    let single = try await session.run("test", "more")
    #expect(single.output.contains("1 passed"))
  }

  @Test func acceptsAWorkflowWhoseScenariosAreOnlyInAnotherFile() async throws {
    let workflow = Self.workflow.replacing("scenarios: w.scenarios.yaml\n", with: "")
    let session = try Self.session(["w.yaml": workflow])
    for paths in [["."], ["w.yaml", "w.scenarios.yaml"]] {
      let result = try await session.run(["test"] + paths)
      #expect(result.status == .success && result.error.isEmpty, "\(result.error)")
      #expect(result.output.contains("2 passed"))
    }
    #expect(try await session.run("test", "w.yaml").error.contains("[no-scenarios]"))
  }

  @Test func failuresAndGoldenTracesUseTheNameOfTheScenariosFile() async throws {
    let session = try Self.session([
      "w.scenarios.yaml": Self.scenarios + "  wrong: { expect: { path: [loadAccount.found, ...] } }\n"
    ])
    let result = try await session.run("test", "--golden", "G", "--update")
    #expect(result.status == .failed)
    #expect(result.output.contains("w.scenarios.yaml:7:"), "\(result.output)")
    #expect(result.output.contains("rerun: authflow test w.scenarios.yaml --filter 'w.scenarios.yaml: wrong'"))
    #expect(result.output.contains("authflow run w.scenarios.yaml --scenario wrong"))
    let goldens = session.files.paths.filter { $0.contains("/G/") }
    #expect(goldens.count == 2 && goldens.allSatisfy { $0.contains("/G/w-scenarios-yaml--") }, "\(goldens)")
    let header = try #require(session.files.text(goldens[0])?.split(separator: "\n").first)
    #expect(header.contains(#""file":"../w.scenarios.yaml""#))
    let run = try await session.run("run", "w.scenarios.yaml", "--scenario", "wrong")
    #expect(run.status == .failed)
  }

  @Test func inlineAndSeparateScenariosHaveTheSameTraces() async throws {
    let inline = Self.workflow.replacing(
      "scenarios: w.scenarios.yaml\n",
      with: String(Self.scenarios[try #require(Self.scenarios.firstRange(of: "scenarios:")).lowerBound...]))
    func traces(_ session: TerminalSession) async throws -> [[String]] {
      #expect(try await session.run("test", "w.yaml", "--golden", "G", "--update").status == .success)
      return session.files.paths.filter { $0.contains("/G/") }.sorted { $0 < $1 }.map { path in
        (session.files.text(path) ?? "").split(separator: "\n").dropFirst().map(String.init)
      }
    }
    let separate = try await traces(try Self.session())
    let inlined = try await traces(
      try TerminalSession(files: ["S.yaml": TerminalSession.plainSettings, "w.yaml": inline]))
    #expect(separate.count == 2)
    #expect(Set(separate) == Set(inlined))
  }

  @Test func pathsAreRelativeToTheScenariosFile() async throws {
    let session = try Self.session([
      "t/x.yaml": """
      authflow: 1
      workflow: ../w.yaml
      scenarios:
        other settings:
          settings: Other.yaml
          directory: People.yaml
          user: { username: ann@other.example, password: Fake-Ann-1 }
          expect: { interactive-fallback.sent.client_id: 11111111-2222-4333-8444-555555555555 }
        a cache:
          given: [cacheLoaded: cache.json]
          expect: { outcome: interactionRequired }

      """,
      "t/Other.yaml": TerminalSession.plainSettings.replacing(
        "6731de76-14a6-49ae-97bc-6eba6914391e", with: "11111111-2222-4333-8444-555555555555"),
      "t/People.yaml":
        "directory: 1\nextends: contoso\ntenants: [{ name: Other, domains: [other.example], users: [{ username: ann@other.example, password: Fake-Ann-1 }] }]\n",
    ])
    let result = try await session.run("test", "t/x.yaml", "--filter", "other settings")
    #expect(result.error.contains("t/cache.json"), "\(result.error)")
    try session.files.replace("t/cache.json", with: Array("{}".utf8), privately: false)
    let other = try await session.run("test", "t/x.yaml", "--filter", "other settings")
    #expect(other.status == .success, "\(other.output)\(other.error)")
  }

  @Test func doesNotRunScenariosIfAFileHasErrors() async throws {
    let session = try Self.session(["w.scenarios.yaml": Self.scenarios + "  wrong: { expekt: {} }\n"])
    let result = try await session.run("test")
    #expect(result.status == .usageError)
    #expect(result.error.contains("no scenarios ran, because of errors in w.scenarios.yaml"), "\(result.error)")
    #expect(result.error.ranges(of: "unknown key `expekt`").count == 1)
  }

  // MARK: validate

  @Test(arguments: [["."], ["w.yaml"], ["w.scenarios.yaml"], ["w.scenarios.yaml", "/home/dev/app/w.yaml"]])
  func reportsEachErrorOnce(paths: [String]) async throws {
    let session = try Self.session([
      "w.yaml": Self.workflow.replacing("silent,", with: "slient,"),
      "w.scenarios.yaml": Self.scenarios + "  wrong: { expekt: {} }\n",
      "S.yaml": TerminalSession.plainSettings + "Nonsense: 1\n",
    ])
    let result = try await session.run(["validate"] + paths)
    #expect(result.status == .failed)
    for text in ["unknown key `expekt`", "slient"] {
      let lines = result.output.split(separator: "\n").filter { $0.contains(text) && $0.contains("error:") }
      #expect(lines.count == 1, "\(text): \(result.output)")
    }
    #expect(result.output.contains("w.scenarios.yaml:7:"))
  }

  @Test func listFilesRecognizesScenariosFiles() async throws {
    let result = try await Self.session().run("validate", ".", "--list-files")
    #expect(result.output.contains("a scenarios file"))
    #expect(try await Self.session().run("validate", ".", "--strict").status == .success)
  }

  @Test func fixesTheScenariosFile() async throws {
    let session = try Self.session(["w.scenarios.yaml": Self.scenarios.replacing("given:", with: "givne:")])
    let result = try await session.run("validate", ".", "--fix")
    #expect(result.status == .success, "\(result.output)\(result.error)")
    #expect(session.files.text("w.scenarios.yaml") == Self.scenarios)
  }

  // MARK: explore

  @Test(arguments: ["w.yaml", "w.scenarios.yaml", "./w.scenarios.yaml"])
  func exploreAddsScenariosToTheScenariosFile(file: String) async throws {
    // Use a short workflow, because `explore` runs each path several times.
    let workflow = Self.workflow.replacing(
      "silent, interactive-fallback, { callGraph: /me }", with: "interactive-fallback")
    let scenarios = Self.scenarios.replacing(/path: \[.*?\]/, with: "path: [...]")
    let session = try Self.session(["w.yaml": workflow, "w.scenarios.yaml": scenarios])
    let result = try await session.run("explore", file, "--write", "w.scenarios.yaml")
    #expect(result.status == .success, "\(result.error)")
    #expect(result.error.contains("to w.scenarios.yaml"))
    let text = try #require(session.files.text("w.scenarios.yaml"))
    #expect(text.hasPrefix(scenarios) && text.count > scenarios.count)
    #expect(session.files.text("w.yaml") == workflow)
    #expect(try await session.run("test", ".").status == .success)
    let second = try await session.run("explore", file, "--write", "w.scenarios.yaml")
    #expect(second.error.contains("added 0 scenarios"))
  }

  @Test(arguments: ["w.yaml", "out.yaml"])
  func exploreWritesOnlyToTheScenariosFile(target: String) async throws {
    let session = try Self.session()
    let result = try await session.run("explore", "w.yaml", "--write", target)
    #expect(result.status == .usageError)
    #expect(
      result.error
        == "error: the scenarios are in w.scenarios.yaml, not in \(target)\n  help: use `--write w.scenarios.yaml`\n")
    #expect(session.files.text("w.yaml") == Self.workflow)
    #expect(session.files.text("out.yaml") == nil)
  }

  @Test func exploreSupportsAScenariosFileInAnotherFolder() async throws {
    let session = try Self.session([
      "w.yaml": Self.workflow.replacing("scenarios: w.scenarios.yaml\n", with: ""), "w.scenarios.yaml": nil,
      "t/x.yaml": "authflow: 1\nworkflow: ../w.yaml\nscenarios:\n",
    ])
    let result = try await session.run("explore", "t/x.yaml", "--write", "t/x.yaml")
    #expect(result.status == .success, "\(result.error)")
    #expect(try await session.run("test", "t").status == .success)
  }

  // MARK: explain and graph

  @Test(arguments: ["w.yaml", "w.scenarios.yaml"])
  func explainShowsTheScenarios(file: String) async throws {
    let result = try await Self.session().run("explain", file)
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output.contains("returning") && result.output.contains("first run"))
    #expect(try await Self.session().run("graph", file).status == .success)
  }
}
