import AuthflowCLI
import Documents
import Effects
import HTTPTypes
import SimulatedWorld
import Testing

/// `authflow doctor`.
@Suite struct DoctorTests {
  private static func statuses(_ result: TerminalSession.Result) throws -> [String: String] {
    let checks = try #require(try JSON(parsing: Array(result.output.utf8)).array)
    return checks.reduce(into: [:]) { statuses, check in
      statuses[check["subject"]?.string ?? ""] = check["verdict"]?.string
    }
  }

  @Test func theEmulatorDoesNotRequireADesktop() async throws {
    let session = try TerminalSession()
    let pathsBefore = session.files.paths
    let result = try await session.run("doctor", "--format", "json")
    #expect(result.status == .success, "\(result.error)")
    let statuses = try Self.statuses(result)
    #expect(statuses["state"] == "ok" && statuses["loopback"] == "ok" && statuses["proxy"] == "ok")
    #expect(statuses["browser"] == "note")
    #expect(session.files.paths == pathsBefore, "the checks remove their temporary files")
    let text = try await session.run("doctor")
    #expect(text.output.contains("note: browser: no display"))
    #expect(text.output.contains("  help: use `--print-url`"))
  }

  @Test func findsABrowserOnThePath() async throws {
    let session = try TerminalSession(
      files: ["/opt/bin/firefox": "#!/bin/sh"],
      variables: ["BROWSER": "chromium:firefox %s", "PATH": "/usr/bin:/opt/bin"])
    let result = try await session.run("doctor")
    #expect(result.output.contains("ok: browser: `--browser system` opens /opt/bin/firefox"), "\(result.output)")
  }

  @Test func printsAProxyWithoutItsPassword() async throws {
    let session = try TerminalSession(variables: [
      "HTTPS_PROXY": "http://megan:hidden-1@proxy.contoso.com:3128", "ALL_PROXY": "socks5://localhost:1080",
    ])
    let result = try await session.run("doctor")
    #expect(result.output.contains("requests use proxy.contoso.com:3128"))
    #expect(result.output.contains("unsupported proxy in ALL_PROXY"))
    #expect(!result.output.contains("hidden-1"))
  }

  // MARK: The live service

  private static func live(
    _ respond: @escaping StubTransport.Answer, variables: [String: String] = [:]
  ) async throws -> TerminalSession.Result {
    let session = try TerminalSession(
      files: ["/etc/ssl/certs/ca-certificates.crt": ""], variables: variables, http: StubTransport(respond))
    return try await session.run("doctor", "--platform", "live")
  }

  private static let metadata = #"{"issuer":"https://login.microsoftonline.com/{tenantid}/v2.0"}"#

  @Test(arguments: [
    ("Wed, 01 Jan 2025 00:04:00 GMT", "ok: clock: system clock matches", true),
    ("Wed, 01 Jan 2025 01:00:00 GMT", "problem: clock: system clock is 3600 seconds behind", false),
    ("Tue, 31 Dec 2024 23:50:00 GMT", "seconds ahead of the service", false),
  ]) func comparesTheClockWithTheService(date: String, message: String, passes: Bool) async throws {
    let result = try await Self.live { request in
      #expect(request.url == "https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration")
      return .json(Self.metadata, headers: [.date: date])
    }
    #expect(
      result.output.contains("ok: platform: https://login.microsoftonline.com/common has the issuer https://login"))
    #expect(result.output.contains(message), "\(result.output)")
    #expect(result.status == (passes ? .success : .environmentFailure))
  }

  @Test func reportsAResponseThatIsNotFromTheService() async throws {
    let result = try await Self.live { _ in .html("<h1>Welcome to our hotel</h1>") }
    #expect(result.status == .environmentFailure)
    #expect(result.output.contains("(status 200) contains no OpenID Connect"))
  }

  @Test(arguments: [
    (TransportFailure.offline("the network is down"), "check the network"), (.hostNotFound("x"), "and the host name"),
    (.tls("unknown authority"), "set `SSL_CERT_FILE`"), (.proxy("407"), "check `HTTPS_PROXY`"),
    (.timedOut("60 seconds"), "if a proxy is required"),
  ]) func suggestsAFixForEachNetworkFailure(failure: TransportFailure, help: String) async throws {
    let result = try await Self.live { _ throws(TransportFailure) in throw failure }
    #expect(result.status == .environmentFailure)
    #expect(result.output.contains(failure.explanation) && result.output.contains(help), "\(result.output)")
  }

  @Test func rejectsAnAuthorityThatIsNotAnHTTPSURL() async throws {
    let session = try TerminalSession()
    let result = try await session.run("doctor", "--platform", "live", "--authority", "contoso")
    #expect(result.status == .environmentFailure && result.output.contains("not an HTTPS URL: "))
    let secret = try await session.run(
      "doctor", "--platform", "live", "--authority", "https://megan:hidden-1@login.contoso.com/common")
    #expect(secret.status == .environmentFailure && secret.output.contains("not an HTTPS URL"), "\(secret.output)")
    #expect(!secret.output.contains("hidden-1"))
  }

  @Test func onlyTheLiveServiceRequiresCertificates() async throws {
    let variables = ["SSL_CERT_FILE": "/no/such/file.pem"]
    let live = try await Self.live({ _ in .json(Self.metadata) }, variables: variables)
    #expect(live.status == .environmentFailure)
    #expect(live.output.contains("problem: authorities: TLS error: SSL_CERT_FILE refers to /no/such/file.pem"))
    let session = try TerminalSession(variables: variables)
    #expect(try await session.run("doctor").status == .success)
  }
}
