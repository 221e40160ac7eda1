import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import PublicClient
import RunTrace
import SimulatedWorld
import Synchronization

/// A client application with a fake server in a simulated environment.
struct TestClient: Sendable {
  let server: FakeServer
  let simulation: Simulation
  let application: PublicClientApplication
  let store: MemoryBlobStore
  let events: EventLog

  init(
    authority: String = "https://login.microsoftonline.com/common", store: MemoryBlobStore = MemoryBlobStore(),
    server: FakeServer = FakeServer(), transport: (any HTTPTransport)? = nil,
    process: ClientProcess = ClientProcess(), simulation: Simulation = Simulation(),
    clock: (any WorldClock)? = nil,
    configure: (inout PublicClientConfiguration) throws -> Void = { _ in }
  ) throws {
    let events = EventLog()
    var configuration = PublicClientConfiguration(
      clientID: FakeServer.clientID, authority: try Authority(parsing: authority), bundleID: "com.contoso.mail")
    try configure(&configuration)
    var world = simulation.world
    if let clock { world.clock = clock }
    let now = world.clock
    server.state.withLock { $0.now = { now.now } }
    self.server = server
    self.simulation = simulation
    self.store = store
    self.events = events
    application = try PublicClientApplication(
      configuration: configuration,
      environment: ClientEnvironment(
        world: world,
        http: transport
          ?? StubTransport { request in
            // The latency makes concurrent requests overlap.
            try await simulation.clock.sleep(for: .milliseconds(1))
            return try server.respond(request)
          }, browser: server, store: store,
        trace: TraceRecorder(clock: simulation.clock) { event in events.add(event) }, process: process))
  }

  func signIn(_ scopes: [String] = ["User.Read"], _ change: (inout InteractiveParameters) -> Void = { _ in })
    async throws
    -> TokenResult
  {
    var parameters = InteractiveParameters(TokenParameters(scopes: scopes))
    change(&parameters)
    let prepared = parameters
    return try await simulation.run { try await application.acquireToken(prepared) }
  }

  func silent(
    _ scopes: [String] = ["User.Read"], account: Account? = TestClient.megan,
    _ change: (inout SilentParameters) -> Void = { _ in }
  ) async throws -> TokenResult {
    var parameters = SilentParameters(TokenParameters(scopes: scopes, account: account))
    change(&parameters)
    let prepared = parameters
    return try await simulation.run { try await application.acquireTokenSilent(prepared) }
  }

  /// Returns the error from a silent call, or nil if it succeeds.
  func silentFailure(
    _ scopes: [String] = ["User.Read"], account: Account? = TestClient.megan,
    _ change: (inout SilentParameters) -> Void = { _ in }
  ) async -> MSALError? {
    do {
      _ = try await silent(scopes, account: account, change)
      return nil
    } catch {
      return error as? MSALError
    }
  }

  /// Returns the error from an interactive call, or nil if it succeeds.
  func signInFailure(_ scopes: [String] = ["User.Read"], _ change: (inout InteractiveParameters) -> Void = { _ in })
    async
    -> MSALError?
  {
    do {
      _ = try await signIn(scopes, change)
      return nil
    } catch {
      return error as? MSALError
    }
  }

  func wait(_ duration: Duration) async throws {
    try await simulation.run { try await simulation.clock.sleep(for: duration) }
  }

  /// Adds responses to the next token requests.
  func enqueue(_ responders: FakeServer.Responder...) {
    server.state.withLock { $0.responders += responders }
  }

  static let megan = Account(
    identifier: FakeServer.homeAccountID, username: "megan@contoso.com", environment: "login.windows.net")
}

/// The events of a trace, in order.
final class EventLog: Sendable {
  private let lines = Mutex<[JSON]>([])

  func add(_ event: TraceEvent) { lines.withLock { $0.append(event.json) } }

  var all: [JSON] { lines.withLock { $0 } }

  /// The subject and the verdict of each decision, separated by a space.
  var decisions: [String] {
    all.filter { $0["kind"] == "decision" }.map { "\($0["subject"]?.string ?? "") \($0["verdict"]?.string ?? "")" }
  }

  var text: String { all.map { $0.text() }.joined(separator: "\n") }
}
