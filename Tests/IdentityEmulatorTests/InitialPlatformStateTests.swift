import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import SimulatedWorld
import Testing

@Suite("Emulators with a shared initial state")
struct InitialPlatformStateTests {
  private static func usernames(_ emulator: IdentityPlatformEmulator) async throws -> [String] {
    let request = try #require(RequestMessage(url: "https://login.microsoftonline.com/_authflow/users"))
    let users = try JSON(parsing: await emulator.respond(to: request).body)["users"]?.array ?? []
    return users.compactMap { $0["username"]?.string }
  }

  @Test func changesDoNotAffectOtherEmulators() async throws {
    let clock = HandClock()
    let start = InitialPlatformState(.contoso, at: clock.now, options: .init(controlEnabled: true))
    let emulators = (0..<2).map { seed in
      IdentityPlatformEmulator(start, clock: clock, randomness: SeededRandomness(seed: UInt64(seed)))
    }
    let before = try await Self.usernames(emulators[0])
    let first = try #require(before.first)
    let body = JSON.array([["userDeleted": .string(first)]])
    let request = try #require(
      RequestMessage(
        method: .post, url: "https://login.microsoftonline.com/_authflow/events",
        headers: [.contentType: "application/json"], body: body.utf8()))
    #expect(await emulators[0].respond(to: request).head.status == .ok)
    #expect(try await Self.usernames(emulators[0]).contains(first) == false)
    #expect(try await Self.usernames(emulators[1]) == before)
    let third = IdentityPlatformEmulator(start, clock: clock, randomness: SeededRandomness(seed: 3))
    #expect(try await Self.usernames(third) == before)
  }
}
