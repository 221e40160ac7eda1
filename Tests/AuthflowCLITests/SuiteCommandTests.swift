import AuthflowCLI
import SimulatedWorld
import TestSupport
import Testing

@Suite struct SuiteCommandTests {
  static let files = TerminalSession.files(
    steps: "- loadAccount\n- silent\n- interactive-fallback\n- callGraph: /me",
    """
    scenarios:
      first run: {tags: slow, expect: {path: [loadAccount.notFound, interactive-fallback.success, callGraph.success]}}
      returning: {given: [signedIn: megan@contoso.com], expect: {path: [..., callGraph.success]}}
      wrong: {expect: {path: [loadAccount.found, ...]}}

    """)

  @Test func aFailureEndsWithOneAndSaysHowToRunItAgain() async throws {
    let session = try TerminalSession(files: Self.files)
    let result = try await session.run("test", "w.yaml")
    #expect(result.status == .failed)
    #expect(
      result.output.contains("the path differs at entry 1: expected loadAccount.found, found loadAccount.notFound"))
    #expect(result.output.contains("again: authflow test w.yaml --filter 'w.yaml: wrong'"))
    #expect(result.output.contains("1 failed, 2 passed"))
  }

  @Test func aWholeNameMeansThatScenarioAlone() async throws {
    let session = try TerminalSession(files: Self.files)
    let result = try await session.run("test", "--filter", "w.yaml: returning")
    #expect(result.status == .success)
    #expect(result.output.hasPrefix("1 passed"))
  }

  @Test func eachScenarioIsInExactlyOneShard() async throws {
    let session = try TerminalSession(files: Self.files)
    var names: [String] = []
    for index in 1...2 {
      let result = try await session.run("test", ".", "--list", "--shard", "\(index)/2")
      names += result.output.split(separator: "\n").map(String.init)
    }
    #expect(names.sorted() == ["w.yaml: first run", "w.yaml: returning", "w.yaml: wrong"])
  }

  @Test func gitLabsVariablesChooseTheShard() async throws {
    let session = try TerminalSession(
      files: Self.files, variables: ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "3", "CI": "1"])
    let result = try await session.run("test", "--list")
    #expect(result.output == "w.yaml: returning\n")
    let wrong = try TerminalSession(files: Self.files, variables: ["AUTHFLOW_SHARD": "4/3"])
    #expect(try await wrong.run("test").status == .unusable)
  }

  @Test func goldensAreWrittenComparedAndKeptFromWhatIsNone() async throws {
    let session = try TerminalSession(files: Self.files.merging(["Golden/notes.jsonl": "mine"]) { $1 })
    let only = ["--filter", "w.yaml: returning", "--golden", "Golden"]
    #expect(try await session.run(["test", "w.yaml"] + only).status == .failed)
    #expect(try await session.run(["test", "w.yaml", "--update"] + only).status == .success)
    let again = try await session.run(
      ["test", "/home/dev/app/w.yaml", "--jobs", "1", "--shuffle", "--repeat", "2"] + only.suffix(2) + [
        "--filter", "returning",
      ])
    #expect(again.status == .success, "\(again.output)\(again.error)")
    #expect(session.files.text("Golden/notes.jsonl") == "mine")
  }

  @Test func aBrokenWorkflowStopsEverything() async throws {
    let session = try TerminalSession(files: Self.files.merging(["b.yaml": "authflow: 1\nstepz: []\n"]) { $1 })
    let result = try await session.run("test")
    #expect(result.status == .unusable)
    #expect(result.error.contains("nothing was run: b.yaml"))
    #expect(result.output.isEmpty)
  }

  @Test func aScenarioThatIsNotThereIsNearAnother() async throws {
    let session = try TerminalSession(files: Self.files)
    let result = try await session.run("run", "w.yaml", "--scenario", "retruning")
    #expect(result.status == .unusable)
    #expect(result.error.contains("did you mean returning?"))
  }
}
