import Effects
import IdentityPlatform
import PublicClient
import RunTrace
import SimulatedWorld
import Testing

@Suite("Shared redemptions by store")
struct RequestCoalescingTests {
  /// A store that is identified by its location, like a file.
  struct LocatedStore: BlobStore {
    let location: String
    let blob: MemoryBlobStore

    func revision() throws(FileFailure) -> BlobRevision { try blob.revision() }
    func read() throws(FileFailure) -> StoredBlob { try blob.read() }
    func exclusively<Result>(_ body: (any LockedBlob) throws -> Result) throws -> Result {
      try blob.exclusively(body)
    }
  }

  @Test("shares a redemption only between stores with the same location", arguments: [true, false])
  func locations(areSame: Bool) async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    let bytes = try client.store.load()
    let process = ClientProcess()
    let (server, simulation) = (client.server, client.simulation)
    let one = LocatedStore(location: "one.json", blob: MemoryBlobStore(bytes))
    let applications = try [one, areSame ? one : LocatedStore(location: "two.json", blob: MemoryBlobStore(bytes))].map {
      try PublicClientApplication(
        configuration: client.application.configuration,
        environment: ClientEnvironment(
          world: simulation.world,
          http: StubTransport { request in
            try await simulation.clock.sleep(for: .milliseconds(1))
            return try server.respond(request)
          }, browser: server, store: $0, trace: TraceRecorder(clock: simulation.clock) { _ in }, process: process))
    }
    let tokens = try await simulation.run {
      async let first = ConcurrencyTests.silent(applications[0], ["User.Read"], forced: true)
      async let second = ConcurrencyTests.silent(applications[1], ["User.Read"], forced: true)
      return [try await first.get().accessToken.reveal(), try await second.get().accessToken.reveal()]
    }
    #expect(Set(tokens).count == (areSame ? 1 : 2))
    #expect(server.count("token") == (areSame ? 2 : 3))
  }
}
