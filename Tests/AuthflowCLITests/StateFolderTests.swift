import AuthflowCLI
import Documents
import Effects
import SimulatedWorld
import Testing

/// What outlives a run: where it is kept, who shares it, and what becomes of it when it is damaged.
@Suite struct KeptStateTests {
  static let pattern = "- loadAccount\n- silent\n- interactive-fallback\n- callGraph: /me"
  static let place = TerminalSession.state + "/emulated-contoso"

  static func session(variables: [String: String] = [:]) throws -> TerminalSession {
    try TerminalSession(files: TerminalSession.files(steps: pattern), variables: variables)
  }

  private func kept(_ session: TerminalSession) -> [String] {
    session.files.paths.filter { !$0.hasPrefix(TerminalSession.workingDirectory + "/") }
  }

  @Test func everythingIsKeptInOnePlaceForTheOwnerAlone() async throws {
    let session = try Self.session()
    _ = try await session.run("run", "w.yaml")
    let kept = kept(session).filter { !$0.hasSuffix("/lock") }
    #expect(
      kept == ["browser", "cache", "clock", "platform"].map { Self.place + "/\($0).json" })
    #expect(kept.allSatisfy { session.files.isPrivate($0) })
    #expect(session.files.isPrivate(Self.place))
    // Nothing else appeared beside the workflow.
    #expect(session.files.paths.filter { $0.hasPrefix(TerminalSession.workingDirectory) }.count == 2)
  }

  @Test func theXDGStateFolderIsUsed() async throws {
    let session = try Self.session(variables: ["XDG_STATE_HOME": "/var/state"])
    _ = try await session.run("run", "w.yaml")
    #expect(kept(session).allSatisfy { $0.hasPrefix("/var/state/authflow/emulated-contoso/") })
    #expect(!kept(session).isEmpty)
    // The base directory specification: a relative path is to be ignored.
    let relative = try Self.session(variables: ["XDG_STATE_HOME": "state"])
    _ = try await relative.run("run", "w.yaml")
    #expect(kept(relative).allSatisfy { $0.hasPrefix(Self.place) })
  }

  @Test func aPlaceOfOnesOwn() async throws {
    let session = try Self.session()
    _ = try await session.run("run", "w.yaml", "--cache", "mine")
    #expect(session.files.text("mine/cache.json") != nil)
    #expect(kept(session).isEmpty)
    let again = try await session.run("run", "w.yaml", "--cache", "mine")
    #expect(again.output.contains("0 interactions"))
    let elsewhere = try await session.run("run", "w.yaml")
    #expect(elsewhere.output.contains("1 interaction"))
  }

  @Test func freshLeavesWhatIsKeptAlone() async throws {
    let session = try Self.session()
    _ = try await session.run("run", "w.yaml")
    let before = kept(session).map { session.files.text($0) }
    let fresh = try await session.run("run", "w.yaml", "--fresh", "--user", "adele@contoso.com")
    #expect(fresh.status == .success)
    #expect(fresh.output.contains("1 interaction,"))
    #expect(fresh.output.contains("Adele Vance"))
    #expect(kept(session).map { session.files.text($0) } == before)
    let again = try await session.run("run", "w.yaml")
    #expect(again.output.contains("0 interactions"))
    #expect(again.output.contains("Megan Bowen"))
  }

  @Test func freshOnAFreshMachineKeepsNothing() async throws {
    let session = try Self.session()
    _ = try await session.run("run", "w.yaml", "--fresh")
    #expect(kept(session).isEmpty)
  }

  @Test func waitingIsRememberedByTheClock() async throws {
    let session = try Self.session()
    _ = try await session.run("run", "w.yaml")
    try session.files.replace(
      "wait.yaml", with: Array("authflow: 1\nsettings: S.yaml\nsteps: [wait: 2h]\n".utf8), privately: false)
    #expect(try await session.run("run", "wait.yaml").status == .success)
    let result = try await session.run("run", "w.yaml")
    #expect(result.output.contains("by the refresh token"), "\(result.output)")
    try session.files.replace(
      "wait.yaml", with: Array("authflow: 1\nsettings: S.yaml\nsteps: [wait: 91d]\n".utf8), privately: false)
    _ = try await session.run("run", "wait.yaml")
    let late = try await session.run("run", "w.yaml")
    #expect(late.status == .success)
    #expect(late.output.contains("1 interaction"))
    #expect(late.output.contains("AADSTS700082"))
  }

  @Test func twoDirectoriesDoNotShareWhatIsKept() async throws {
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
    let places = Set(
      kept(session).compactMap { $0.dropFirst(TerminalSession.state.count + 1).split(separator: "/").first })
    #expect(places.count == 3)
  }

  struct Damage: Sendable, CustomTestStringConvertible {
    var file: String
    var text: String
    var testDescription: String { "\(file): \(text.prefix(20))" }
  }

  static let damages: [Damage] = ["cache", "platform", "browser", "clock"].flatMap { file in
    ["", "{", "[]", "null", "{\"version\": 99}", "\u{0}\u{1}"].map { Damage(file: file, text: $0) }
  }

  /// A damaged file is no reason to crash, nor to lose the others; what is no JSON is told.
  @Test(arguments: damages) func damagedFilesAreToldAndSurvived(damage: Damage) async throws {
    let session = try Self.session()
    _ = try await session.run("run", "w.yaml")
    let path = Self.place + "/\(damage.file).json"
    try session.files.replace(path, with: Array(damage.text.utf8), privately: true)
    let result = try await session.run("run", "w.yaml")
    if damage.file == "cache", !damage.text.isEmpty {
      // The cache is the user's: it is not written over, and where it went is said.
      #expect(result.status == .success, "\(result.output)\(result.error)")
      #expect(result.error.contains("\(path) is no token cache"), "\(result.error)")
      #expect(result.error.contains("moved to \(path).corrupt-1"))
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
    // What was damaged is whole again afterwards.
    let next = try await session.run("run", "w.yaml")
    #expect(next.status == .success)
    #expect(!(next.output + next.error).contains("authflow reset"))
  }

  @Test func whatContradictsItselfIsSaid() async throws {
    let session = try Self.session()
    let fresh = try await session.run("run", "w.yaml", "--fresh", "--cache", "elsewhere")
    #expect(fresh.status == .success)
    #expect(fresh.error.contains("--cache is left aside"))
    #expect(kept(session).isEmpty)
    let nobody = try await session.run("run", "w.yaml", "--user", "")
    #expect(nobody.status == .usageError)
    #expect(nobody.error.contains("--user names nobody"))
  }

  /// Only a trace is written over by a trace.
  @Test func aTraceCostsNobodyAFile() async throws {
    let session = try Self.session()
    let workflow = session.files.text(TerminalSession.workingDirectory + "/w.yaml")
    let refused = try await session.run("run", "w.yaml", "--trace", "w.yaml")
    #expect(refused.status == .usageError)
    #expect(refused.error.contains("is no trace"))
    #expect(session.files.text(TerminalSession.workingDirectory + "/w.yaml") == workflow)
    for _ in 1...2 {
      let traced = try await session.run("run", "w.yaml", "--fresh", "--trace", "t.jsonl")
      #expect(traced.status == .success, "\(traced.error)")
    }
  }

  /// A file that somebody named may be anything; it stays where it is.
  @Test func aFileThatIsNoCacheIsNotTouchedWhereItWasNamed() async throws {
    let session = try Self.session()
    let path = TerminalSession.workingDirectory + "/package.json"
    try session.files.replace(path, with: Array(#"{"name": "mine"}"#.utf8), privately: false)
    let result = try await session.run("run", "w.yaml", "--cache", path)
    #expect(result.status == .environmentFailure)
    #expect(result.error.contains(path))
    #expect(session.files.text(path) == #"{"name": "mine"}"#)
  }

  @Test func resetForgetsEverythingAndOnlyThat() async throws {
    let session = try Self.session()
    let empty = try await session.run("reset")
    #expect(empty.status == .success)
    #expect(empty.output == "nothing is kept\n")
    _ = try await session.run("run", "w.yaml")
    // A real disk has the locks' files as well.
    for lock in ["lock", "cache.json.lockfile"] {
      try session.files.replace(Self.place + "/" + lock, with: [], privately: true)
    }
    try session.files.replace(Self.place + "/mine.txt", with: Array("precious".utf8), privately: false)
    let reset = try await session.run("reset")
    #expect(reset.status == .success)
    #expect(reset.output.contains("removed"))
    #expect(kept(session) == [Self.place + "/mine.txt"])
    // What was moved aside or left half-written may hold tokens; the emulator's authority has a key.
    for name in [
      "cache.json.corrupt-1", "cache.json.4711.815.part", "browser.json.corrupt-12", "lock",
      "development-ca.key", "development-ca.pem", "development-ca-0a1b2c3d.key", "development-ca.lock",
    ] {
      try session.files.replace(Self.place + "/" + name, with: Array("{}".utf8), privately: true)
    }
    for name in ["cache.json.mine", "my-cache.json", "cache.json.part", "locksmith"] {
      try session.files.replace(Self.place + "/" + name, with: [], privately: true)
    }
    #expect(try await session.run("reset").status == .success)
    let others = ["cache.json.mine", "cache.json.part", "locksmith", "mine.txt", "my-cache.json"]
    #expect(kept(session) == others.map { Self.place + "/" + $0 })
    let after = try await session.run("run", "w.yaml")
    #expect(after.output.contains("1 interaction,"))
  }

  @Test func aDiskThatIsFullIsTold() async throws {
    let session = try Self.session()
    session.files.setCapacity(400)
    let result = try await session.run("run", "w.yaml")
    #expect(result.status == .environmentFailure)
    #expect((result.error + result.output).contains("no space left"), "\(result.error)\(result.output)")
  }

  /// As an app, the run goes on; but who runs it is told that the next one will ask again.
  @Test func tokensThatCouldNotBeKeptAreTold() async throws {
    let session = try Self.session()
    session.files.setCapacity(400)
    let result = try await session.run("run", "w.yaml", "--format", "json")
    #expect(result.status == .environmentFailure)
    #expect(result.error.contains("error: the token cache could not be written: "), "\(result.error)\(result.output)")
    #expect(result.output.contains(#""succeeded" : true"#) || result.output.contains(#""succeeded": true"#))
    session.files.setCapacity(.max)
    #expect(try await session.run("run", "w.yaml").status == .success)
  }

  @Test func twoRunsShareTheBrowsersSession() async throws {
    let session = try TerminalSession(shipped: true)
    _ = try await session.run("run", "Workflows/me.yaml")
    let second = try await session.run("run", "Workflows/me.yaml")
    #expect(second.status == .success)
    #expect(second.output.contains("1 interaction,"), "signed out of the app")
    let saw = second.output.split(separator: "\n").first { $0.contains("the user saw") } ?? ""
    #expect(!saw.contains("password"), "\(saw)")
    #expect(!saw.contains("consent"), "\(saw)")
  }
}
