import AuthflowCLI
import Documents
import Effects
import HTTPTypes
import LiveWorld
import SimulatedWorld
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `authflow emulator` with a stub instead of an HTTP server.
@Suite struct EmulatorCommandTests {
  /// A server that passes requests directly to the handler, without a network.
  final class StubServer: RunningServer {
    let port = 4711
    let addresses = ["127.0.0.1", "::1"]
    let configuration: HTTPServer.Configuration
    let handler: RequestHandler
    let isStopped = Atomic(false)

    init(_ configuration: HTTPServer.Configuration, _ handler: @escaping RequestHandler) {
      self.configuration = configuration
      self.handler = handler
    }

    func stop(grace: Duration) async { isStopped.store(true, ordering: .relaxed) }

    func send(
      _ url: String, method: HTTPRequest.Method = .get, headers: HTTPFields = [:], isLoopback: Bool = true
    ) async throws -> ResponseMessage? {
      let request = try #require(RequestMessage(method: method, url: url, headers: headers))
      guard case .response(let response) = await handler(request, ServerPeer(isLoopback: isLoopback)) else {
        return nil
      }
      return response
    }

    /// Installs a fault through the control interface, then sends a request to the URL.
    func inject(_ fault: JSON, requesting url: String) async throws -> ServerOutcome {
      let events = JSON.array([["fault": fault]]).text()
      let request = try #require(
        RequestMessage(
          method: .post, url: "http://localhost:4711/_authflow/events",
          headers: [.contentType: "application/json"], body: Array(events.utf8)))
      guard case .response(let response) = await handler(request, ServerPeer(isLoopback: true)) else {
        Issue.record("the control interface did not respond")
        return .broken
      }
      #expect(response.head.status == .ok, "\(String(decoding: response.body, as: UTF8.self))")
      return await handler(try #require(RequestMessage(url: url)), ServerPeer(isLoopback: true))
    }
  }

  struct Run {
    var status: ExitStatus
    var output: String
    var error: String
    var server: StubServer?
  }

  static func run(
    _ arguments: [String], in session: TerminalSession,
    failure: HTTPServer.ListenError? = nil, onOpen: @escaping @Sendable () -> Void = {}
  ) async throws -> Run {
    let openedServer = Mutex<StubServer?>(nil)
    let console = session.simulation.console
    let writingsBefore = console.writings.count
    let world = session.simulation.world
    let status = try await session.simulation.run {
      await CommandLineTool.run(["emulator"] + arguments, in: world) {
        configuration, handler throws(HTTPServer.ListenError) in
        if let failure { throw failure }
        let server = StubServer(configuration, handler)
        openedServer.withLock { $0 = server }
        onOpen()
        return server
      }
    }
    func text(_ stream: ConsoleStream) -> String {
      String(
        decoding: console.writings[writingsBefore...].filter { $0.stream == stream }.flatMap(\.bytes), as: UTF8.self)
    }
    return Run(
      status: status, output: text(.output), error: text(.error), server: openedServer.withLock { $0 })
  }

  static let caPath = TerminalSession.state + "/emulator/development-ca.pem"

  @Test func printsTheSettingsThatClientsNeed() async throws {
    let session = try TerminalSession()
    let run = try await Self.run(["--for", "1h"], in: session)
    #expect(run.status == .success)
    #expect(run.server?.isStopped.load(ordering: .relaxed) == true)
    for text in [
      "listens on https://localhost:4711 and http://localhost:4711", "megan@contoso.com", "Fake-Megan-1",
      "export CA=\(Self.caPath)", #"REQUESTS_CA_BUNDLE="$CA""#, "instance_discovery=False",
      "disable_instance_discovery=True", #"adapter.base_url = "https://localhost:4711/v1.0""#,
      "WithInstanceDiscovery(false)", "start page   http://localhost:4711/?token=",
      #"knownAuthorities: ["localhost:4711"]"#, "NODE_EXTRA_CA_CERTS",
    ] { #expect(run.output.contains(text), "\(text)\n\(run.output)") }
    #expect(session.files.text(Self.caPath)?.hasPrefix("-----BEGIN CERTIFICATE-----") == true)
  }

  @Test func printsOneJSONObject() async throws {
    let session = try TerminalSession()
    let run = try await Self.run(["--for", "1s", "--format", "json", "--no-control"], in: session)
    let json = try JSON(parsing: Array(run.output.utf8))
    #expect(json["baseURL"]?.string == "https://localhost:4711")
    #expect(json["plainURL"]?.string == "http://localhost:4711")
    #expect(json["port"]?.integer == 4711)
    #expect((json["pid"]?.integer ?? 0) > 0)
    #expect(json["caFile"]?.string == Self.caPath)
    #expect(json["controlURL"] == nil && json["startPageURL"] == nil)
    #expect(json["accounts"]?.array?.first?["username"]?.string == "megan@contoso.com")
    let tls = try await Self.run(["--for", "1s", "--format", "json", "--tls"], in: session)
    let tlsJSON = try JSON(parsing: Array(tls.output.utf8))
    #expect(tlsJSON["plainURL"] == nil)
    #expect(tlsJSON["controlURL"]?.string == "https://localhost:4711/_authflow/")
    #expect(tlsJSON["startPageURL"]?.string?.hasPrefix("https://localhost:4711/?token=") == true)
    #expect(tls.server?.configuration.plain == false)
  }

  @Test func doesNotPrintPasswordsOfADirectoryFile() async throws {
    let directory =
      "tenants:\n  - name: Mine\n    domains: [mine.example]\n    users:\n"
      + "      - username: me@mine.example\n        password: my-secret\n"
    let session = try TerminalSession(files: ["d.yaml": directory])
    for format in ["text", "json"] {
      let run = try await Self.run(["--for", "1s", "--directory", "d.yaml", "--format", format], in: session)
      #expect(run.status == .success, "\(run.error)")
      #expect(run.output.contains("me@mine.example"))
      #expect(!run.output.contains("my-secret"))
    }
  }

  @Test(arguments: [
    (["--port", "70000"], "--port"), (["--for", "soon"], "--for"), (["--export-only"], "--export-ca"),
    (["--no-control", "--open-control"], "cannot be used together"), (["--no-control", "--open"], "`--open` requires"),
    (["--allow-host", "http://x"], "--allow-host"),
    (["--directory", "missing.yaml"], "no such file"), (["--directory", "wrong.yaml"], "userz"),
    (["--export-ca", "wrong.yaml"], "not a certificate"), (["--state", "wrong.yaml"], ""),
    (["--state", ""], "`--state` requires a file"), (["--export-ca", ""], "`--export-ca` requires a file"),
  ])
  func rejectsInvalidOptions(arguments: [String], message: String) async throws {
    let session = try TerminalSession(files: ["wrong.yaml": "tenants:\n  - name: X\n    userz: []\n"])
    let run = try await Self.run(arguments, in: session)
    #expect(run.status == .usageError)
    #expect(run.error.contains(message), "\(run.error)")
    #expect(run.server == nil)
  }

  @Test(arguments: [
    "", ".", "com", "co.uk", "dev.", "a..b", "x:1", "1.2.3", "http://x", "[::1", "[x]", "*.dev.example", "a b",
  ])
  func rejectsAnInvalidHostName(name: String) async throws {
    let session = try TerminalSession()
    for option in ["--host", "--allow-host"] {
      let run = try await Self.run([option, name, "--export-ca", "ca.pem", "--export-only"], in: session)
      #expect(run.status == .usageError)
      #expect(run.error.contains(option) && run.error.contains("`\(name)`"), "\(run.error)")
      #expect(session.files.text("ca.pem") == nil)
    }
  }

  @Test(arguments: [
    ("[::1]", "::1"), ("0:0:0:0:0:0:0:0", "::"), ("fe80::1%eth0", "fe80::1%eth0"), ("Devbox", "devbox"),
    ("10.0.0.7", "10.0.0.7"),
  ])
  func listensOnAnAddressOrHostName(host: String, address: String) async throws {
    let session = try TerminalSession()
    let run = try await Self.run(["--for", "1s", "--host", host], in: session)
    #expect(run.status == .success, "\(run.error)")
    #expect(run.server?.configuration.address == address)
    #expect(run.error.contains("other computers on the network") == (address != "::1"))
  }

  @Test func doesNotCreateACAIfTheAddressIsUnavailable() async throws {
    let session = try TerminalSession()
    let failure = HTTPServer.ListenError(explanation: "no address is known for the host x", cause: .addressUnavailable)
    let run = try await Self.run(["--host", "nonsense"], in: session, failure: failure)
    #expect(run.status == .environmentFailure)
    #expect(run.error.contains("`--host`"), "\(run.error)")
    #expect((try? session.files.list(TerminalSession.state + "/emulator")) ?? [] == [])
  }

  private static func metadata(_ status: HTTPResponse.Status, _ json: String) -> ResponseMessage {
    ResponseMessage(status, body: Array(json.utf8))
  }

  @Test(arguments: [
    (nil, ExitStatus.failed, "no emulator responds at http://127.0.0.1:8443"),
    (metadata(.ok, #"{"issuer": "https://localhost:8443"}"#), .success, "emulator is ready at"),
    (metadata(.ok, "{}"), .failed, "is not an emulator"),
    (metadata(.notFound, #"{"issuer": "https://localhost:8443"}"#), .failed, "is not an emulator"),
  ])
  func checksWhetherAnEmulatorAnswers(response: ResponseMessage?, status: ExitStatus, text: String) async throws {
    let http = StubTransport(answering: [response].compactMap { $0 })
    let run = try await Self.run(["--check"], in: TerminalSession(http: http))
    #expect(run.status == status)
    #expect((run.output + run.error).contains(text), "\(run.output)\(run.error)")
    #expect(http.requests.first?.url == "http://127.0.0.1:8443/common/v2.0/.well-known/openid-configuration")
    #expect(run.server == nil)
  }

  @Test(arguments: [["--check", "--tls"], ["--check", "--port", "0"]])
  func theCheckOptionRequiresHTTPAndAPort(arguments: [String]) async throws {
    let run = try await Self.run(arguments, in: TerminalSession())
    #expect(run.status == .usageError)
    #expect(run.error.contains("--check"), "\(run.error)")
  }

  @Test func aPortInUseIsAnEnvironmentError() async throws {
    let session = try TerminalSession()
    let run = try await Self.run([], in: session, failure: .init(explanation: "port 8443 is in use by another program"))
    #expect(run.status == .environmentFailure)
    #expect(run.error.contains("port 8443 is in use"))
    #expect(run.output.isEmpty)
  }

  @Test func exportsTheCAWithoutStartingAServer() async throws {
    let session = try TerminalSession()
    let run = try await Self.run(["--export-ca", "ca.pem", "--export-only"], in: session)
    #expect(run.status == .success)
    #expect(run.server == nil)
    let pem = session.files.text("ca.pem")
    #expect(pem?.hasPrefix("-----BEGIN CERTIFICATE-----") == true && pem?.contains("PRIVATE") == false)
    // An existing certificate is overwritten.
    #expect(try await Self.run(["--export-ca", "ca.pem", "--export-only"], in: session).status == .success)
    #expect(session.files.text("ca.pem") == pem)
  }

  /// The default CA cannot issue certificates for live hosts, so it is safe to trust it in a browser.
  @Test func realHostsUseASeparateCA() async throws {
    let session = try TerminalSession()
    let local = try await Self.run(["--export-ca", "local.pem", "--export-only"], in: session)
    #expect(!local.error.contains("never in a browser"))
    let real = try await Self.run(["--real-hosts", "--export-ca", "real.pem", "--export-only"], in: session)
    #expect(real.error.contains("never in a browser"))
    // Name constraints are plain text in the DER encoding of a certificate.
    func certificate(in file: String, names name: String) throws -> Bool {
      let text = try #require(session.files.text(file))
      let bytes = try #require(Data(base64Encoded: text.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()))
      return String(decoding: bytes, as: UTF8.self).contains(name)
    }
    for name in ["login.microsoftonline.com", "graph.microsoft.com", "ciamlogin.com"] {
      #expect(try !certificate(in: "local.pem", names: name))
      #expect(try certificate(in: "real.pem", names: name))
    }
    #expect(try certificate(in: "local.pem", names: "localhost"))
  }

  @Test func servesOnlyLocalMicrosoftAndAllowedHosts() async throws {
    let session = try TerminalSession()
    let run = try await Self.run(["--for", "1s", "--allow-host", "dev.example"], in: session)
    let serves = try #require(run.server?.configuration.serves)
    for host in [
      "localhost", "a.localhost", "127.0.0.1", "127.9.9.9", "::1", "login.microsoftonline.com", "graph.microsoft.com",
      "fabrikamb2c.b2clogin.com", "contoso.ciamlogin.com", "login.microsoftonline.us", "dev.example",
    ] { #expect(serves(host), "\(host)") }
    for host in ["evil.example", "localhost.evil.example", "127.evil.example", "127.0.0.1.nip.io", ""] {
      #expect(!serves(host), "\(host)")
    }
  }

  @Test func restrictsTheControlInterfaceToThisMachine() async throws {
    let session = try TerminalSession()
    let server = try #require(try await Self.run(["--for", "1s", "--host", "0.0.0.0"], in: session).server)
    for path in ["/_authflow/state", "//_authflow/state", "/%5Fauthflow/state"] {
      let url = "http://localhost:4711" + path
      #expect(try await server.send(url)?.head.status == .ok, "\(path)")
      #expect(try await server.send(url, isLoopback: false)?.head.status == .forbidden, "\(path)")
      // In a DNS rebinding attack, the attacker's host name resolves to this machine.
      #expect(try await server.send("http://evil.example" + path)?.head.status == .forbidden, "\(path)")
    }
    let discovery = "http://10.1.2.3:4711/common/v2.0/.well-known/openid-configuration"
    #expect(try await server.send(discovery, isLoopback: false)?.head.status == .ok)
    let open = try #require(
      try await Self.run(["--for", "1s", "--host", "0.0.0.0", "--open-control"], in: session).server)
    #expect(try await open.send("http://10.1.2.3/_authflow/state", isLoopback: false)?.head.status == .ok)
    let disabled = try #require(try await Self.run(["--for", "1s", "--no-control"], in: session).server)
    #expect(try await disabled.send("http://localhost/_authflow/state")?.head.status == .forbidden)
  }

  /// The effect of a fault on a client in another process.
  enum FaultEffect: Sendable {
    case closed, endless, truncated
    case status(Int, type: String = "application/json", error: String? = nil, retryAfter: String? = nil)
  }

  @Test(
    arguments: [
      ("reset", .closed), ("tls", .closed), ("endless", .endless), ("truncated", .truncated),
      ("html", .status(200, type: "text/html")), (["type": "text/html"], .status(200, type: "text/html")),
      (["status": 503], .status(503, error: "temporarily_unavailable")),
      (["status": 429, "retryAfter": "7s"], .status(429, error: "temporarily_unavailable", retryAfter: "7")),
      (["error": "invalid_grant", "code": "AADSTS50076"], .status(400, error: "invalid_grant")),
      (["delay": "5s", "status": 404], .status(404)),
    ] as [(JSON, FaultEffect)])
  func faultsAffectClientsInOtherProcesses(faultResponse: JSON, effect: FaultEffect) async throws {
    let session = try TerminalSession()
    let server = try #require(try await Self.run(["--for", "1s"], in: session).server)
    let url = "http://localhost:4711/common/v2.0/.well-known/openid-configuration"
    let completeLength = try #require(try await server.send(url)).body.count
    let outcome = try await session.simulation.run {
      try await server.inject(["at": "discovery", "response": faultResponse], requesting: url)
    }
    switch (outcome, effect) {
    case (.broken, .closed), (.endless, .endless): break
    case (.cut(let response), .truncated): #expect(response.body.count == completeLength)
    case (.response(let response), .status(let status, let type, let error, let retryAfter)):
      #expect(response.head.status.code == status)
      #expect(response.head.headerFields[.contentType]?.hasPrefix(type) == true)
      #expect(response.head.headerFields[.retryAfter] == retryAfter)
      if let error { #expect(try JSON(parsing: response.body)["error"]?.string == error) }
    default: Issue.record("\(faultResponse.text()) caused \(outcome)")
    }
    // The fault triggers only once, so the next response is complete.
    #expect(try await server.send(url)?.body.count == completeLength)
    let state = try JSON(parsing: try #require(try await server.send("http://localhost:4711/_authflow/state")).body)
    #expect(state["faults"]?[0]?["fired"] == 1)
  }

  @Test func warnsIfOtherComputersCanConnect() async throws {
    let session = try TerminalSession()
    #expect(
      try await Self.run(["--for", "1s", "--host", "0.0.0.0"], in: session).error.contains("warning: other computers"))
    let local = try await Self.run(["--for", "1s", "--host", "localhost"], in: session)
    #expect(local.error.isEmpty)
    #expect(local.server?.configuration.address == nil)
  }

  @Test func endpointsUseTheOriginOfTheRequest() async throws {
    let session = try TerminalSession()
    let server = try #require(try await Self.run(["--for", "1s"], in: session).server)
    for base in ["http://localhost:4711", "https://127.0.0.1:9", "https://login.microsoftonline.com"] {
      let response = try #require(try await server.send(base + "/common/v2.0/.well-known/openid-configuration"))
      let json = try JSON(parsing: response.body)
      #expect(json["token_endpoint"]?.string == base + "/common/oauth2/v2.0/token")
      // HSTS on localhost would make browsers require TLS on all localhost ports.
      let isLiveHost = base.hasSuffix(".com")
      #expect((response.head.headerFields[.strictTransportSecurity] != nil) == isLiveHost)
    }
    for base in ["http://localhost:4711", "https://localhost:4711", "https://graph.microsoft.com"] {
      let response = try #require(try await server.send(base + "/v1.0/me"))
      #expect(response.head.status == .unauthorized)
      #expect((response.head.headerFields[.strictTransportSecurity] != nil) == base.hasSuffix(".com"))
    }
  }

  @Test func verbosePrintsRequestsWithoutSecrets() async throws {
    let session = try TerminalSession()
    let server = try #require(try await Self.run(["--for", "1s", "--verbose"], in: session).server)
    _ = try await server.send("http://localhost/common/oauth2/v2.0/token?client_secret=hidden", method: .post)
    let error = session.simulation.console.error
    #expect(error.contains("POST /common/oauth2/v2.0/token 400 AADSTS"), "\(error)")
    #expect(!error.contains("hidden"))
  }

  @Test func exitsWhenStandardInputCloses() async throws {
    let session = try TerminalSession(console: BufferedConsole(input: ["a line"]))
    #expect(try await Self.run(["--exit-with-stdin"], in: session).status == .success)
  }

  @Test func anInterruptStopsTheServer() async throws {
    let session = try TerminalSession()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await Self.run([], in: session)
    }
    let run = try await task.value
    #expect(run.status == .interrupted)
    #expect(run.server?.isStopped.load(ordering: .relaxed) == true)
  }
}
