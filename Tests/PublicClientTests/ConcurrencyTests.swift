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

/// Many silent calls at the same time, counted at the server.
@Suite("Silent calls at the same time")
struct ConcurrencyTests {
  static func silent(
    _ application: PublicClientApplication, _ scopes: [String], forced: Bool = false
  ) async -> Result<TokenResult, any Error> {
    var parameters = SilentParameters(TokenParameters(scopes: scopes, account: Stage.megan))
    parameters.forceRefresh = forced
    do {
      return .success(try await application.acquireTokenSilent(parameters))
    } catch {
      return .failure(error)
    }
  }

  /// A clock for real threads: it is set by hand, and who sleeps sleeps until cancelled.
  final class StillClock: WorldClock {
    private let time = Mutex(Simulation.start)

    var now: Instant { time.withLock { $0 } }

    func advance(by duration: Duration) { time.withLock { $0 += duration } }

    func sleep(for duration: Duration) async throws {
      // Nothing ever comes, except the end when the task is cancelled.
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      for await _ in stream {}
      continuation.finish()
      throw CancellationError()
    }
  }

  /// Application objects on one cache, one platform and one clock, whose tokens have just expired.
  func expired(_ count: Int = 2) async throws -> (stages: [Stage], platform: FakePlatform) {
    let (store, platform, process, clock) = (MemoryBlobStore(), FakePlatform(), ClientProcess(), StillClock())
    let stages = try (0..<count).map { _ in
      try Stage(
        store: store, platform: platform, transport: StubTransport { try platform.respond($0) }, process: process,
        clock: clock)
    }
    _ = try await stages[0].signIn(["User.Read", "Mail.Send"])
    clock.advance(by: .seconds(4000))
    return (stages, platform)
  }

  @Test("Two hundred tasks on real threads redeem once, whatever the order of their scopes")
  func manyTasks() async throws {
    for _ in 0..<5 {
      let (stages, platform) = try await expired(1)
      let application = stages[0].application
      let tokens = await withTaskGroup(of: String?.self) { group in
        for index in 0..<200 {
          let scopes = index % 2 == 0 ? ["User.Read", "Mail.Send"] : ["mail.send", "user.read"]
          group.addTask { try? await Self.silent(application, scopes).get().accessToken.reveal() }
        }
        return await group.reduce(into: Set<String?>()) { $0.insert($1) }
      }
      #expect(tokens == ["access-2"])
      #expect(platform.count("token") == 2)
    }
  }

  @Test("Two application objects on the same cache redeem once")
  func twoApplications() async throws {
    let (stages, platform) = try await expired()
    let applications = stages.map(\.application)
    let tokens = await withTaskGroup(of: String?.self) { group in
      for index in 0..<100 {
        group.addTask {
          try? await Self.silent(applications[index % 2], ["User.Read", "Mail.Send"]).get().accessToken.reveal()
        }
      }
      return await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(tokens == ["access-2"])
    #expect(platform.count("token") == 2)
  }

  @Test("The same app with another cache redeems for itself")
  func otherStore() async throws {
    let (process, simulation) = (ClientProcess(), Simulation())
    let stages = try (0..<2).map { _ in try Stage(process: process, simulation: simulation) }
    for stage in stages { _ = try await stage.signIn() }
    let (one, two) = (stages[0].application, stages[1].application)
    let done = try await simulation.run {
      async let first = Self.silent(one, ["User.Read"], forced: true)
      async let second = Self.silent(two, ["User.Read"], forced: true)
      return [try await first.get().source, try await second.get().source]
    }
    #expect(done == [.refreshToken, .refreshToken])
    #expect(stages.map { $0.platform.count("token") } == [2, 2])
  }

  @Test("A failure is shared as well, and each caller has its own correlation id")
  func sharedFailure() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    stage.answer(FakePlatform.refusal("invalid_grant"))
    let errors = try await stage.simulation.run {
      await withTaskGroup(of: MSALError?.self) { group in
        for index in 0..<10 {
          group.addTask {
            do {
              _ = try await stage.application.acquireTokenSilent(SilentTests.forced(["User.Read"], "c-\(index)"))
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
    #expect(stage.platform.count("token") == 2)
  }

  @Test("A forced refresh that began before another was finished gets its answer, even where it comes late to it")
  func lateComer() async throws {
    let (store, platform, process, simulation) = (MemoryBlobStore(), FakePlatform(), ClientProcess(), Simulation())
    let stages = try (0..<2).map { _ in
      try Stage(
        store: store, platform: platform,
        transport: StubTransport { request in
          let isDiscovery = request.url.contains("/discovery/instance")
          try await simulation.clock.sleep(for: .milliseconds(isDiscovery ? 500 : 1))
          return try platform.respond(request)
        }, process: process, simulation: simulation)
    }
    _ = try await stages[0].signIn()
    let (quick, slow) = (stages[0].application, stages[1].application)
    let tokens = try await simulation.run {
      // The second has to ask for the authority first, and the other's redemption is over by then.
      async let one = Self.silent(quick, ["User.Read"], forced: true)
      async let two = Self.silent(slow, ["User.Read"], forced: true)
      return [try await one.get().accessToken, try await two.get().accessToken]
    }
    #expect(tokens[0] == tokens[1])
    #expect(platform.count("token") == 2)
    let later = try await stages[1].silent { $0.forceRefresh = true }
    #expect(later.accessToken != tokens[0])
    #expect(platform.count("token") == 3)
  }

  /// A platform whose first token answer after the sign-in takes ten seconds.
  func slow() async throws -> Stage {
    let (platform, simulation) = (FakePlatform(), Simulation())
    let asked = Mutex(0)
    let stage = try Stage(
      platform: platform,
      transport: StubTransport { request in
        let isSlow =
          request.url.hasSuffix("/token")
          && asked.withLock { asked in
            asked += 1
            return asked == 2
          }
        try await simulation.clock.sleep(for: isSlow ? .seconds(10) : .milliseconds(1))
        return try platform.respond(request)
      }, simulation: simulation)
    _ = try await stage.signIn()
    return stage
  }

  @Test("The first is cancelled: the next in line redeems for all the others")
  func firstCancelled() async throws {
    let stage = try await slow()
    let application = stage.application
    let (first, others) = try await stage.simulation.run {
      await withTaskGroup(of: (Int, Result<TokenResult, any Error>).self) { group in
        group.addTask {
          await withTaskGroup(of: Result<TokenResult, any Error>?.self) { inner in
            inner.addTask { await Self.silent(application, ["User.Read"], forced: true) }
            inner.addTask {
              try? await stage.simulation.clock.sleep(for: .seconds(5))
              return nil
            }
            var done: Result<TokenResult, any Error>?
            if let early = await inner.next() { done = early }
            inner.cancelAll()
            if let late = await inner.next(), let late { done = late }
            return (0, done ?? .failure(CancellationError()))
          }
        }
        for index in 1...3 {
          group.addTask {
            try? await stage.simulation.clock.sleep(for: .seconds(1))
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
    // The sign-in's and the second caller's; the cancelled one was never answered.
    #expect(stage.platform.count("token") == 2)
  }

  @Test("Who waits and is cancelled stops waiting at once")
  func waiterCancelled() async throws {
    let stage = try await slow()
    let application = stage.application
    let clock = stage.simulation.clock
    let start = clock.now
    let (waited, first) = try await stage.simulation.run {
      async let first = Self.silent(application, ["User.Read"], forced: true)
      let waited = await withTaskGroup(of: Duration?.self) { group in
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
      return (waited, await first)
    }
    let waiting = try #require(waited)
    #expect(waiting < .seconds(4))
    #expect(try first.get().source == .refreshToken)
    #expect(stage.platform.count("token") == 2)
  }

  @Test("Discovery and metadata are fetched once, however many ask at the same time")
  func discovery() async throws {
    let signedIn = try Stage()
    _ = try await signedIn.signIn(["User.Read", "Mail.Send"])
    let stage = try Stage(store: signedIn.store)
    _ = try await stage.simulation.run {
      async let one = Self.silent(stage.application, ["User.Read"], forced: true)
      async let two = Self.silent(stage.application, ["Mail.Send"], forced: true)
      return [try await one.get().source, try await two.get().source]
    }
    #expect(["instance", "metadata", "keys", "token"].map { stage.platform.count($0) } == [1, 1, 1, 2])
  }
}
