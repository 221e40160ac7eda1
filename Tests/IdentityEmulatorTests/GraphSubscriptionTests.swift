import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import SimulatedWorld
import Synchronization
import Testing

import IdentityEmulator

/// Tests subscriptions and notifications.
@Suite struct GraphSubscriptionTests {
  /// A notification endpoint that records requests and, optionally, responds to the validation request.
  private final class Endpoint: HTTPTransport {
    private let answersValidation: Bool
    private let received = Mutex<[RequestMessage]>([])
    private let stream: AsyncStream<RequestMessage>
    private let arrived: AsyncStream<RequestMessage>.Continuation

    init(answersValidation: Bool = true) {
      self.answersValidation = answersValidation
      (stream, arrived) = AsyncStream.makeStream()
    }

    var requests: [RequestMessage] { received.withLock { $0 } }

    func send(_ request: RequestMessage) async throws(TransportFailure) -> ResponseMessage {
      received.withLock { $0.append(request) }
      if let mark = request.url.firstRange(of: "validationToken=") {
        return ResponseMessage(.ok, body: answersValidation ? Array(request.url[mark.upperBound...].utf8) : [])
      }
      arrived.yield(request)
      return ResponseMessage(.accepted)
    }

    /// Returns the next notification.
    func next() async -> RequestMessage? {
      for await request in stream { return request }
      return nil
    }
  }

  private static func probe(_ endpoint: Endpoint?, _ scopes: String...) -> GraphProbe {
    let world = World.simulated()
    let emulator = IdentityPlatformEmulator(
      clock: world.clock, randomness: world.randomness, options: .init(notificationTransport: endpoint))
    var probe = GraphProbe(emulator, GraphProbe().caller)
    probe.caller.scopes = scopes
    return probe
  }

  private static func subscription(
    _ url: String = "http://localhost:5000/hook?x=1", resource: String = "me/events",
    changing changes: [String: JSON] = [:]
  ) -> JSON {
    var body: JSON = [
      "changeType": "created,updated,deleted", "notificationUrl": .string(url), "resource": .string(resource),
      "expirationDateTime": "2025-01-02T00:00:00Z", "clientState": "secret",
    ]
    for (key, value) in changes { body[key] = value }
    return body
  }

  private static let event: JSON = [
    "subject": "New", "start": ["dateTime": "2025-03-03T09:00:00"], "end": ["dateTime": "2025-03-03T10:00:00"],
  ]

  @Test("validates an endpoint on this machine and sends notifications to it")
  func delivery() async throws {
    let endpoint = Endpoint()
    let probe = Self.probe(endpoint, "Calendars.ReadWrite")
    let created = await probe.post("/subscriptions", Self.subscription())
    #expect(created.status == 201)
    #expect(created.header("x-authflow-not-emulated") == nil)
    #expect(endpoint.requests.first?.url.contains("/hook?x=1&validationToken=") == true)
    let event = await probe.post("/me/events", Self.event)
    let sent = try JSON(parsing: try #require(await endpoint.next()).body)
    let change = try #require(sent["value"]?[0])
    #expect(change["changeType"] == "created")
    #expect(change["subscriptionId"] == created.body["id"])
    #expect(change["clientState"] == "secret")
    #expect(change["resourceData"]?["id"] == event.body["id"])
    let id = try #require(event.body["id"]?.string)
    _ = await probe.patch("/me/events/\(id)", ["subject": "Newer"])
    _ = await probe.delete("/me/events/\(id)")
    let kinds = probe.emulator.platform.withState { $0.graph.notifications }.map { $0.body["value"]?[0]?["changeType"] }
    #expect(kinds == ["created", "updated", "deleted"])
  }

  @Test("rejects an endpoint that does not respond to the validation request")
  func handshake() async {
    let probe = Self.probe(Endpoint(answersValidation: false), "Calendars.Read")
    #expect(await probe.post("/subscriptions", Self.subscription()).code == "ValidationError")
    #expect(await probe.get("/subscriptions").value.isEmpty)
  }

  @Test(
    "does not contact other hosts but records notifications",
    arguments: [
      "https://example.com/hook", "https://localhost.example.com/", "https://127.0.0.1.example.com/",
      "https://localhost@example.com/", "https://10.0.0.1/", "https://169.254.169.254/",
    ])
  func otherHosts(url: String) async {
    let endpoint = Endpoint()
    let probe = Self.probe(endpoint, "Calendars.ReadWrite")
    let created = await probe.post("/subscriptions", Self.subscription(url))
    #expect(created.status == 201)
    #expect(created.header("x-authflow-not-emulated")?.contains("delivery of notifications") == true)
    _ = await probe.post("/me/events", Self.event)
    #expect(endpoint.requests.isEmpty)
    let outcomes = probe.emulator.platform.withState { $0.graph.notifications }.map(\.outcome)
    #expect(outcomes == ["recorded"])
  }

  @Test("records but does not send notifications if a snapshot is restored without a network")
  func restored() async {
    let probe = Self.probe(Endpoint(), "Calendars.ReadWrite")
    #expect(await probe.post("/subscriptions", Self.subscription()).status == 201)
    let world = World.simulated()
    let later = IdentityPlatformEmulator(
      clock: world.clock, randomness: world.randomness, snapshot: probe.emulator.snapshot())
    _ = await GraphProbe(later, probe.caller).post("/me/events", Self.event)
    #expect(later.platform.withState { $0.graph.notifications }.map(\.outcome) == ["recorded"])
  }

  @Test("renews, lists, and deletes subscriptions, and removes expired subscriptions")
  func lifecycle() async throws {
    var probe = Self.probe(nil, "Calendars.ReadWrite", "Mail.Read")
    let id = try #require(await probe.post("/subscriptions", Self.subscription()).body["id"]?.string)
    let renewed = await probe.patch("/subscriptions/\(id)", ["expirationDateTime": "2025-01-03T00:00:00Z"])
    #expect(renewed.body["expirationDateTime"] == "2025-01-03T00:00:00Z")
    let inbox = Self.subscription(resource: "me/mailFolders('inbox')/messages")
    #expect(await probe.post("/subscriptions", inbox).status == 201)
    #expect(await probe.get("/subscriptions").value.count == 2)
    #expect(await probe.delete("/subscriptions/\(id)").status == 204)
    #expect(await probe.get("/subscriptions/\(id)").status == 404)
    probe.now = probe.now + .seconds(3 * 86_400)
    #expect(await probe.get("/subscriptions").value.isEmpty)
  }

  @Test("rejects invalid subscriptions")
  func wrong() async {
    let probe = Self.probe(nil, "Calendars.Read")
    let cases: [(JSON, Int)] = [
      (Self.subscription("http://example.com/"), 400), (Self.subscription(changing: ["changeType": "moved"]), 400),
      (Self.subscription(changing: ["expirationDateTime": "2024-01-01T00:00:00Z"]), 400),
      (Self.subscription(changing: ["expirationDateTime": "2025-02-01T00:00:00Z"]), 400),
      (Self.subscription(resource: "me/messages"), 403), (Self.subscription(resource: "teams/x"), 501),
      (Self.subscription(resource: "users/adele@contoso.com/events"), 403),
      (Self.subscription(changing: ["includeResourceData": true]), 501),
    ]
    for (body, status) in cases {
      #expect(await probe.post("/subscriptions", body).status == status, "\(body.text())")
    }
    #expect(await Self.probe(nil, "User.Read").post("/subscriptions", Self.subscription()).status == 403)
  }
}
