import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import OrderedCollections
import Testing

@Suite("Limits of stored data")
struct BoundsTests {
  private static let root = "https://login.microsoftonline.com/_authflow/"

  @Test("the request log truncates long text")
  func requestLog() async throws {
    let stage = Stage()
    let long = String(repeating: "ä", count: 20_000)
    _ = try await stage.token([
      "grant_type": long, "client_id": long, "scope": long, "username": long, "password": "x", "refresh_token": "x",
    ])
    _ = try await stage.send(.get, "https://graph.microsoft.com/v1.0/" + String(repeating: "x", count: 20_000))
    let entries = try #require(try await stage.json(Self.root + "requests")["requests"]?.array)
    #expect(entries.count == 2)
    #expect(entries[0]["client"]?.string?.hasPrefix("ääää") == true)
    #expect(entries[1]["url"]?.string?.hasPrefix("https://graph.microsoft.com/v1.0/xxxx") == true)
    for entry in entries {
      for (name, value) in entry.object ?? [:] {
        #expect((value.string?.utf8.count ?? 0) < 500, "\(name)")
      }
    }
  }

  @Test("removes expired device codes, and removes the oldest ones when there are too many")
  func devices() async throws {
    let start = Stage().clock.now.secondsSince1970
    func stage(_ count: Int, expiring: Int64) -> Stage {
      let devices = (0..<count).map { number -> (String, JSON) in
        (
          "device\(number)",
          [
            "code": .string("CODE\(number)"), "client": .string(Stage.clientID), "scope": "openid",
            "tenant": "common", "expires": .integer(start + expiring),
          ]
        )
      }
      return Stage(snapshot: ["version": 1, "devices": .object(OrderedDictionary(uniqueKeysWithValues: devices))])
    }
    func waiting(_ stage: Stage) async throws -> [String] {
      for _ in 0..<2 {
        _ = try await stage.post("common/oauth2/v2.0/devicecode", ["scope": "openid"])
      }
      let json = try await stage.json(Self.root + "devices")
      return (json["devices"]?.array ?? []).compactMap { $0["userCode"]?.string }
    }
    #expect(try await waiting(stage(600, expiring: -1)).count == 2)
    #expect(try await waiting(stage(600, expiring: 900)).count == 602)
    let many = try await waiting(stage(10_000, expiring: 900))
    #expect((9000...10_000).contains(many.count), "\(many.count)")
    #expect(!many.contains("CODE0") && many.contains("CODE9999"))
  }
}
