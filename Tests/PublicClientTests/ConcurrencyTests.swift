import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import PublicClient
import RunTrace
import SimulatedWorld
import Synchronization
import Testing
import TokenCache

/// Counts the token requests of concurrent silent calls.
@Suite("Concurrent silent calls")
struct ConcurrencyTests {
  static func silent(
    _ application: PublicClientApplication, _ scopes: [String], forced: Bool = false
  ) async -> Result<TokenResult, any Error> {
    var parameters = SilentParameters(TokenParameters(scopes: scopes, account: TestClient.megan))
    parameters.forceRefresh = forced
    do {
      return .success(try await application.acquireTokenSilent(parameters))
    } catch {
      return .failure(error)
    }
  }

  /// A manual clock for real threads. Tasks sleep until they are canceled.
  final class ManualClock: WorldClock {
    private let time = Mutex(Simulation.start)

    var now: Instant { time.withLock { $0 } }

    func advance(by duration: Duration) { time.withLock { $0 += duration } }

    func sleep(for duration: Duration) async throws {
      // The stream has no elements and finishes when the task is canceled.
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      for await _ in stream {}
      continuation.finish()
      throw CancellationError()
    }
  }

  /// Returns clients with a shared cache, server, and clock. Their tokens have expired.
  func expired(_ count: Int = 2) async throws -> (clients: [TestClient], server: FakeServer) {
    let (store, server, process, clock) = (MemoryBlobStore(), FakeServer(), ClientProcess(), ManualClock())
    let clients = try (0..<count).map { _ in
      try TestClient(
        store: store, server: server, transport: StubTransport { try server.respond($0) }, process: process,
        clock: clock)
    }
    _ = try await clients[0].signIn(["User.Read", "Mail.Send"])
    clock.advance(by: .seconds(4000))
    return (clients, server)
  }

  @Test("redeems the refresh token once for 200 tasks on real threads, with scopes in any order and case")
  func manyTasks() async throws {
    for _ in 0..<5 {
      let (clients, server) = try await expired(1)
      let application = clients[0].application
      let tokens = await withTaskGroup(of: String?.self) { group in
        for index in 0..<200 {
          let scopes = index % 2 == 0 ? ["User.Read", "Mail.Send"] : ["mail.send", "user.read"]
          group.addTask { try? await Self.silent(application, scopes).get().accessToken.reveal() }
        }
        return await group.reduce(into: Set<String?>()) { $0.insert($1) }
      }
      #expect(tokens == ["access-2"])
      #expect(server.count("token") == 2)
    }
  }

  @Test("redeems the refresh token once for two clients with the same cache")
  func twoApplications() async throws {
    let (clients, server) = try await expired()
    let applications = clients.map(\.application)
    let tokens = await withTaskGroup(of: String?.self) { group in
      for index in 0..<100 {
        group.addTask {
          try? await Self.silent(applications[index % 2], ["User.Read", "Mail.Send"]).get().accessToken.reveal()
        }
      }
      return await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(tokens == ["access-2"])
    #expect(server.count("token") == 2)
  }

  @Test("redeems one refresh token per cache for clients with different caches")
  func otherStore() async throws {
    let (process, simulation) = (ClientProcess(), Simulation())
    let clients = try (0..<2).map { _ in try TestClient(process: process, simulation: simulation) }
    for client in clients { _ = try await client.signIn() }
    let (one, two) = (clients[0].application, clients[1].application)
    let sources = try await simulation.run {
      async let first = Self.silent(one, ["User.Read"], forced: true)
      async let second = Self.silent(two, ["User.Read"], forced: true)
      return [try await first.get().source, try await second.get().source]
    }
    #expect(sources == [.refreshToken, .refreshToken])
    #expect(clients.map { $0.server.count("token") } == [2, 2])
  }

  @Test("shares errors, with the correlation ID of each caller")
  func sharedFailure() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    client.enqueue(FakeServer.oauthError("invalid_grant"))
    let errors = try await client.simulation.run {
      await withTaskGroup(of: MSALError?.self) { group in
        for index in 0..<10 {
          group.addTask {
            do {
              _ = try await client.application.acquireTokenSilent(SilentTests.forced(["User.Read"], "c-\(index)"))
              return nil
            } catch {
              return error as? MSALError
            }
          }
        }
        return await group.reduce(into: [MSALError?]()) { $0.append($1) }
      }
    }
    #expect(errors.allSatisfy { $0?.code == .interactionRequired })
    #expect(Set(errors.map { $0?.correlationID }) == Set((0..<10).map { "c-\($0)" }))
    #expect(client.server.count("token") == 2)
  }

  @Test("shares a finished redemption with a forced refresh that started before the redemption finished")
  func overlapping() async throws {
    let (store, server, process, simulation) = (MemoryBlobStore(), FakeServer(), ClientProcess(), Simulation())
    let clients = try (0..<2).map { _ in
      try TestClient(
        store: store, server: server,
        transport: StubTransport { request in
          let isDiscovery = request.url.contains("/discovery/instance")
          try await simulation.clock.sleep(for: .milliseconds(isDiscovery ? 500 : 1))
          return try server.respond(request)
        }, process: process, simulation: simulation)
    }
    _ = try await clients[0].signIn()
    let (quick, slow) = (clients[0].application, clients[1].application)
    let tokens = try await simulation.run {
      // The slow client sends a discovery request first. The quick client redeems its token before discovery finishes.
      async let one = Self.silent(quick, ["User.Read"], forced: true)
      async let two = Self.silent(slow, ["User.Read"], forced: true)
      return [try await one.get().accessToken, try await two.get().accessToken]
    }
    #expect(tokens[0] == tokens[1])
    #expect(server.count("token") == 2)
    let next = try await clients[1].silent { $0.forceRefresh = true }
    #expect(next.accessToken != tokens[0])
    #expect(server.count("token") == 3)
  }

  /// Returns a signed-in client whose next token response takes ten seconds.
  func slow() async throws -> TestClient {
    let (server, simulation) = (FakeServer(), Simulation())
    let tokenRequests = Mutex(0)
    let client = try TestClient(
      server: server,
      transport: StubTransport { request in
        let isSlow =
          request.url.hasSuffix("/token")
          && tokenRequests.withLock { count in
            count += 1
            return count == 2
          }
        try await simulation.clock.sleep(for: isSlow ? .seconds(10) : .milliseconds(1))
        return try server.respond(request)
      }, simulation: simulation)
    _ = try await client.signIn()
    return client
  }

  @Test("redeems the refresh token for the remaining callers if the first caller is canceled")
  func firstCanceled() async throws {
    let client = try await slow()
    let application = client.application
    let (first, others) = try await client.simulation.run {
      await withTaskGroup(of: (Int, Result<TokenResult, any Error>).self) { group in
        group.addTask {
          await withTaskGroup(of: Result<TokenResult, any Error>?.self) { inner in
            inner.addTask { await Self.silent(application, ["User.Read"], forced: true) }
            inner.addTask {
              try? await client.simulation.clock.sleep(for: .seconds(5))
              return nil
            }
            var outcome: Result<TokenResult, any Error>?
            if let first = await inner.next() { outcome = first }
            inner.cancelAll()
            if let second = await inner.next(), let second { outcome = second }
            return (0, outcome ?? .failure(CancellationError()))
          }
        }
        for index in 1...3 {
          group.addTask {
            try? await client.simulation.clock.sleep(for: .seconds(1))
            return (index, await Self.silent(application, ["User.Read"], forced: true))
          }
        }
        var first: Result<TokenResult, any Error>?
        var others: [Result<TokenResult, any Error>] = []
        for await (index, outcome) in group {
          if index == 0 { first = outcome } else { others.append(outcome) }
        }
        return (first, others)
      }
    }
    let error = #expect(throws: MSALError.self) { try first?.get() }
    #expect(error?.outcomeName == "userCanceled")
    #expect(others.count == 3)
    let tokens = Set(others.map { try? $0.get().accessToken })
    #expect(tokens.count == 1)
    #expect(!tokens.contains(nil))
    // The requests from the sign-in and the second caller. The canceled request received no response.
    #expect(client.server.count("token") == 2)
  }

  @Test("stops waiting for a shared redemption when the caller is canceled")
  func waiterCanceled() async throws {
    let client = try await slow()
    let application = client.application
    let clock = client.simulation.clock
    let start = clock.now
    let (duration, first) = try await client.simulation.run {
      async let first = Self.silent(application, ["User.Read"], forced: true)
      let duration = await withTaskGroup(of: Duration?.self) { group in
        group.addTask {
          try? await clock.sleep(for: .seconds(1))
          let outcome = await Self.silent(application, ["User.Read"], forced: true)
          guard case .failure(let error as MSALError) = outcome, error.code == .userCanceled else { return nil }
          return clock.now - start
        }
        try? await clock.sleep(for: .seconds(3))
        group.cancelAll()
        return await group.next() ?? nil
      }
      return (duration, await first)
    }
    #expect(try #require(duration) < .seconds(4))
    #expect(try first.get().source == .refreshToken)
    #expect(client.server.count("token") == 2)
  }

  @Test("sends one discovery request and one metadata request for concurrent calls")
  func discovery() async throws {
    let first = try TestClient()
    _ = try await first.signIn(["User.Read", "Mail.Send"])
    let client = try TestClient(store: first.store)
    _ = try await client.simulation.run {
      async let one = Self.silent(client.application, ["User.Read"], forced: true)
      async let two = Self.silent(client.application, ["Mail.Send"], forced: true)
      return [try await one.get().source, try await two.get().source]
    }
    #expect(["instance", "metadata", "keys", "token"].map { client.server.count($0) } == [1, 1, 1, 2])
  }
}
