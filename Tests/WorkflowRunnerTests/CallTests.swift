import Documents
import Effects
import HTTPTypes
import SimulatedWorld
import Testing
import WorkflowRunner

/// Tests the request, the destination of the token, and the response of `callGraph` and `callAPI`.
@Suite struct CallTests {
  @Test func doesNotCallWithoutAToken() async throws {
    let harness = try RunHarness()
    let outcome = try await harness.run(
      steps: "- { callGraph: /me, on: { unauthorized: next } }\n- callAPI: https://api.example.test/x")
    #expect(outcome.path == ["callGraph.unauthorized", "callAPI.unauthorized"])
    #expect(outcome.ending == "unauthorized")
    #expect(harness.wire.exchanges.isEmpty)
    #expect(outcome.decisions("accessToken").map { $0["verdict"]?.string } == ["none", "none"])
  }

  struct Destination: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var call: String
    /// The response that a fault makes Microsoft Graph return.
    var response: JSON?
  }

  static let destinations: [Destination] = [
    Destination(testDescription: "an absolute URL", call: "callGraph: https://evil.example.test/v1.0/me"),
    Destination(testDescription: "two slashes", call: "callGraph: //evil.example.test/v1.0/me"),
    Destination(testDescription: "an at sign", call: "callGraph: /@evil.example.test/v1.0/me"),
    Destination(testDescription: "a backslash", call: #"callGraph: '/\evil.example.test/v1.0/me'"#),
    Destination(
      testDescription: "a redirect", call: "callGraph: /me",
      response: ["status": 302, "headers": ["Location": "https://evil.example.test/v1.0/me"]]),
    Destination(
      testDescription: "a redirect to another port", call: "callGraph: /me",
      response: ["status": 307, "headers": ["Location": "https://graph.microsoft.com:8443/v1.0/me"]]),
    Destination(
      testDescription: "a redirect to http", call: "callGraph: /me",
      response: ["status": 302, "headers": ["Location": "http://graph.microsoft.com/v1.0/me"]]),
    Destination(
      testDescription: "the next page", call: "callGraph: { get: /me, pages: all }",
      response: ["status": 200, "body": ["value": [1], "@odata.nextLink": "https://evil.example.test/v1.0/me?p=2"]]),
    Destination(
      testDescription: "the next page at a host with the same prefix", call: "callGraph: { get: /me, pages: all }",
      response: [
        "status": 200,
        "body": ["value": [1], "@odata.nextLink": "https://graph.microsoft.com.evil.example.test/v1.0/me"],
      ]),
  ]

  @Test(arguments: destinations) func sendsTheTokenOnlyToGraph(destination: Destination) async throws {
    let harness = try RunHarness()
    for host in ["evil.example.test", "graph.microsoft.com.evil.example.test", "graph.microsoft.com:8443"] {
      harness.wire.serve(host) { _ in .json(#"{"value": [2], "displayName": "Mallory"}"#) }
    }
    _ = try await harness.run(steps: "- interactive")
    if let response = destination.response {
      await harness.simulate([["fault": ["at": "GET /v1.0/me", "response": response, "times": "always"]]])
    }
    let previousCount = harness.wire.exchanges.count
    _ = try await harness.run(steps: "- loadAccount\n- silent\n- { \(destination.call), on: { error: next } }")
    let sent = harness.wire.exchanges[previousCount...]
    for exchange in sent where exchange.bearer != nil {
      #expect(exchange.host == "graph.microsoft.com" && exchange.url.hasPrefix("https://"), "\(exchange.url)")
    }
  }

  @Test func usesTheGraphEndpointFromTheSettings() async throws {
    let harness = try RunHarness(files: [
      "Other.yaml": RunHarness.settings + "\nGraphEndpoint: https://graph.microsoft.us"
    ])
    harness.wire.serve("graph.microsoft.us") { request in
      .json(#"{"displayName": "Megan", "path": "\#(request.head.path ?? "")"}"#)
    }
    let outcome = try await harness.run(steps: "- interactive\n- callGraph: /me", "settings: Other.yaml")
    #expect(outcome.path == ["interactive.success", "callGraph.success"])
    #expect(outcome.facts("callGraph")["$"]?["path"]?.string == "/v1.0/me")
    let hosts = Set(harness.wire.exchanges.filter { $0.bearer != nil }.map(\.host))
    #expect(hosts == ["graph.microsoft.us"])
  }

  @Test(arguments: ["", ", scopes: [User.Read]", ", scopes: [https://graph.microsoft.com/User.Read]"])
  func doesNotSendGraphTokensToOtherAPIs(scopes: String) async throws {
    let harness = try RunHarness()
    harness.wire.serve("api.example.test") { _ in .json("{}") }
    let outcome = try await harness.run(
      steps: """
        - interactive: { scopes: [User.Read] }
        - { callAPI: { url: https://api.example.test/items\(scopes) }, on: { error: next } }
        - { id: graph, callAPI: { url: https://graph.microsoft.com/v1.0/me\(scopes) } }
        """)
    #expect(outcome.path == ["interactive.success", "callAPI.unauthorized", "graph.success"])
    #expect(harness.wire.exchanges.allSatisfy { $0.host != "api.example.test" })
  }

  @Test func sendsTheTokenForTheScopesOfTheCall() async throws {
    let harness = try RunHarness()
    harness.wire.serve("api.example.test") { _ in .json(#"{"ok": true}"#) }
    let outcome = try await harness.run(
      steps: """
        - { id: orders, interactive: { scopes: ["api://orders/Orders.Read"] } }
        - { id: graph, interactive: { scopes: [User.Read] } }
        - callAPI: { url: https://api.example.test, get: /items, scopes: ["api://orders/Orders.Read"], query: { q: "a b&c" } }
        - callGraph: /me
        """)
    try #require(outcome.path == ["orders.success", "graph.success", "callAPI.success", "callGraph.success"])
    let call = try #require(harness.wire.exchanges.first { $0.host == "api.example.test" })
    #expect(call.url == "https://api.example.test/items?q=a%20b%26c")
    let graph = try #require(harness.wire.exchanges.last { $0.host == "graph.microsoft.com" })
    #expect(call.bearer != nil)
    #expect(call.bearer != graph.bearer)
    let claims = try Self.claims(of: call.bearer)
    #expect(claims["scp"]?.string == "Orders.Read")
    #expect(try Self.claims(of: graph.bearer)["scp"]?.string?.contains("User.Read") == true)
  }

  /// Returns the claims of a JWT in an authorization header.
  static func claims(of bearer: String?) throws -> JSON {
    let parts = try #require(bearer).split(separator: ".")
    try #require(parts.count == 3)
    var value: UInt32 = 0
    var bits = 0
    var bytes: [UInt8] = []
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    for character in parts[1] {
      value = value << 6 | UInt32(try #require(alphabet.firstIndex(of: character)))
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(bits)))
      }
    }
    return try JSON(parsing: bytes)
  }

  @Test func combinesPages() async throws {
    let harness = try RunHarness()
    let outcome = try await harness.run(
      steps: """
        - interactive: { scopes: [User.Read, User.ReadBasic.All] }
        - { id: one, callGraph: { get: /users, query: { $top: 5 } } }
        - { id: two, callGraph: { get: /users, query: { $top: 5 }, pages: 2 } }
        - { id: all, callGraph: { get: /users, query: { $top: 5 }, pages: all } }
        """)
    try #require(outcome.ending == "success")
    func ids(_ step: String) -> [String] {
      outcome.facts(step)["$"]?["value"]?.array?.compactMap { $0["id"]?.string } ?? []
    }
    #expect(ids("one").count == 5)
    #expect(ids("two").count == 10)
    #expect(ids("all").count > 10)
    #expect(Set(ids("all")).count == ids("all").count)
    #expect(Array(ids("all").prefix(10)) == ids("two"))
    #expect(outcome.record.requests["graph"] == 1 + 2 + (ids("all").count + 4) / 5)
  }

  @Test func aBatchSucceedsEvenIfItsRequestsFail() async throws {
    let outcome = try await RunHarness().run(
      steps: """
        - interactive
        - callGraph: { batch: [{ id: me, get: /me }, { id: none, get: /me/events/none }] }
          expect: { "$.responses[0].status": 200, "$.responses[1].status": 404 }
        """)
    #expect(outcome.path == ["interactive.success", "callGraph.success"])
    #expect(outcome.ending == "success")
    let responses = outcome.facts("callGraph")["$"]?["responses"]?.array ?? []
    #expect(responses.map { $0["id"]?.string } == ["me", "none"])
  }

  @Test func savesResponsesBelowTheWorkingDirectory() async throws {
    let harness = try RunHarness(files: [
      "nested/photo.yaml": """
      authflow: 1
      settings: ../Settings.yaml
      steps:
        - interactive
        - callGraph: { get: /me, saveTo: me.json }
        - { id: none, callGraph: { get: /me/events/none, saveTo: none.json }, on: { notFound: end } }
      """
    ])
    let outcome = try await harness.run("nested/photo.yaml")
    #expect(outcome.ending == "success")
    let saved = try #require(harness.simulation.files.text("me.json"))
    #expect(try JSON(parsing: Array(saved.utf8))["userPrincipalName"]?.string == "megan@contoso.com")
    #expect(harness.simulation.files.text("nested/none.json") == nil)
    #expect(harness.simulation.files.text("none.json") == nil)
  }

  @Test func readsBodiesFromFilesNextToTheWorkflow() async throws {
    let harness = try RunHarness(files: [
      "nested/send.yaml": """
      authflow: 1
      settings: ../Settings.yaml
      steps:
        - interactive
        - callGraph: { put: "/me/photo/$value", body: { file: photo.jpg }, headers: { Content-Type: image/jpeg } }
          on: { error: next }
        - { id: lost, callGraph: { put: "/me/photo/$value", body: { file: none.jpg } }, on: { error: end } }
      """, "nested/photo.jpg": "not an image",
    ])
    let outcome = try await harness.run("nested/send.yaml")
    let call = try #require(harness.wire.exchanges.first { $0.method == "PUT" })
    #expect(call.body == "not an image")
    #expect(call.request.head.headerFields[.contentType] == "image/jpeg")
    #expect(harness.wire.exchanges.count { $0.method == "PUT" } == 1)
    #expect(outcome.path.last == "lost.invalidParameter")
    #expect(outcome.facts("lost")["error"]?["description"]?.string?.contains("none.jpg") == true)
  }

  @Test func sendsMappingsAsJSONWithTypedValues() async throws {
    let harness = try RunHarness()
    let outcome = try await harness.run(
      steps: """
        - interactive: { scopes: [Calendars.ReadWrite], extraScopesToConsent: [] }
          capture: { expires: $.expiresOn, all: $.scopes }
        - callGraph:
            post: /me/events
            body:
              subject: "For ${name}"
              isAllDay: false
              start: { dateTime: "2025-01-07T09:00:00", timeZone: UTC }
              end: { dateTime: "2025-01-07T10:00:00", timeZone: UTC }
              categories: "${all}"
        """, "settings: Settings.yaml\ninputs: { name: { type: string, default: Ünïcode } }")
    let call = try #require(harness.wire.exchanges.first { $0.method == "POST" && $0.host == "graph.microsoft.com" })
    let body = try JSON(parsing: call.request.body)
    #expect(body["subject"]?.string == "For Ünïcode")
    #expect(body["isAllDay"]?.bool == false)
    #expect(body["categories"]?.array?.isEmpty == false)
    #expect(call.request.head.headerFields[.contentType]?.hasPrefix("application/json") == true)
    #expect(outcome.path == ["interactive.success", "callGraph.success"])
    #expect(outcome.facts("callGraph")["status"]?.integer == 201)
  }

  struct Status: Sendable {
    var status: Int
    var outcome: String
  }

  @Test(arguments: [
    Status(status: 401, outcome: "unauthorized"), Status(status: 403, outcome: "forbidden"),
    Status(status: 404, outcome: "notFound"), Status(status: 429, outcome: "throttled"),
    Status(status: 500, outcome: "serviceUnavailable"), Status(status: 504, outcome: "serviceUnavailable"),
    Status(status: 400, outcome: "otherStatus"), Status(status: 409, outcome: "otherStatus"),
  ]) func mapsStatusCodesToOutcomes(status: Status) async throws {
    let harness = try RunHarness()
    _ = try await harness.run(steps: "- interactive")
    await harness.simulate([
      ["fault": ["at": "GET /v1.0/me", "response": ["status": .integer(Int64(status.status))], "times": "always"]]
    ])
    let outcome = try await harness.run(steps: "- loadAccount\n- silent\n- { callGraph: /me, retry: none }")
    #expect(outcome.path.last == "callGraph.\(status.outcome)")
    #expect(outcome.facts("callGraph")["status"]?.integer == Int64(status.status))
    #expect(outcome.ending == status.outcome)
  }
}
