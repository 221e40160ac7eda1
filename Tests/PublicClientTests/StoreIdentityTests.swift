import Effects
import IdentityPlatform
import PublicClient
import RunTrace
import SimulatedWorld
import Testing

@Suite("Which store a redemption is for")
struct StoreIdentityTests {
  /// A store as those of files are: a value that names a place.
  struct PlacedStore: BlobStore {
    let place: String
    let blob: MemoryBlobStore

    func revision() throws(FileFailure) -> BlobRevision { try blob.revision() }
    func read() throws(FileFailure) -> StoredBlob { try blob.read() }
    func exclusively<Result>(_ body: (any LockedBlob) throws -> Result) throws -> Result {
      try blob.exclusively(body)
    }
  }

  @Test("Stores at different places redeem each for itself, those at one place together", arguments: [true, false])
  func places(areSame: Bool) async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    let bytes = try stage.store.load()
    let process = ClientProcess()
    let (platform, simulation) = (stage.platform, stage.simulation)
    let one = PlacedStore(place: "one.json", blob: MemoryBlobStore(bytes))
    let applications = try [one, areSame ? one : PlacedStore(place: "two.json", blob: MemoryBlobStore(bytes))].map {
      try PublicClientApplication(
        configuration: stage.application.configuration, world: simulation.world,
        http: StubTransport { request in
          try await simulation.clock.sleep(for: .milliseconds(1))
          return try platform.respond(request)
        }, browser: platform, store: $0, trace: TraceRecorder(clock: simulation.clock) { _ in }, process: process)
    }
    let tokens = try await simulation.run {
      async let first = ConcurrencyTests.silent(applications[0], ["User.Read"], forced: true)
      async let second = ConcurrencyTests.silent(applications[1], ["User.Read"], forced: true)
      return [try await first.get().accessToken.reveal(), try await second.get().accessToken.reveal()]
    }
    #expect(Set(tokens).count == (areSame ? 1 : 2))
    #expect(platform.count("token") == (areSame ? 2 : 3))
  }
}
