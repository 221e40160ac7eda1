import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import SimulatedWorld
import Studio
import Synchronization
import TestSupport
import Testing

/// Tests the emulator view of the studio.
@Suite struct StudioEmulatorTests {
  static let address = "http://localhost:8400"

  private static let emulator: IdentityPlatformEmulator = {
    let world = Simulation(seed: "emulator", environment: [:], workingDirectory: "/", grants: Grants()).world
    return IdentityPlatformEmulator(
      clock: world.clock, randomness: world.randomness,
      options: .init(controlEnabled: true, servesEveryHost: true))
  }()

  private static func attached() async throws -> StudioHarness {
    try await StudioHarness(emulator: address, http: emulator.transport)
  }

  @Test("shows the emulator's start page in a frame of the studio")
  func showsPage() async throws {
    let studio = try await Self.attached()
    #expect(try await studio.get("/api/emulator") == ["address": .string(Self.address), "canStart": false])
    let page = try await studio.send("/emulator")
    #expect(page.head.status == .ok)
    let policy = page.head.headerFields[.contentSecurityPolicy] ?? ""
    #expect(policy.contains("frame-ancestors 'self'") && policy.contains("script-src 'self'"))
    #expect(!policy.contains("unsafe"))
    let html = String(decoding: page.body, as: UTF8.self)
    #expect(html.contains("data-emulator=\"\(Self.address)\""))
    #expect(html.contains("/_page/start.js"))
    for name in ["start.js", "control.js", "request-list.js", "changes.js", "start.css"] {
      #expect(try await studio.send("/_page/\(name)").head.status == .ok, "\(name)")
    }
    #expect(try await studio.send("/_page/page.css").head.status == .notFound)
  }

  @Test("passes control requests to the emulator")
  func passesRequests() async throws {
    let studio = try await Self.attached()
    let added = try await studio.post("/_authflow/faults", [["at": "token", "response": ["status": 503]]])
    #expect(added.status == 200, "\(added.json.text())")
    let faults = try await studio.get("/_authflow/faults")
    #expect(faults["faults"]?[0]?["at"] == "token", "\(faults.text())")
    let removed = try await studio.send("/_authflow/faults", method: .delete)
    #expect(removed.head.status == .ok)
    let wrong = try await studio.post("/_authflow/faults", [["at": "tokn"]])
    #expect(wrong.status == 400)
    #expect(wrong.json["problems"]?[0]?.string != nil)
  }

  @Test(
    "rejects control requests from other browsers and pages",
    arguments: [["cookie": "x=y"], ["origin": "https://evil.example"], ["sec-fetch-site": "cross-site"]])
  func rejects(_ headers: [String: String]) async throws {
    var fields: HTTPFields = [:]
    for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
    let response = try await Self.attached().send("/_authflow/state", headers: fields)
    #expect(response.head.status == .forbidden)
    #expect(!String(decoding: response.body, as: UTF8.self).contains("version"))
  }

  @Test("reports an emulator that does not respond and a studio without an emulator")
  func reportsFailures() async throws {
    let closed = try await StudioHarness(emulator: Self.address).send("/_authflow/state")
    #expect(closed.head.status == .badGateway)
    let none = try await StudioHarness()
    #expect(try await none.send("/_authflow/state").head.status == .notFound)
    #expect(try await none.send("/emulator").head.status == .notFound)
    #expect(try await none.post("/api/emulator/start", [:]).status == 404)
  }

  @Test("starts an emulator with the workflow's directory")
  func startsEmulator() async throws {
    let directory =
      "tenants:\n  - name: Fabrikam\n    domains: [fabrikam.com]\n    users: [{username: kim@fabrikam.com}]\n"
    let workflow = StudioHarness.workflow.replacing(
      "user: megan@contoso.com", with: "directory: people.yaml\nuser: kim@fabrikam.com")
    let studio = try await StudioHarness(
      ["people.yaml": directory, "me.yaml": workflow],
      starter: { directory throws(EmulatorStartFailure) in
        guard directory.firstUser?.username == "kim@fabrikam.com" else { throw EmulatorStartFailure("wrong directory") }
        return Self.address
      })
    #expect(try await studio.get("/api/emulator") == ["address": .null, "canStart": true])
    let result = try await studio.post("/api/emulator/start", ["path": "me.yaml"])
    #expect(result.json["address"] == .string(Self.address), "\(result.json.text())")
    #expect(try await studio.post("/api/emulator/start", [:]).status == 409)
  }

  @Test("starts one emulator when two clients request it at the same time")
  func startsOneEmulator() async throws {
    let starts = Mutex(0)
    let (release, continuation) = AsyncStream<Void>.makeStream()
    let studio = try await StudioHarness(
      starter: { _ throws(EmulatorStartFailure) in
        starts.withLock { $0 += 1 }
        for await _ in release {}
        return Self.address
      })
    // The request that does not start the emulator fails while the other one waits.
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<2 { group.addTask { try await studio.post("/api/emulator/start", [:]).status } }
      let rejected = try await group.next()
      continuation.finish()
      return [rejected, try await group.next()]
    }
    #expect(statuses == [409, 200])
    #expect(starts.withLock { $0 } == 1)
  }

  @Test("starts an emulator again after a start that failed")
  func startsAfterFailure() async throws {
    let starts = Mutex(0)
    let studio = try await StudioHarness(
      starter: { _ throws(EmulatorStartFailure) in
        let isFirst = starts.withLock { count in
          count += 1
          return count == 1
        }
        guard !isFirst else { throw EmulatorStartFailure("no free port") }
        return Self.address
      })
    #expect(try await studio.post("/api/emulator/start", [:]).status == 500)
    #expect(try await studio.post("/api/emulator/start", [:]).status == 200)
  }
}
