import Effects
import HTTPTypes
import Testing

import LiveWorld

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension HTTPClientTransport {
  /// Returns a transport with long timeouts. Hundreds of tests run at the same time, so the machine can be busy.
  static func patient(_ environment: Environment, agent: String? = nil) -> HTTPClientTransport {
    var timeouts = Timeouts()
    (timeouts.connecting, timeouts.reading, timeouts.whole) = (.seconds(3600), .seconds(3600), .seconds(3600))
    return HTTPClientTransport(environment: environment, agent: agent, timeout: timeouts)
  }
}

@Suite("HTTP over the network", .serialized)
struct HTTPClientTransportTests {
  private let transport = HTTPClientTransport.patient(Environment(variables: [:], workingDirectory: "/"))

  private func get(_ url: String, method: HTTPRequest.Method = .get, body: [UInt8] = []) throws -> RequestMessage {
    try #require(RequestMessage(method: method, url: url, headers: [.accept: "text/html"], body: body))
  }

  private static func response(_ status: String, _ headers: String = "", _ body: String = "") -> [UInt8] {
    Array("HTTP/1.1 \(status)\r\n\(headers)Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)".utf8)
  }

  @Test("sends a complete request and returns the complete response")
  func exchange() async throws {
    let server = try LoopbackServer { request in
      let lines = request.split(separator: "\r\n").map(String.init)
      let head = lines.first ?? ""
      let hasField = lines.contains { $0.lowercased() == "accept: text/html" }
      return Self.response(
        "201 Created", "Set-Cookie: a=1\r\nSet-Cookie: b=2\r\nX-Head: \(head)\r\n", hasField ? "yes" : "no")
    }
    let response = try await transport.send(try get("http://127.0.0.1:\(server.port)/p/a?q=%20x#f"))
    #expect(response.head.status.code == 201)
    #expect(String(decoding: response.body, as: UTF8.self) == "yes")
    #expect(response.head.headerFields[values: .setCookie] == ["a=1", "b=2"])
    let head = try #require(HTTPField.Name("X-Head"))
    #expect(response.head.headerFields[head] == "GET /p/a?q=%20x HTTP/1.1")
  }

  @Test("sends all cookies in one field")
  func cookies() async throws {
    let server = try LoopbackServer { request in
      Self.response(
        "200 OK", "", request.split(separator: "\r\n").filter { $0.lowercased().hasPrefix("cookie:") }.joined())
    }
    var request = try get("http://127.0.0.1:\(server.port)/")
    request.head.headerFields[.cookie] = "a=1; b=2"
    #expect(String(decoding: try await transport.send(request).body, as: UTF8.self) == "Cookie: a=1; b=2")
  }

  @Test("sends one User-Agent")
  func agent() async throws {
    let server = try LoopbackServer { request in
      Self.response(
        "200 OK", "", request.split(separator: "\r\n").filter { $0.lowercased().hasPrefix("user-agent:") }.joined())
    }
    let transport = HTTPClientTransport.patient(
      Environment(variables: [:], workingDirectory: "/"), agent: "authflow/1")
    var request = try get("http://127.0.0.1:\(server.port)/")
    #expect(String(decoding: try await transport.send(request).body, as: UTF8.self) == "User-Agent: authflow/1")
    request.head.headerFields[.userAgent] = "custom"
    #expect(String(decoding: try await transport.send(request).body, as: UTF8.self) == "User-Agent: custom")
  }

  @Test("returns redirects and error statuses as responses", arguments: [302, 307, 400, 401, 429, 503])
  func statuses(code: Int) async throws {
    let server = try LoopbackServer { _ in Self.response("\(code) X", "Location: http://127.0.0.1:1/elsewhere\r\n") }
    let response = try await transport.send(try get("http://127.0.0.1:\(server.port)/", method: .post, body: [1, 2]))
    #expect(response.head.status.code == code)
  }

  @Test("distinguishes failures")
  func failures() async throws {
    let silent = try LoopbackServer { _ in nil }
    await #expect(throws: TransportFailure.connectionLost("127.0.0.1:\(silent.port)")) {
      try await transport.send(try get("http://127.0.0.1:\(silent.port)/"))
    }
    let other = try LoopbackServer { _ in Array("SSH-2.0-OpenSSH\r\n\r\n".utf8) }
    await #expect(throws: TransportFailure.badResponse("127.0.0.1:\(other.port) did not respond with HTTP")) {
      try await transport.send(try get("http://127.0.0.1:\(other.port)/"))
    }
    let large = try LoopbackServer { _ in
      Array("HTTP/1.1 200 OK\r\nContent-Length: 20000000\r\n\r\n".utf8) + Array(repeating: 0, count: 20_000_000)
    }
    await #expect(throws: TransportFailure.tooLong("127.0.0.1:\(large.port) sent more than 16 MiB")) {
      try await transport.send(try get("http://127.0.0.1:\(large.port)/"))
    }
    await #expect(
      throws: TransportFailure.connectionLost(
        "127.0.0.1:\(silent.port) closed the connection in the middle of the TLS handshake")
    ) { try await transport.send(try get("https://127.0.0.1:\(silent.port)/")) }
    // A TLS request to a server without TLS.
    await #expect {
      try await transport.send(try get("https://127.0.0.1:\(other.port)/"))
    } throws: { error in
      if case TransportFailure.tls = error { true } else { false }
    }
  }

  @Test(
    "an endless body times out", .timeLimit(.minutes(1)),
    arguments: [
      "Content-Length: 100\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
      "Connection: close\r\n\r\nabc",
    ])
  func endlessBody(response: String) async throws {
    let server = try LoopbackServer(holdsOpen: true) { _ in Array("HTTP/1.1 200 OK\r\n\(response)".utf8) }
    // The other timeouts must not expire first.
    var timeouts = HTTPClientTransport.Timeouts()
    (timeouts.connecting, timeouts.reading, timeouts.whole) = (.seconds(3600), .seconds(3600), .milliseconds(500))
    let transport = HTTPClientTransport(
      environment: Environment(variables: [:], workingDirectory: "/"), timeout: timeouts)
    await #expect {
      try await transport.send(try get("http://127.0.0.1:\(server.port)/"))
    } throws: { error in
      // On a busy machine, the request can time out before the response head arrives.
      error as? TransportFailure == .timedOut("127.0.0.1:\(server.port) sent only 3 bytes of the body within 0 s")
        || error as? TransportFailure == .timedOut("waiting for 127.0.0.1:\(server.port)")
    }
  }

  @Test("fails if nothing listens on the port")
  func refused() async throws {
    let server = try LoopbackServer(listens: false) { _ in nil }
    let port = server.port
    await #expect(throws: TransportFailure.cannotConnect("127.0.0.1:\(port)")) {
      try await transport.send(try get("http://127.0.0.1:\(port)/"))
    }
  }

  @Test("cancels a request with its task")
  func cancellation() async throws {
    let server = try LoopbackServer { _ in Self.response("200 OK") }
    let request = try get("http://127.0.0.1:\(server.port)/")
    let transport = transport
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await transport.send(request)
    }
    await #expect(throws: TransportFailure.canceled) { try await task.value }
  }
}

@Suite("Connection errors")
struct ConnectionFailureTests {
  /// Replaces an error that only NIO can create.
  private struct NIOConnectionError: Error, CustomStringConvertible {
    var description: String
  }

  @Test(arguments: [
    ("DNS error: SocketAddressError.unknown", TransportFailure.hostNotFound("h")),
    ("Connection errors: connect(): Network is unreachable (errno: \(ENETUNREACH))", .offline("h")),
    (
      "Connection errors: A (errno: \(EHOSTUNREACH)), B (errno: \(ENETUNREACH))", .offline("h")
    ),
    // One of the addresses is local and has no listener.
    (
      "Connection errors: A (errno: \(ENETUNREACH)), B (errno: \(ECONNREFUSED))", .cannotConnect("h")
    ), ("NIOConnectionError: unknown", .cannotConnect("h")),
  ])
  func mapsConnectionErrors(_ description: String, _ failure: TransportFailure) {
    #expect(TransportFailure(NIOConnectionError(description: description), host: "h") == failure)
  }
}

@Suite("Root certificates")
struct TrustedRootsTests {
  @Test(
    "rejects a variable that does not refer to a certificate", arguments: ["/no/such/file.pem", "/", "/etc/hostname"])
  func unusable(_ path: String) async throws {
    let transport = HTTPClientTransport(
      environment: Environment(variables: ["SSL_CERT_FILE": path], workingDirectory: "/"))
    let request = try #require(RequestMessage(method: .get, url: "https://127.0.0.1:1/"))
    await #expect {
      try await transport.send(request)
    } throws: { error in
      if case TransportFailure.tls(let text) = error {
        text.hasPrefix("SSL_CERT_FILE refers to \(path), which ")
      } else {
        false
      }
    }
  }
}
