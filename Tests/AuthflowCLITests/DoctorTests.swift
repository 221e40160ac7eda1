import AuthflowCLI
import Documents
import Effects
import HTTPTypes
import SimulatedWorld
import Testing

/// `authflow doctor`: what the surroundings have and lack.
@Suite struct DoctorTests {
  private static func verdicts(_ result: TerminalSession.Result) throws -> [String: String] {
    let findings = try #require(try JSON(parsing: Array(result.output.utf8)).array)
    return findings.reduce(into: [:]) { verdicts, finding in
      verdicts[finding["subject"]?.string ?? ""] = finding["verdict"]?.string
    }
  }

  @Test func aMachineWithoutADesktopIsGoodEnoughForTheEmbeddedPlatform() async throws {
    let session = try TerminalSession()
    let result = try await session.run("doctor", "--format", "json")
    #expect(result.status == .success, "\(result.error)")
    let verdicts = try Self.verdicts(result)
    #expect(verdicts["state"] == "ok" && verdicts["loopback"] == "ok" && verdicts["proxy"] == "ok")
    #expect(verdicts["browser"] == "note")
    #expect(!session.files.paths.contains { $0.contains("doctor-trial") }, "it leaves nothing behind")
    let text = try await session.run("doctor")
    #expect(text.output.contains("note: browser: there is no display"))
    #expect(text.output.contains("  help: --print-url and --paste use a browser elsewhere"))
  }

  @Test func aBrowserIsFoundWhereItIs() async throws {
    let session = try TerminalSession(
      files: ["/opt/bin/firefox": "#!/bin/sh"],
      variables: ["BROWSER": "chromium:firefox %s", "PATH": "/usr/bin:/opt/bin"])
    let result = try await session.run("doctor")
    #expect(result.output.contains("ok: browser: /opt/bin/firefox opens pages"), "\(result.output)")
  }

  @Test func aProxyIsNamedWithoutItsPassword() async throws {
    let session = try TerminalSession(variables: [
      "HTTPS_PROXY": "http://megan:hidden-1@proxy.contoso.com:3128", "ALL_PROXY": "socks5://localhost:1080",
    ])
    let result = try await session.run("doctor")
    #expect(result.output.contains("requests go through proxy.contoso.com:3128"))
    #expect(result.output.contains("ALL_PROXY names no HTTP proxy"))
    #expect(!result.output.contains("hidden-1"))
  }

  // MARK: The live platform

  private static func live(
    _ answer: @escaping StubTransport.Answer, variables: [String: String] = [:]
  ) async throws -> TerminalSession.Result {
    let session = try TerminalSession(
      files: ["/etc/ssl/certs/ca-certificates.crt": ""], variables: variables, http: StubTransport(answer))
    return try await session.run("doctor", "--platform", "live")
  }

  private static let metadata = #"{"issuer":"https://login.microsoftonline.com/{tenantid}/v2.0"}"#

  @Test(arguments: [
    ("Wed, 01 Jan 2025 00:04:00 GMT", "ok: clock: this machine's clock agrees", true),
    ("Wed, 01 Jan 2025 01:00:00 GMT", "problem: clock: this machine's clock is 3600 seconds behind", false),
    ("Tue, 31 Dec 2024 23:50:00 GMT", "seconds ahead of the platform's", false),
  ]) func theClockIsHeldAgainstThePlatforms(date: String, words: String, isWell: Bool) async throws {
    let result = try await Self.live { request in
      #expect(request.url == "https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration")
      return .json(Self.metadata, headers: [.date: date])
    }
    #expect(result.output.contains("ok: platform: https://login.microsoftonline.com/common answers as https://login"))
    #expect(result.output.contains(words), "\(result.output)")
    #expect(result.status == (isWell ? .success : .environmentFailure))
  }

  @Test func somebodyElsesPageIsNotTakenForThePlatform() async throws {
    let result = try await Self.live { _ in .html("<h1>Welcome to our hotel</h1>") }
    #expect(result.status == .environmentFailure)
    #expect(result.output.contains("answered with 200 and no metadata of an identity platform"))
  }

  @Test(arguments: [
    (TransportFailure.offline("the network is down"), "check the network"), (.hostNotFound("x"), "and the name"),
    (.tls("unknown authority"), "name it in SSL_CERT_FILE"), (.proxy("407"), "check HTTPS_PROXY"),
    (.timedOut("60 seconds"), "whether a proxy is needed"),
  ]) func whatStandsInTheWayIsToldApart(failure: TransportFailure, words: String) async throws {
    let result = try await Self.live { _ throws(TransportFailure) in throw failure }
    #expect(result.status == .environmentFailure)
    #expect(result.output.contains(failure.explanation) && result.output.contains(words), "\(result.output)")
  }

  @Test func whatIsNoAddressIsSaidToBeNone() async throws {
    let session = try TerminalSession()
    let result = try await session.run("doctor", "--platform", "live", "--authority", "contoso")
    #expect(result.status == .environmentFailure && result.output.contains("contoso is no https address"))
    let secret = try await session.run(
      "doctor", "--platform", "live", "--authority", "https://megan:hidden-1@login.contoso.com/common")
    #expect(secret.status == .environmentFailure && secret.output.contains("is no https address"), "\(secret.output)")
    #expect(!secret.output.contains("hidden-1"))
  }

  @Test func certificatesThatAreNotThereStandInTheWayOfTheLivePlatformOnly() async throws {
    let variables = ["SSL_CERT_FILE": "/no/such/file.pem"]
    let live = try await Self.live({ _ in .json(Self.metadata) }, variables: variables)
    #expect(live.status == .environmentFailure)
    #expect(live.output.contains("problem: authorities: TLS failed: SSL_CERT_FILE names /no/such/file.pem"))
    let session = try TerminalSession(variables: variables)
    #expect(try await session.run("doctor").status == .success)
  }
}
