import Directory
import Documents
import Effects
import GraphEmulator
import OrderedCollections
import SimulatedWorld
import Testing

import IdentityEmulator

/// Tests a directory with thousands of users. Delta links must stay short and remain valid after a restart of the
/// emulator.
@Suite struct GraphManyUsersTests {
  private static func directory(_ count: Int) -> EmulatedDirectory {
    var directory = EmulatedDirectory()
    var tenant = Tenant()
    tenant.name = "Big"
    tenant.domains = ["big.com"]
    tenant.users = (1...count).map { number in
      var user = User()
      user.username = "U\(number)@big.com"
      user.mail = "mail\(number)@big.com"
      return user
    }
    directory.tenants = [tenant]
    return directory.completed()
  }

  private static let most = [("Prefer", "odata.maxpagesize=100000")]

  @Test("keeps delta links short and valid after a restart")
  func deltaLinks() async throws {
    let directory = Self.directory(2000)
    var probe = GraphProbe("User.Read.All", "User.ReadWrite.All", user: "u1@big.com", directory: directory)
    let first = await probe.get("/users/delta", Self.most)
    #expect(first.value.count == 2000)
    let link = try #require(first.body["@odata.deltaLink"]?.string)
    #expect(link.utf8.count < 200)
    #expect(await probe.get(link).value.isEmpty)
    // The link is the same if the content is equal.
    #expect(await probe.get(link).link == link)

    let world = World.simulated()
    let second = IdentityPlatformEmulator(
      directory: directory, clock: world.clock, randomness: world.randomness, snapshot: probe.emulator.snapshot())
    probe = GraphProbe(second, probe.caller)
    _ = await probe.patch("/users/u7@big.com", ["jobTitle": "Pilot"])
    #expect(await probe.get(link).names("jobTitle") == ["Pilot"])

    let third = GraphProbe(
      IdentityPlatformEmulator(directory: directory, clock: world.clock, randomness: world.randomness), probe.caller)
    let lost = await third.get(link)
    #expect(lost.status == 410)
    #expect(lost.code == "syncStateNotFound")
    #expect(lost.header("Location") == GraphProbe.base + "/v1.0/users/delta")
  }

  @Test("returns the remaining delta items in pages of any size")
  func deltaPageSize() async throws {
    let probe = GraphProbe("User.Read.All")
    let first = await probe.get("/users/delta", [("Prefer", "odata.maxpagesize=1")])
    #expect(first.value.count == 1)
    let rest = await probe.get(try #require(first.link), [("Prefer", "odata.maxpagesize=\(Int.max)")])
    #expect(rest.status == 200)
    #expect(rest.value.count > 1)
  }

  @Test("rejects a delta link from a different collection")
  func otherCollection() async throws {
    let probe = GraphProbe("User.Read.All", "Group.Read.All")
    let token = try #require(await probe.get("/users/delta").link).split(separator: "=").last ?? ""
    #expect(await probe.get("/users/delta?$deltatoken=\(token)").status == 200)
    #expect(await probe.get("/groups/delta?$deltatoken=\(token)").status == 410)
  }

  @Test("removes the oldest delta states when their total size exceeds the limit")
  func deltaStateLimit() {
    var state = GraphState()
    let big = String(repeating: "x", count: 12 << 20)
    for name in ["a", "b", "a", "c"] {
      state.recordDeltaResult(big + name, as: "seen", of: DeltaToken.ownerPrefix + name)
      state.storeDeltaResults(state.deltaResults)
      state.deltaResults = []
    }
    #expect(state.collection("seen", of: DeltaToken.ownerPrefix + "b") == nil)
    #expect(state.collection("seen", of: DeltaToken.ownerPrefix + "a") != nil)
    #expect(state.collection("seen", of: DeltaToken.ownerPrefix + "c") != nil)
  }

  /// Finds each of 20,000 users by name, address, and ID. Linear searches would take minutes.
  @Test("finds users by name in a large directory")
  func largeDirectory() {
    let directory = Self.directory(20_000)
    var state = InitialPlatformState(directory, at: Simulation.start).state
    let tenant = directory.tenants[0]
    for (number, user) in tenant.users.enumerated() {
      #expect(state.account(named: "u\(number + 1)@BIG.com")?.user.id == user.id)
      #expect(state.account(named: "MAIL\(number + 1)@big.com")?.user.id == user.id)
      #expect(state.graph.member(named: user.username, of: tenant.id)?.objectID == user.id)
    }
    // The index reflects changes to accounts.
    state.changeAccount(tenant.users[0].id) { $0.username = "renamed@big.com" }
    #expect(state.account(named: "u1@big.com") == nil)
    #expect(state.account(named: "renamed@big.com")?.user.id == tenant.users[0].id)
    state.graph.accounts[tenant.users[0].id] = nil
    #expect(state.account(named: "renamed@big.com") == nil)
  }
}
