import Effects
import HTTPTypes
import LiveWorld
import Testing

/// Tests the server over real sockets. Invalid input is sent as raw bytes.
@Suite struct HTTPServerTests {
  /// Starts a server that echoes its requests.
  static func open(
    limits: ServerLimits = ServerLimits(), largeBodies: LargeBodies? = nil, port: Int = 0,
    function: @escaping RequestHandler = { request, _ in
      .response(
        ResponseMessage(
          .ok, headers: [.contentType: "text/plain"],
          body: Array("\(request.head.method.rawValue) \(request.url) \(request.body.count)".utf8)))
    }
  ) async throws -> HTTPServer {
    var configuration = HTTPServer.Configuration(
      port: port, largeBodies: largeBodies, serves: { $0 == "localhost" })
    configuration.limits = limits
    return try await HTTPServer.open(configuration, function: function)
  }

  static func get(_ path: String, _ more: String = "") -> String {
    "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(more)\r\n"
  }

  static let last = "Connection: close\r\n"

  static func status(_ response: String) -> String {
    String(response.dropFirst("HTTP/1.1 ".count).prefix(3))
  }

  static func body(_ response: String) -> String {
    response.firstRange(of: "\r\n\r\n").map { String(response[$0.upperBound...]) } ?? ""
  }

  @Test func respondsInOrderOnAConnection() async throws {
    let server = try await Self.open { request, _ in
      // The first response takes longest.
      for _ in 0..<(request.head.path == "/1" ? 100 : 0) { await Task.yield() }
      return .response(ResponseMessage(.ok, body: Array("<\(request.head.path ?? "")>".utf8)))
    }
    let response = try await RawConnection.exchange(
      Self.get("/1") + Self.get("/2") + "POST /3 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc"
        + Self.get("/4", Self.last), port: server.port)
    let paths = response.split(separator: "<").dropFirst().compactMap { $0.split(separator: ">").first }
    #expect(paths == ["/1", "/2", "/3", "/4"])
    #expect(response.matches(of: /Content-Length: 4\r\n/).count == 4, "\(response)")
    #expect(response.matches(of: /\r\nDate:/).count == 4)
    #expect(response.matches(of: /Connection: keep-alive/).count == 3)
  }

  @Test func pipelinedRequestsDoNotRecurse() async throws {
    let server = try await Self.open()
    let many = String(repeating: Self.get("/"), count: 5_000) + Self.get("/last", Self.last)
    let response = try await RawConnection.exchange(many, port: server.port)
    #expect(response.matches(of: /HTTP\/1.1 200 OK/).count == 5_001)
  }

  @Test(arguments: [
    ("GET /a/../b%2e%2E/%5Fc?q=%41 HTTP/1.1\r\nHost: localhost:9", "GET http://localhost:9/a/../b%2e%2E/%5Fc?q=%41 0"),
    ("GET http://localhost:7/x HTTP/1.1\r\nHost: elsewhere.example", "GET http://localhost:7/x 0"),
    ("OPTIONS * HTTP/1.1\r\nHost: localhost", "OPTIONS http://localhost/ 0"),
    ("GET / HTTP/1.0\r\nHost: LOCALHOST.", "GET http://LOCALHOST./ 0"),
    ("GET / HTTP/1.1\r\nHost: localhost:", "GET http://localhost:/ 0"),
    (
      "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings",
      "GET http://localhost/ 0"
    ),
  ])
  func theHandlerReceivesTheRequestedURL(request: String, expected: String) async throws {
    let server = try await Self.open()
    let end = request.contains("HTTP/1.0") || request.contains("Upgrade") ? "\r\n\r\n" : "\r\nConnection: close\r\n\r\n"
    let response = try await RawConnection.exchange(request + end, port: server.port)
    #expect(Self.body(response) == expected, "\(response)")
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost: local host\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost: user@localhost\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost: localhost:abc\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost: localhost:65536\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost: [::1]:x\r\n\r\n", "400"),
    ("GET / HTTP/1.0\r\nHost: localhost\r\nHost: localhost\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", "421"),
    ("GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n", "421"),
    ("GET localhost HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"),
    ("GET ftp://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"),
    ("invalid\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nBad Name: x\r\n\r\n", "400"),
    ("GET / HTTP/1.1\r\nHost: localhost\r\nA: b\r\n c\r\n\r\n", "400"),
    ("CONNECT localhost:443 HTTP/1.1\r\nHost: localhost\r\n\r\n", "400"),
    // Parsers could disagree about whether each of these inputs is one request or two requests.
    ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400"),
    ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde", "400"),
    ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: +4\r\n\r\nabcd", "400"),
    ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", "400"),
    ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "501"),
    ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", "501"),
    ("POST / HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400"),
    ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n", "400"),
  ])
  func rejectsInvalidAndAmbiguousRequests(request: String, status: String) async throws {
    let server = try await Self.open()
    let response = try await RawConnection.exchange(request + Self.get("/smuggled"), port: server.port)
    #expect(Self.status(response) == status, "\(response)")
    #expect(!response.contains("smuggled"))
    #expect(response.contains("Connection: close"))
  }

  @Test(arguments: [
    "GET /\(String(repeating: "a", count: 40_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: \(String(repeating: "a", count: 40_000))\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\n\((0..<300).map { "X-\($0): a\r\n" }.joined())\r\n",
    String(repeating: "a", count: 200_000),
  ])
  func limitsTheSizeOfAHead(request: String) async throws {
    let server = try await Self.open()
    let status = Self.status(try await RawConnection.exchange(request, port: server.port))
    #expect(status == "431" || status == "400")
  }

  @Test func rejectsLargeBodiesWithAReadableResponse() async throws {
    var limits = ServerLimits()
    limits.body = 100_000
    let server = try await Self.open(limits: limits)
    // Like many clients, sends everything before it reads the response.
    let body = String(repeating: "x", count: 5_000_000)
    let announced = try await RawConnection.exchange(
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body, port: server.port)
    #expect(Self.status(announced) == "413", "\(announced.prefix(200))")
    let chunk = String(repeating: "x", count: 0x4000)
    let chunked = try await RawConnection.exchange(
      "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        + String(repeating: "4000\r\n\(chunk)\r\n", count: 100) + "0\r\n\r\n", port: server.port)
    #expect(Self.status(chunked) == "413", "\(chunked.prefix(200))")
    let fitting = try await RawConnection.exchange(
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\nConnection: close\r\n\r\n"
        + body.prefix(100_000),
      port: server.port)
    #expect(Self.body(fitting).hasSuffix(" 100000"))
  }

  @Test("accepts larger bodies for some requests, and sends the handler's own response if the body is too large")
  func largeBodies() async throws {
    var limits = ServerLimits()
    limits.body = 100
    let large = LargeBodies(
      limit: { $0.path == "/upload" ? 1_000 : 0 },
      refusal: { ResponseMessage(.contentTooLarge, body: Array("rejected \($0.path ?? "")".utf8)) })
    let server = try await Self.open(limits: limits, largeBodies: large)
    func put(_ path: String, _ size: Int, chunked: Bool = false) async throws -> String {
      let body = String(repeating: "x", count: size)
      let rest =
        chunked
        ? "Transfer-Encoding: chunked\r\n\r\n\(String(size, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
        : "Content-Length: \(size)\r\n\r\n\(body)"
      return try await RawConnection.exchange(
        "PUT \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + rest, port: server.port)
    }
    for chunked in [false, true] {
      #expect(Self.body(try await put("/upload", 1_000, chunked: chunked)).hasSuffix(" 1000"))
      for (path, size) in [("/upload", 1_001), ("/other", 101)] {
        let response = try await put(path, size, chunked: chunked)
        #expect(Self.status(response) == "413" && Self.body(response) == "rejected \(path)", "\(response)")
      }
    }
  }

  @Test func supportsExpectContinue() async throws {
    let server = try await Self.open()
    let head = "POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: "
    let response = try await RawConnection.exchange(head + "3\r\n\r\nabc", port: server.port)
    #expect(response.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK"))
    let rejected = try await RawConnection.exchange(head + "5000000\r\n\r\n", port: server.port)
    #expect(rejected.hasPrefix("HTTP/1.1 413"), "rejected before the body is sent")
  }

  @Test func omitsBodiesOfHEADAndNoContentResponses() async throws {
    let server = try await Self.open { request, _ in
      .response(ResponseMessage(request.head.path == "/204" ? .noContent : .ok, body: Array("four".utf8)))
    }
    let head = try await RawConnection.exchange(
      "HEAD / HTTP/1.1\r\nHost: localhost\r\n\(Self.last)\r\n", port: server.port)
    #expect(head.contains("Content-Length: 4\r\n"))
    #expect(Self.body(head).isEmpty)
    let none = try await RawConnection.exchange(Self.get("/204", Self.last), port: server.port)
    #expect(none.hasPrefix("HTTP/1.1 204 No Content"))
    #expect(!none.contains("Content-Length") && Self.body(none).isEmpty)
  }

  @Test func timesOutSlowAndIdleClients() async throws {
    // On a busy machine, the server can read the first byte late, so the head has a longer timeout.
    var (slow, idling) = (ServerLimits(), ServerLimits())
    (slow.headTime, slow.bodyTime) = (.milliseconds(500), .milliseconds(40))
    idling.idleTime = .milliseconds(40)
    let server = try await Self.open(limits: slow)
    #expect(try await RawConnection.exchange("", port: server.port).isEmpty)
    #expect(Self.status(try await RawConnection.exchange("GET / HT", port: server.port)) == "408")
    let body = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc"
    #expect(Self.status(try await RawConnection.exchange(body, port: server.port)) == "408")
    let other = try await Self.open(limits: idling)
    let idle = try await RawConnection.exchange(Self.get("/"), port: other.port)
    #expect(Self.status(idle) == "200", "responded, and closed the connection after the idle time: \(idle)")
    #expect(!idle.contains("408"))
  }

  @Test func limitsConcurrentConnections() async throws {
    var limits = ServerLimits()
    limits.connections = 1
    let server = try await Self.open(limits: limits)
    var first: RawConnection? = try RawConnection(port: server.port)
    first?.send(Self.get("/"))
    let second = try RawConnection(port: server.port)
    second.send(Self.get("/second", Self.last))
    _ = await first?.receive(atLeast: 15)
    first = nil
    #expect(Self.body(await second.readToEnd()).contains("/second"))
  }

  @Test func sendsEndlessResponsesUntilTheClientDisconnects() async throws {
    let server = try await Self.open { _, _ in .endless(ResponseMessage(.ok, body: [65]), more: [66]) }
    let connection = try RawConnection(port: server.port)
    connection.send(Self.get("/"))
    let text = await connection.receive(atLeast: 2_000_000)
    #expect(text.contains("Transfer-Encoding: chunked\r\n"))
    #expect(text.contains("\r\n\r\n1\r\nA\r\n4000\r\nBBBB"))
    #expect(text.utf8.count >= 2_000_000)
    // None of these connections prevents the server from stopping.
    await server.stop(grace: .seconds(600))
  }

  @Test func clientsReportResetConnections() async throws {
    let server = try await Self.open { _, _ in .broken }
    let request = try #require(RequestMessage(url: "http://localhost:\(server.port)/"))
    let environment = Environment(variables: [:], workingDirectory: "/")
    await #expect {
      _ = try await HTTPClientTransport.patient(environment).send(request)
    } throws: { error in
      if case .connectionLost = error as? TransportFailure { true } else { false }
    }
  }

  /// Fewer bytes than `Content-Length`: the response is incomplete (RFC 9112 §8).
  @Test func clientsReportTruncatedResponses() async throws {
    let body = Array(repeating: UInt8(65), count: 1_000)
    let server = try await Self.open { _, _ in .cut(ResponseMessage(.ok, body: body)) }
    let connection = try RawConnection(port: server.port)
    connection.send(Self.get("/"))
    let text = await connection.readToEnd()
    #expect(text.lowercased().contains("content-length: 1000\r\n"))
    #expect(text.hasSuffix("\r\n\r\n" + String(repeating: "A", count: 500)))
    let request = try #require(RequestMessage(url: "http://localhost:\(server.port)/"))
    let environment = Environment(variables: [:], workingDirectory: "/")
    await #expect {
      _ = try await HTTPClientTransport.patient(environment).send(request)
    } throws: { error in
      if case .connectionLost = error as? TransportFailure { true } else { false }
    }
  }

  @Test func stoppingWaitsForOpenRequests() async throws {
    let (started, startSource) = AsyncStream<Void>.makeStream()
    let (release, releaseSource) = AsyncStream<Void>.makeStream()
    let server = try await Self.open(port: OpenVisit.uniquePort()) { _, _ in
      startSource.yield()
      for await _ in release { break }
      return .response(ResponseMessage(.ok, body: Array("done".utf8)))
    }
    let connection = try RawConnection(port: server.port)
    connection.send(Self.get("/"))
    for await _ in started { break }
    async let stopped: Void = server.stop(grace: .seconds(600))
    // From now on, the server rejects new connections but responds to open requests.
    while (try? RawConnection(port: server.port)) != nil { await Task.yield() }
    releaseSource.yield()
    let response = await connection.readToEnd()
    #expect(Self.body(response) == "done")
    await stopped
  }

  @Test func usesTheLocalAddressWithoutAHostField() async throws {
    let server = try await HTTPServer.open(.init(serves: { $0 == "127.0.0.1" })) { request, _ in
      .response(ResponseMessage(.ok, body: Array(request.url.utf8)))
    }
    let response = try await RawConnection.exchange("GET /x HTTP/1.0\r\n\r\n", port: server.port)
    #expect(Self.body(response) == "http://127.0.0.1:\(server.port)/x")
    let other = try await Self.open()
    let rejected = try await RawConnection.exchange("GET /x HTTP/1.0\r\n\r\n", port: other.port)
    #expect(Self.status(rejected) == "421", "the server must serve the address as a host")
    withExtendedLifetime((server, other)) {}
  }

  /// Starts a server that never responds. Its events report received requests and canceled handlers.
  static func openUnresponsiveServer(
    limits: ServerLimits
  ) async throws -> (HTTPServer, events: AsyncStream<String>.Iterator) {
    let (events, source) = AsyncStream.makeStream(of: String.self)
    let server = try await Self.open(limits: limits) { _, _ in
      source.yield("received")
      // Only a cancellation ends this loop.
      let (never, end) = AsyncStream.makeStream(of: Never.self)
      for await _ in never {}
      end.finish()
      source.yield(Task.isCancelled ? "canceled" : "woken")
      return .broken
    }
    return (server, events.makeAsyncIterator())
  }

  @Test(arguments: [false, true])
  func cancelsTheHandlerWhenTheClientDisconnects(isHard: Bool) async throws {
    var limits = ServerLimits()
    // A reset is detected immediately, without a timeout.
    limits.hangUpTime = isHard ? .seconds(100_000) : .milliseconds(20)
    var (server, events) = try await Self.openUnresponsiveServer(limits: limits)
    var client: RawConnection? = try RawConnection(port: server.port)
    if isHard { client?.resetAtClose() }
    // The server must detect the disconnect despite pipelined input.
    client?.send(Self.get("/") + Self.get("/more"))
    #expect(await events.next() == "received")
    client = nil
    #expect(await events.next() == "canceled")
    await server.stop(grace: .seconds(600))
  }

  @Test func respondsAfterTheClientClosesItsSendingHalf() async throws {
    let (release, releaseSource) = AsyncStream.makeStream(of: Void.self)
    let (started, startSource) = AsyncStream.makeStream(of: Void.self)
    var limits = ServerLimits()
    limits.hangUpTime = .seconds(100_000)
    let server = try await Self.open(limits: limits) { _, _ in
      startSource.yield()
      for await _ in release { break }
      return .response(ResponseMessage(.ok, body: Array("done".utf8)))
    }
    let client = try RawConnection(port: server.port)
    client.send(Self.get("/"))
    for await _ in started { break }
    client.closeSending()
    releaseSource.yield()
    #expect(Self.body(await client.readToEnd()) == "done")
  }

  @Test(arguments: ["no-such-host.invalid", "192.0.2.1", "2001:db8::1"])
  func reportsUnavailableAddresses(address: String) async throws {
    await #expect {
      _ = try await HTTPServer.open(.init(address: address)) { _, _ in .broken }
    } throws: { error in
      let failure = error as? HTTPServer.ListenError
      return failure?.cause == .addressUnavailable && failure?.explanation.contains(address) == true
        && failure?.explanation.contains("Error") == false
    }
  }

  @Test func reportsAPortInUse() async throws {
    let server = try await Self.open()
    await #expect {
      _ = try await HTTPServer.open(.init(port: server.port)) { _, _ in .broken }
    } throws: { error in
      (error as? HTTPServer.ListenError)?.explanation == "port \(server.port) is in use by another program"
    }
  }
}
