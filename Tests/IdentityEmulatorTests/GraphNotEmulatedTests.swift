import Documents
import Effects
import GraphEmulator
import HTTPTypes
import IdentityEmulator
import OAuth
import Testing

/// Tests requests that the live service may support but the emulator does not.
@Suite struct GraphNotEmulatedTests {
  @Test(
    "returns 501 in Graph's error format and includes the request in a header",
    arguments: [
      (HTTPRequest.Method.get, "/me/insights/used"), (.get, "/me/nothing"), (.get, "/communications/calls"),
      (.post, "/me/mailFolders"), (.patch, "/organization/x"), (.delete, "/groups/x"),
      (.get, "/users/unknown/insights"),
    ])
  func notEmulated(method: HTTPRequest.Method, path: String) async {
    let probe = GraphProbe("User.Read", "Mail.ReadWrite", "Group.ReadWrite.All")
    let response = await probe.send(method, path)
    #expect(response.status == 501)
    #expect(response.code == "NotEmulated")
    #expect(response.header("x-authflow-not-emulated") == "\(method.rawValue) /v1.0\(path)")
    let message = response.body["error"]?["message"]?.string ?? ""
    #expect(message.contains("\(method.rawValue) /v1.0\(path)"))
    #expect(!message.contains("Resource not found"))
    #expect(response.body["error"]?["innerError"]?["request-id"]?.string != nil)
  }

  @Test(
    "returns 405 for a method that Graph also rejects",
    arguments: [
      (HTTPRequest.Method.delete, "/users"), (.patch, "/groups"), (.post, "/users/$count"), (.post, "/users/delta"),
      (.get, "/me/sendMail"), (.get, "/me/getMemberGroups"),
    ])
  func refusedByGraphToo(method: HTTPRequest.Method, path: String) async {
    let response = await GraphProbe("User.Read").send(method, path)
    #expect(response.status == 405)
    #expect(response.header("x-authflow-not-emulated") == nil)
  }

  @Test("returns 400 for a version that Graph does not have")
  func versions() async {
    #expect(await GraphProbe("User.Read").get("https://graph.microsoft.com/v3.0/me").status == 400)
  }

  @Test(
    "returns 501 for an unsupported expansion of a collection or an item",
    arguments: ["/users?$expand=memberOf", "/me?$expand=memberOf", "/me/mailFolders/inbox?$expand=childFolders"])
  func expansions(path: String) async {
    let response = await GraphProbe("User.Read.All", "Mail.Read").get(path)
    #expect(response.status == 501)
    #expect(response.header("x-authflow-not-emulated")?.hasPrefix("$expand=") == true)
  }

  @Test("removes control characters from the header and truncates it")
  func hostilePaths() async throws {
    let header = await GraphProbe("User.Read").get("/me/a%0D%0Ab/" + String(repeating: "c", count: 5000))
      .header("x-authflow-not-emulated")
    let text = try #require(header)
    #expect(text.utf8.count <= 200)
    #expect(text.utf8.allSatisfy { (0x20...0x7E).contains($0) })
  }

  @Test("reports an unsupported batch part in the headers of both the batch and the part")
  func batches() async {
    let response = await GraphProbe("User.Read").post(
      "/$batch",
      ["requests": [["id": "1", "method": "GET", "url": "/me"], ["id": "2", "method": "GET", "url": "/me/insights"]]])
    #expect(response.status == 200)
    #expect(response.header("x-authflow-not-emulated") == "GET /v1.0/me/insights")
    #expect(response.body["responses"]?[1]?["status"] == 501)
    #expect(response.body["responses"]?[1]?["headers"]?["x-authflow-not-emulated"] == "GET /v1.0/me/insights")
  }

  @Test("records an unsupported request in the request log")
  func trail() async throws {
    let stage = Stage()
    let token = try #require(await stage.signIn()["access_token"]?.string)
    _ = try await stage.send(
      .get, "https://graph.microsoft.com/v1.0/me/insights", headers: [.authorization: "Bearer \(token)"])
    let trail = try await stage.json("https://login.microsoftonline.com/_authflow/requests")
    let entry = try #require(trail["requests"]?.array?.last)
    #expect(entry["status"] == 501)
    #expect(entry["decision"] == "not emulated")
    #expect(entry["reason"]?.string?.contains("GET /v1.0/me/insights") == true)
    #expect(entry["user"] == "megan@contoso.com")
  }
}
