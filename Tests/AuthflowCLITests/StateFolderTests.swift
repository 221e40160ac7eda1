import AuthflowCLI
import Documents
import Effects
import SimulatedWorld
import Testing

/// Tests where state is saved, how runs share it, and how they recover from damaged files.
@Suite struct KeptStateTests {
  static let pattern = "- loadAccount\n- silent\n- interactive-fallback\n- callGraph: /me"
  static let stateFolder = TerminalSession.state + "/emulated-contoso"

  static func session(variables: [String: String] = [:]) throws -> TerminalSession {
    try TerminalSession(files: TerminalSession.files(steps: pattern), variables: variables)
  }

  private func savedFiles(_ session: TerminalSession) -> [String] {
    session.files.paths.filter { !$0.hasPrefix(TerminalSession.workingDirectory + "/") }
  }

  @Test func savesPrivateFilesInOneStateFolder() async throws {
    let session = try Self.session()
    _ = try await session.run("run", "w.yaml")
    let savedFiles = savedFiles(session).filter { !$0.hasSuffix("/lock") }
    #expect(
      savedFiles == ["browser", "cache", "clock", "platform"].map { Self.stateFolder + "/\($0).json" })
    #expect(savedFiles.allSatisfy { session.files.isPrivate($0) })
    #expect(session.files.isPrivate(Self.stateFolder))
    // The run does not write to the folder of the workflow.
    #expect(session.files.paths.filter { $0.hasPrefix(TerminalSession.workingDirectory) }.count == 2)
  }

  @Test func usesXDGStateHome() async throws {
    let session = try Self.session(variables: ["XDG_STATE_HOME": "/var/state"])
    _ = try await session.run("run", "w.yaml")
    #expect(savedFiles(session).allSatisfy { $0.hasPrefix("/var/state/authflow/emulated-contoso/") })
    #expect(!savedFiles(session).isEmpty)
    // According to the XDG Base Directory Specification, relative paths are invalid and must be ignored.
    let relative = try Self.session(variables: ["XDG_STATE_HOME": "state"])
    _ = try await relative.run("run", "w.yaml")
    #expect(savedFiles(relative).allSatisfy { $0.hasPrefix(Self.stateFolder) })
  }

  @Test func usesTheSpecifiedCacheFolder() async throws {
    let session = try Self.session()
    _ = try await session.run("run", "w.yaml", "--cache", "mine")
    #expect(session.files.text("mine/cache.json") != nil)
    #expect(savedFiles(session).isEmpty)
    let second = try await session.run("run", "w.yaml", "--cache", "mine")
    #expect(second.output.contains("0 interactions"))
    let defaultFolder = try await session.run("run", "w.yaml")
    #expect(defaultFolder.output.contains("1 interaction"))
  }

  @Test func freshDoesNotUseOrChangeSavedState() async throws {
    let session = try Self.session()
    _ = try await session.run("run", "w.yaml")
    let savedBefore = savedFiles(session).map { session.files.text($0) }
    let fresh = try await session.run("run", "w.yaml", "--fresh", "--user", "adele@contoso.com")
    #expect(fresh.status == .success)
    #expect(fresh.output.contains("1 interaction,"))
    #expect(fresh.output.contains("Adele Vance"))
    #expect(savedFiles(session).map { session.files.text($0) } == savedBefore)
    let second = try await session.run("run", "w.yaml")
    #expect(second.output.contains("0 interactions"))
    #expect(second.output.contains("Megan Bowen"))
  }

  @Test func freshDoesNotSaveState() async throws {
    let session = try Self.session()
    _ = try await session.run("run", "w.yaml", "--fresh")
    #expect(savedFiles(session).isEmpty)
  }

  @Test func savesTheClockThatAWaitStepAdvanced() async throws {
    let session = try Self.session()
    _ = try await session.run("run", "w.yaml")
    try session.files.replace(
      "wait.yaml", with: Array("authflow: 1\nsettings: S.yaml\nsteps: [wait: 2h]\n".utf8), privately: false)
    #expect(try await session.run("run", "wait.yaml").status == .success)
    let result = try await session.run("run", "w.yaml")
    #expect(result.output.contains("from the refresh token"), "\(result.output)")
    try session.files.replace(
      "wait.yaml", with: Array("authflow: 1\nsettings: S.yaml\nsteps: [wait: 91d]\n".utf8), privately: false)
    _ = try await session.run("run", "wait.yaml")
    let late = try await session.run("run", "w.yaml")
    #expect(late.status == .success)
    #expect(late.output.contains("1 interaction"))
    #expect(late.output.contains("AADSTS700082"))
  }

  @Test func eachDirectoryHasSeparateState() async throws {
    let session = try Self.session()
    for name in ["a", "b"] {
      let directory = """
        directory: 1
        tenants:
          - { name: Tenant \(name), domains: [\(name).example], users: [{ username: user@\(name).example, password: Fake-User-1, displayName: "User of \(name)" }] }
        """
      let workflow =
        "authflow: 1\nsettings: ../S.yaml\ndirectory: D.yaml\nsteps:\n"
        + Self.pattern.split(separator: "\n").map { "  \($0)\n" }.joined()
      try session.files.makeDirectory(name, privately: false)
      try session.files.replace("\(name)/D.yaml", with: Array(directory.utf8), privately: false)
      try session.files.replace("\(name)/w.yaml", with: Array(workflow.utf8), privately: false)
    }
    for name in ["a", "b"] {
      let first = try await session.run("run", "\(name)/w.yaml")
      #expect(first.status == .success, "\(first.output)\(first.error)")
      #expect(first.output.contains("1 interaction,"))
      #expect(first.output.contains("User of \(name)"))
    }
    for name in ["a", "b"] {
      let second = try await session.run("run", "\(name)/w.yaml")
      #expect(second.output.contains("0 interactions"))
      #expect(second.output.contains("User of \(name)"))
    }
    let builtIn = try await session.run("run", "w.yaml")
    #expect(builtIn.output.contains("1 interaction,"))
    let folders = Set(
      savedFiles(session).compactMap { $0.dropFirst(TerminalSession.state.count + 1).split(separator: "/").first })
    #expect(folders.count == 3)
  }

  struct Damage: Sendable, CustomTestStringConvertible {
    var file: String
    var text: String
    var testDescription: String { "\(file): \(text.prefix(20))" }
  }

  static let damagedFiles: [Damage] = ["cache", "platform", "browser", "clock"].flatMap { file in
    ["", "{", "[]", "null", "{\"version\": 99}", "\u{0}\u{1}"].map { Damage(file: file, text: $0) }
  }

  /// A run succeeds even if a file is damaged. The run reports files that are not JSON.
  @Test(arguments: damagedFiles) func recoversFromDamagedFiles(damage: Damage) async throws {
    let session = try Self.session()
    _ = try await session.run("run", "w.yaml")
    let path = Self.stateFolder + "/\(damage.file).json"
    try session.files.replace(path, with: Array(damage.text.utf8), privately: true)
    let result = try await session.run("run", "w.yaml")
    if damage.file == "cache", !damage.text.isEmpty {
      // A cache can contain the user's tokens, so it is moved instead of overwritten.
      #expect(result.status == .success, "\(result.output)\(result.error)")
      #expect(result.error.contains("because it is not a valid token cache"), "\(result.error)")
      #expect(result.error.contains("moved \(path) to \(path).corrupt-1"))
      #expect(session.files.text(path + ".corrupt-1") == damage.text)
      let next = try await session.run("run", "w.yaml")
      #expect(next.status == .success && next.error.isEmpty, "\(next.error)")
      return
    }
    #expect(result.status == .success, "\(result.output)\(result.error)")
    if ["{", "\u{0}\u{1}"].contains(damage.text) {
      #expect((result.output + result.error).contains(path), "\(result.output)")
      #expect((result.output + result.error).contains("authflow reset"))
    }
    // The first run has replaced the damaged file.
    let next = try await session.run("run", "w.yaml")
    #expect(next.status == .success)
    #expect(!(next.output + next.error).contains("authflow reset"))
  }

  @Test func reportsInvalidOptions() async throws {
    let session = try Self.session()
    let fresh = try await session.run("run", "w.yaml", "--fresh", "--cache", "mine")
    #expect(fresh.status == .success)
    #expect(fresh.error.contains("`--cache` is ignored"))
    #expect(savedFiles(session).isEmpty)
    let noUser = try await session.run("run", "w.yaml", "--user", "")
    #expect(noUser.status == .usageError)
    #expect(noUser.error.contains("`--user` is empty"))
  }

  @Test func aTraceOverwritesOnlyTraces() async throws {
    let session = try Self.session()
    let workflow = session.files.text(TerminalSession.workingDirectory + "/w.yaml")
    let rejected = try await session.run("run", "w.yaml", "--trace", "w.yaml")
    #expect(rejected.status == .usageError)
    #expect(rejected.error.contains("is not a trace"))
    #expect(session.files.text(TerminalSession.workingDirectory + "/w.yaml") == workflow)
    for _ in 1...2 {
      let traced = try await session.run("run", "w.yaml", "--fresh", "--trace", "t.jsonl")
      #expect(traced.status == .success, "\(traced.error)")
    }
  }

  @Test func doesNotChangeAnInvalidCacheFileThatTheUserSpecified() async throws {
    let session = try Self.session()
    let path = TerminalSession.workingDirectory + "/package.json"
    try session.files.replace(path, with: Array(#"{"name": "mine"}"#.utf8), privately: false)
    let result = try await session.run("run", "w.yaml", "--cache", path)
    #expect(result.status == .environmentFailure)
    #expect(result.error.contains(path))
    #expect(session.files.text(path) == #"{"name": "mine"}"#)
  }

  @Test func resetRemovesOnlySavedState() async throws {
    let session = try Self.session()
    let empty = try await session.run("reset")
    #expect(empty.status == .success)
    #expect(empty.output == "no saved state\n")
    _ = try await session.run("run", "w.yaml")
    // Add lock files, because the simulated file system does not create them.
    for lock in ["lock", "cache.json.lockfile"] {
      try session.files.replace(Self.stateFolder + "/" + lock, with: [], privately: true)
    }
    try session.files.replace(Self.stateFolder + "/mine.txt", with: Array("private data".utf8), privately: false)
    let reset = try await session.run("reset")
    #expect(reset.status == .success)
    #expect(reset.output.contains("removed"))
    #expect(savedFiles(session) == [Self.stateFolder + "/mine.txt"])
    // Damaged and partially written files can contain tokens. The emulator's certificate authority has a private key.
    for name in [
      "cache.json.corrupt-1", "cache.json.4711.815.part", "browser.json.corrupt-12", "lock",
      "development-ca.key", "development-ca.pem", "development-ca-0a1b2c3d.key", "development-ca.lock",
    ] {
      try session.files.replace(Self.stateFolder + "/" + name, with: Array("{}".utf8), privately: true)
    }
    for name in ["cache.json.mine", "my-cache.json", "cache.json.part", "locksmith"] {
      try session.files.replace(Self.stateFolder + "/" + name, with: [], privately: true)
    }
    #expect(try await session.run("reset").status == .success)
    let unrelated = ["cache.json.mine", "cache.json.part", "locksmith", "mine.txt", "my-cache.json"]
    #expect(savedFiles(session) == unrelated.map { Self.stateFolder + "/" + $0 })
    let after = try await session.run("run", "w.yaml")
    #expect(after.output.contains("1 interaction,"))
  }

  @Test func reportsAFullDisk() async throws {
    let session = try Self.session()
    session.files.setCapacity(400)
    let result = try await session.run("run", "w.yaml")
    #expect(result.status == .environmentFailure)
    #expect((result.error + result.output).contains("no space left"), "\(result.error)\(result.output)")
  }

  /// As in an app, the sign-in succeeds, but the next run requires another sign-in.
  @Test func reportsTokensThatCannotBeCached() async throws {
    let session = try Self.session()
    session.files.setCapacity(400)
    let result = try await session.run("run", "w.yaml", "--format", "json")
    #expect(result.status == .environmentFailure)
    #expect(result.error.contains("error: cannot write the token cache: "), "\(result.error)\(result.output)")
    #expect(result.output.contains(#""succeeded" : true"#) || result.output.contains(#""succeeded": true"#))
    session.files.setCapacity(.max)
    #expect(try await session.run("run", "w.yaml").status == .success)
  }

  @Test func twoRunsShareTheBrowserSession() async throws {
    let session = try TerminalSession(shipped: true)
    _ = try await session.run("run", "Workflows/me.yaml")
    let second = try await session.run("run", "Workflows/me.yaml")
    #expect(second.status == .success)
    #expect(second.output.contains("1 interaction,"), "the first run signed out of the app")
    #expect(second.output.contains("no page shown"), "\(second.output)")
  }
}
