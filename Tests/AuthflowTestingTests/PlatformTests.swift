import AuthflowTesting
import AuthflowTestingServer
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Uses the emulated platform as an app's tests do.
@Suite struct PlatformTests {
  static let me = "https://graph.microsoft.com/v1.0/me"
  static let metadata = "https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration"

  static func session(on platform: EmulatedPlatform) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [platform.urlProtocolClass]
    return URLSession(configuration: configuration)
  }

  @Test func respondsToRequests() async throws {
    let platform = try EmulatedPlatform()
    let metadata = try await platform.respond(to: .init("GET", Self.metadata))
    #expect(metadata.status == 200 && metadata.text.contains("authorization_endpoint"))
    #expect(metadata[header: "content-TYPE"]?.hasPrefix("application/json") == true)
    let token = try await EmulatedPublicClient(on: platform).acquireToken(scopes: ["User.Read"])
    let me = try await platform.respond(
      to: .init("GET", Self.me, headers: [.init("Authorization", token.authorizationHeader)]))
    #expect(me.status == 200 && me.text.contains("Megan Bowen"))
    #expect(try await platform.respond(to: .init("GET", Self.me)).status == 401)
    #expect(try await platform.requests.graph == 2)
    #expect(try await platform.requestLog.last?.contains("GET https://graph.microsoft.com/v1.0/me 401") == true)
    #expect(try await platform.requestLog.allSatisfy { !$0.contains(token.accessToken) })
  }

  @Test func rejectsIncompleteControlResponses() throws {
    let response = try EmulatedPlatform.answer(Array(#"{"faults": [], "requests": "many"}"#.utf8), status: 200, to: nil)
    _ = try EmulatedPlatform.member("faults", of: response, isList: true)
    for (name, isList) in [("requests", true), ("requests", false), ("faults", false), ("state", true)] {
      let error = #expect(throws: AuthflowError.self) {
        try EmulatedPlatform.member(name, of: response, isList: isList)
      }
      #expect(error?.diagnostics.map(\.rule) == ["control"])
      #expect(error?.diagnostics.first?.message == "the control response does not contain `\(name)`")
      #expect(error?.diagnostics.first?.file == "the control interface")
    }
  }

  @Test func reportsTheProblemsOfARejectedControlRequest() throws {
    let problems = Array(#"{"problems": ["first", "second"]}"#.utf8)
    let rejected = #expect(throws: AuthflowError.self) {
      try EmulatedPlatform.answer(problems, status: 400, to: #"{"wait": 1}"#)
    }
    #expect(rejected?.diagnostics.map(\.message).sorted() == ["first", "second"])
    for body in ["", "busy", #"{"problems": []}"#] {
      let withoutProblems = #expect(throws: AuthflowError.self) {
        try EmulatedPlatform.answer(Array(body.utf8), status: 503, to: nil)
      }
      #expect(withoutProblems?.diagnostics.map(\.message) == ["the control interface returned status 503"])
    }
  }

  @Test func requestsToOtherHostsFail() async throws {
    let platform = try EmulatedPlatform()
    await #expect(throws: URLError.self) { try await platform.respond(to: .init("GET", "https://example.com/")) }
    await #expect(throws: URLError.self) { try await platform.respond(to: .init("GET", "invalid")) }
  }

  @Test func platformsAreIsolated() async throws {
    var platforms: [EmulatedPlatform] = []
    for _ in 0..<20 { platforms.append(try EmulatedPlatform()) }
    try await platforms[3].simulate(.offline)
    let url = try #require(URL(string: Self.metadata))
    await withTaskGroup(of: (Int, Bool).self) { group in
      for (index, platform) in platforms.enumerated() {
        let session = Self.session(on: platform)
        group.addTask { (index, (try? await session.data(from: url)) != nil) }
      }
      for await (index, succeeded) in group { #expect(succeeded == (index != 3)) }
    }
    for (index, platform) in platforms.enumerated() { #expect(try await platform.requests.all == (index == 3 ? 0 : 1)) }
  }

  @Test func requestsToADeallocatedPlatformFail() async throws {
    let session = Self.session(on: try EmulatedPlatform())
    let url = try #require(URL(string: Self.metadata))
    let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
    #expect(error?.code == .cannotConnectToHost)
  }

  @Test func urlSessionsSendBodiesAndMethodsAndReceiveErrors() async throws {
    let platform = try EmulatedPlatform()
    let session = Self.session(on: platform)
    let token = try await EmulatedPublicClient(on: platform).acquireToken(scopes: ["User.ReadWrite"])
    var request = URLRequest(url: try #require(URL(string: Self.me)))
    request.httpMethod = "PATCH"
    request.setValue(token.authorizationHeader, forHTTPHeaderField: "Authorization")
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = Data(#"{"officeLocation": "7/7007"}"#.utf8)
    let (_, changed) = try await session.data(for: request)
    #expect((changed as? HTTPURLResponse)?.statusCode == 204)
    request.httpMethod = "GET"
    request.httpBody = nil
    request.url = URL(string: Self.me + "?$select=officeLocation")
    #expect(String(decoding: try await session.data(for: request).0, as: UTF8.self).contains("7/7007"))
    try await platform.simulate(.fault(Fault(at: .graph, .reset)))
    let lost = request
    let error = await #expect(throws: URLError.self) { try await session.data(for: lost) }
    #expect(error?.code == .networkConnectionLost)
    #expect(try await platform.faults.map(\.fired) == [1])
  }

  @Test func onlyTheTestAdvancesTheClock() async throws {
    let platform = try EmulatedPlatform()
    #expect(platform.now == EmulatedPlatform.defaultStartDate)
    await platform.advance(by: .seconds(90 * 86_400))
    try await platform.simulate("wait: 2h")
    #expect(platform.now.timeIntervalSince(EmulatedPlatform.defaultStartDate) == 90 * 86_400 + 7200)
    let start = Date(timeIntervalSince1970: 1_900_000_000)
    #expect(try EmulatedPlatform(startingAt: start).now == start)
  }

  @Test func rejectsInvalidEvents() async throws {
    let platform = try EmulatedPlatform()
    let misspelled = await #expect(throws: AuthflowError.self) { try await platform.simulate("paswordChanged") }
    #expect(misspelled?.description.contains("did you mean `passwordChanged`?") == true)
    let unknown = await #expect(throws: AuthflowError.self) {
      try await platform.simulate(.userDisabled("unknown@contoso.com"))
    }
    #expect(unknown?.description.contains("unknown@contoso.com") == true)
    await #expect(throws: AuthflowError.self) { try await platform.simulate("a: [") }
  }

  /// Every typed event uses a keyword that the platform supports.
  @Test func acceptsEveryTypedEvent() async throws {
    let platform = try EmulatedPlatform()
    _ = try await EmulatedPublicClient(on: platform).acquireToken(scopes: ["User.Read"])
    let alex = "alex@contoso.com"
    try await platform.simulate(
      .passwordChanged(of: alex, to: "Fake-Alex-2"), .passwordExpired(of: alex), .sessionsRevoked(of: alex),
      .refreshTokenExpired(of: alex), .accessTokenExpired(of: alex), .consentGranted(by: alex, scopes: ["User.Read"]),
      .consentRevoked(by: alex, scopes: ["User.Read"]), .consentRevoked(by: alex), .userDisabled(alex),
      .userDeleted(alex), .policyAdded("second factor", requiring: .mfa), .policyRemoved("second factor"),
      .keysRotated, .offline, .online)
    let responses: [Fault.Response] = [
      .status(503), .status(429, retryAfter: .milliseconds(1500)), .oauth("AADSTS50076"),
      .oauth("AADSTS50076", suberror: "basic_action", claims: #"{"access_token": {"acrs": {"value": "c1"}}}"#), .reset,
      .truncated, .html, .delay(.seconds(5)), .endless, .tls, .contentType("text/html"),
      .status(503, delay: .seconds(5)), .oauth("AADSTS90033", delay: .milliseconds(200)),
    ]
    for response in responses {
      try await platform.simulate(.fault(Fault(at: "GET /v1.0/users/*", response, times: 2)))
    }
    let targets: [Fault.Target] = [.token, .graph, .deviceCode, .discovery, .keys, .userInfo, .logout, .authorize]
    for target in targets { try await platform.simulate(.fault(Fault(at: target, .reset, times: .always, skip: 3))) }
    #expect(try await platform.faults.count == responses.count + targets.count)
    #expect(try await platform.faults.last?.target == "authorize")
  }

  @Test func faultsSupportSkipAndDelay() async throws {
    let platform = try EmulatedPlatform()
    let client = try EmulatedPublicClient(on: platform)
    let token = try await client.acquireToken(scopes: ["User.Read"])
    let me = EmulatedPlatform.Request("GET", Self.me, headers: [.init("Authorization", token.authorizationHeader)])
    try await platform.simulate(.fault(Fault(at: .graph, .status(503, delay: .seconds(5)), skip: 1)))
    #expect(try await platform.respond(to: me).status == 200)
    let before = platform.now
    #expect(try await platform.respond(to: me).status == 503)
    #expect(platform.now.timeIntervalSince(before) >= 5)
    #expect(try await platform.respond(to: me).status == 200)
    try await platform.simulate(.fault(Fault(at: .graph, .tls)))
    let error = await #expect(throws: URLError.self) { try await platform.respond(to: me) }
    #expect(error?.code == .secureConnectionFailed)
  }

  @Test func usesACustomDirectory() async throws {
    let platform = try EmulatedPlatform(
      directory: .yaml(
        """
        directory: 1
        tenants:
          - name: Tailspin
            domains: [tailspin.example]
            users: [{username: tess@tailspin.example, password: Fake-Tess-1, displayName: Tess Ting, mfa: push}]
        """))
    let client = try EmulatedPublicClient(on: platform)
    let token = try await client.acquireToken(scopes: ["User.Read"])
    #expect(token.account.username == "tess@tailspin.example")
    #expect(client.screens.contains("mfa"))
    let error = try #require(throws: AuthflowError.self) {
      try EmulatedPlatform(directory: .yaml("directory: 1\ntenantss: []"))
    }
    #expect(error.diagnostics.contains { $0.line == 2 && $0.rule == "unknown-key" })
  }

  @Test func servesOverASocket() async throws {
    let server = try await EmulatedPlatform.serve()
    let url = try #require(URL(string: "\(server.url)/common/v2.0/.well-known/openid-configuration"))
    let session = URLSession(configuration: .ephemeral)
    let (data, _) = try await session.data(from: url)
    #expect(String(decoding: data, as: UTF8.self).contains("\(server.url)/common/oauth2/v2.0/token"))
    #expect(try await server.platform.requests.all == 1)
    let before = server.platform.now
    await server.platform.advance(by: .seconds(86_400))
    #expect(server.platform.now.timeIntervalSince(before) >= 86_400)
    await server.close()
    await #expect(throws: (any Error).self) { try await session.data(from: url) }
  }
}
