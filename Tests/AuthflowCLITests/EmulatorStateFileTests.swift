import AuthflowCLI
import Documents
import Effects
import SimulatedWorld
import TestSupport
import Testing

/// `authflow emulator` with `--state` or `--host`.
@Suite struct EmulatorStateFileTests {
  private static let arguments = ["--for", "1s", "--state", "s.json"]

  @Test func savesTheStateAndLoadsItAgain() async throws {
    let session = try TerminalSession()
    let first = try await EmulatorCommandTests.run(Self.arguments, in: session)
    #expect(first.status == .success)
    let state = try JSON(parsing: Array((session.files.text("s.json") ?? "").utf8))
    #expect(state.object != nil)
    let second = try await EmulatorCommandTests.run(Self.arguments, in: session)
    #expect(second.status == .success)
    #expect(second.error.isEmpty)
  }

  /// If another process has written the file, the emulator saves its state in a new file in the same folder.
  @Test func doesNotOverwriteAFileThatAnotherProcessWrote() async throws {
    let session = try TerminalSession()
    let files = session.files
    let run = try await EmulatorCommandTests.run(Self.arguments, in: session) {
      try? files.replace("s.json", with: Array(#"{"mine": true}"#.utf8), privately: true)
    }
    #expect(run.status == .success)
    #expect(run.error.contains("s.json.other-1"))
    #expect(files.text("s.json") == #"{"mine": true}"#)
    #expect(files.text("s.json.other-1")?.contains("mine") == false)
  }

  @Test func reportsAnUnwritableFileBeforeItListens() async throws {
    let session = try TerminalSession()
    session.files.fail("s.json", with: .noSpace("s.json"))
    let run = try await EmulatorCommandTests.run(Self.arguments, in: session)
    #expect(run.status == .environmentFailure)
    #expect(run.error.contains("no space left"))
    #expect(run.server == nil)
    #expect(run.output.isEmpty)
  }

  @Test(arguments: [
    ("0.0.0.0", "localhost", true), ("::", "localhost", true), ("127.0.0.2", "127.0.0.2", true),
    ("192.0.2.2", "192.0.2.2", false), ("2001:db8::2", "[2001:db8::2]", false),
  ])
  func printsTheHostThatItListensOn(address: String, host: String, hasControl: Bool) async throws {
    let session = try TerminalSession()
    let run = try await EmulatorCommandTests.run(["--for", "1s", "--host", address], in: session)
    #expect(run.output.contains("listens on https://\(host):4711 and http://\(host):4711"), "\(run.output)")
    #expect(run.output.contains("http://\(host):4711/_authflow/") == hasControl)
    #expect(run.output.contains(#"authority="https://\#(host):4711/common""#))
    #expect(run.output.contains(#"allowed_hosts=["\#(host)"]"#))
  }
}
