import AuthflowCLI
import Effects
import HTTPTypes
import SimulatedWorld
import TestSupport
import Testing

/// Tests the options of `authflow studio`. `.ci/check-studio` tests the page in a browser.
@Suite struct StudioCommandTests {
  @Test(
    "accepts only addresses of emulators on this computer",
    arguments: [
      "http://example.com", "https://login.microsoftonline.com", "localhost:8443", "http://localhost:8443/path", "",
      "http://user@localhost:8443", "ftp://localhost", "http://127.0.0.1.example.com:8443",
    ])
  func rejectsAddresses(_ address: String) async throws {
    let result = try await TerminalSession().run("studio", "--no-open", "--attach", address)
    #expect(result.status == .usageError)
    #expect(result.error.contains("on this computer"), "\(result.error)")
  }

  @Test("reports an emulator that does not respond")
  func reportsMissingEmulator() async throws {
    let http = StubTransport.unreachable()
    let session = try TerminalSession(files: ["w.yaml": "authflow: 1\n"], http: http)
    let result = try await session.run("studio", "--no-open", "--attach", "http://localhost:8443/")
    #expect(result.status == .environmentFailure)
    #expect(result.error.contains("no emulator responds at http://localhost:8443"), "\(result.error)")
    #expect(http.requests.first?.url == "http://localhost:8443/_authflow/state")
  }

  @Test("reports a program that is not an emulator, and an emulator without a control interface")
  func reportsOtherPrograms() async throws {
    for (response, text) in [
      (ResponseMessage(.ok, body: Array("<html>".utf8)), "is not an emulator"),
      (
        ResponseMessage(
          .forbidden, body: Array(#"{"version": 1, "problems": ["control interface is disabled"]}"#.utf8)),
        "rejects control requests: control interface is disabled"
      ),
    ] {
      let session = try TerminalSession(
        files: ["w.yaml": "authflow: 1\n"], http: StubTransport(answering: [response]))
      let result = try await session.run("studio", "--no-open", "--attach", "http://127.0.0.1:8443")
      #expect(result.status == .environmentFailure)
      #expect(result.error.contains(text), "\(result.error)")
    }
  }
}
