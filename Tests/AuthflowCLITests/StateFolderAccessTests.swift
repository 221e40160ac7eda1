import AuthflowCLI
import Effects
import SimulatedWorld
import Testing

@Suite("State folders with unsafe permissions, links, or special files")
struct StateFolderAccessTests {
  static let stateFolder = KeptStateTests.stateFolder

  static let unsafeFolders: [(folder: String, access: DirectoryAccess, message: String)] = [
    (TerminalSession.state, DirectoryAccess(owner: .other), "belongs to another user"),
    (stateFolder, DirectoryAccess(owner: .system), "belongs to another user"),
    (TerminalSession.state, DirectoryAccess(owner: .user, isWritableByOthers: true), "chmod 700"),
    (stateFolder, DirectoryAccess(owner: .user, isWritableByOthers: true, isSticky: true), "chmod 700"),
  ]

  @Test("rejects a state folder that other users own or can write to", arguments: unsafeFolders)
  func rejected(folder: String, access: DirectoryAccess, message: String) async throws {
    let session = try KeptStateTests.session()
    #expect(try await session.run("run", "w.yaml").status == .success)
    let savedFiles = session.files.paths.map { session.files.text($0) }
    session.files.setAccess(access, ofDirectory: folder)
    for command in [["run", "w.yaml"], ["token", "--settings", "S.yaml"], ["cache", "show"], ["accounts"]] {
      let result = try await session.run(command)
      #expect(result.status == .environmentFailure, "\(command)")
      #expect(result.error.contains("error: cannot use the state folder \(folder)"), "\(result.error)")
      #expect(result.error.contains(message), "\(result.error)")
      #expect(result.error.contains("XDG_STATE_HOME"))
    }
    #expect(session.files.paths.map { session.files.text($0) } == savedFiles)
    #expect(try await session.run("run", "w.yaml", "--fresh").status == .success)
    #expect(try await session.run("reset").status == .success)
  }

  @Test("warns about an unsafe folder passed to `--cache`")
  func named() async throws {
    let session = try KeptStateTests.session()
    #expect(try await !session.run("run", "w.yaml", "--cache", "mine").error.contains("not secure"))
    for (access, isSafe) in [
      (DirectoryAccess(owner: .user, isWritableByOthers: true), false), (DirectoryAccess(owner: .other), false),
      (DirectoryAccess(owner: .system, isWritableByOthers: true, isSticky: true), true),
    ] {
      session.files.setAccess(access, ofDirectory: "mine")
      let result = try await session.run("run", "w.yaml", "--cache", "mine")
      #expect(result.status == .success)
      #expect(result.error.contains("warning: the token cache in mine is not secure") == !isSafe, "\(result.error)")
    }
  }

  @Test("`reset` removes links but keeps their targets")
  func removesLinks() async throws {
    let session = try KeptStateTests.session()
    _ = try await session.run("run", "w.yaml")
    let target = TerminalSession.home + "/private.json"
    try session.files.replace(target, with: Array("private data".utf8), privately: true)
    try session.files.remove(Self.stateFolder + "/browser.json")
    session.files.link(Self.stateFolder + "/browser.json", to: target)
    let outside = TerminalSession.home + "/outside"
    try session.files.makeDirectory(outside, privately: true)
    try session.files.replace(outside + "/cache.json", with: [], privately: true)
    session.files.link(TerminalSession.state + "/live", to: outside)
    let reset = try await session.run("reset")
    #expect(reset.status == .success, "\(reset.error)")
    #expect(reset.error.contains("note: removed the link \(Self.stateFolder)/browser.json, but not its target"))
    #expect(reset.error.contains("note: removed the link \(TerminalSession.state)/live"))
    #expect(session.files.text(target) == "private data")
    #expect(session.files.text(outside + "/cache.json") == "")
    #expect(!session.files.paths.contains { $0.hasPrefix(TerminalSession.state) && !$0.hasSuffix("/lock") })
  }

  @Test("`reset` removes the link if the state folder is a link")
  func linkedFolder() async throws {
    let session = try KeptStateTests.session()
    let outside = TerminalSession.home + "/outside"
    try session.files.makeDirectory(outside + "/live", privately: true)
    try session.files.replace(outside + "/live/cache.json", with: [], privately: true)
    session.files.link(TerminalSession.state, to: outside)
    let reset = try await session.run("reset")
    #expect(reset.status == .success, "\(reset.error)")
    #expect(reset.error.contains("removed the link"))
    #expect(!session.files.isLink(TerminalSession.state))
    #expect(session.files.text(outside + "/live/cache.json") == "")
  }

  @Test("rejects a named pipe as a state file, and `reset` removes it", arguments: ["cache", "platform", "clock"])
  func pipes(name: String) async throws {
    let session = try KeptStateTests.session()
    _ = try await session.run("run", "w.yaml")
    let path = Self.stateFolder + "/\(name).json"
    try session.files.remove(path)
    session.files.makeSpecial(path)
    let result = try await session.run("run", "w.yaml")
    #expect(result.status == .environmentFailure, "\(result.output)\(result.error)")
    #expect(result.error.contains("\(path): is not a regular file (named pipe)"), "\(result.error)")
    #expect(try await session.run("reset").status == .success)
    #expect(try await session.run("run", "w.yaml").status == .success)
  }

  @Test("rejects a named pipe as the settings of a workflow")
  func settingsPipe() async throws {
    let session = try KeptStateTests.session()
    try session.files.remove("S.yaml")
    session.files.makeSpecial("S.yaml")
    let result = try await session.run("run", "w.yaml")
    #expect(result.status == .usageError)
    #expect(result.error.contains("is not a regular file (named pipe)"), "\(result.error)")
  }

  @Test("finds input streams in command-line arguments")
  func streams() {
    #expect(InputStreams.named(by: ["run", "w.yaml", "--fresh"]) == [])
    #expect(InputStreams.named(by: ["query", "$", "-"]) == ["/dev/stdin"])
    #expect(InputStreams.named(by: ["api", "post", "/me", "--data", "@-"]) == ["/dev/stdin"])
    #expect(InputStreams.named(by: ["token", "decode"]) == ["/dev/stdin"])
    #expect(InputStreams.named(by: ["token", "--settings", "S.yaml"]) == [])
    #expect(
      InputStreams.named(by: ["run", "/dev/fd/63", "--env-file=/dev/fd/62", "--platform", "replay:/dev/null"])
        == ["/dev/fd/63", "/dev/fd/62", "/dev/null"])
    #expect(InputStreams.named(by: ["run", "/dev/ptmx", "/dev/fd/../ptmx", "/dev/fd/", "pipe"]) == [])
  }
}
