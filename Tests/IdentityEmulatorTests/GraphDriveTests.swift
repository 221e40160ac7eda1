import Documents
import Effects
import GraphEmulator
import HTTPTypes
import Testing

import IdentityEmulator

/// Tests the requests that sync clients send to the drive.
@Suite struct GraphDriveTests {
  private static func put(_ probe: GraphProbe, _ path: String, _ text: String) async -> GraphProbe.Response {
    await probe.send(.put, path, [("Content-Type", "text/plain")], Array(text.utf8))
  }

  @Test(
    "computes QuickXorHash as OneDrive does",
    arguments: [
      ([UInt8](), "AAAAAAAAAAAAAAAAAAAAAAAAAAA="), ([0x4A], "SgAAAAAAAAAAAAAAAQAAAAAAAAA="),
      ([0xB5, 0xB4], "taAFAAAAAAAAAAAAAgAAAAAAAAA="),
    ])
  func quickXorHash(bytes: [UInt8], hash: String) { #expect(QuickXorHash.text(of: bytes) == hash) }

  @Test("finds the same drive by every path")
  func drives() async throws {
    let probe = GraphProbe("Files.Read")
    let drive = await probe.get("/me/drive").body
    let id = try #require(drive["id"]?.string)
    #expect(await probe.get("/me/drives").value == [try #require(await probe.get("/me/drives").value.first)])
    #expect(await probe.get("/me/drives").value.first?["id"]?.string == id)
    #expect(await probe.get("/drives/\(id)").body["id"]?.string == id)
    let root = await probe.get("/drives/\(id)/root").body
    #expect(root["root"] == [:])
    #expect(await probe.get("/me/drives/\(id)/root").body["id"] == root["id"])
    #expect(await probe.get("/drives/\(id)/root/children").names("name").contains("Welcome.txt"))
    #expect(await probe.get("/drives/b!nothing/root").code == "itemNotFound")
  }

  @Test("requires an application permission for app-only access and protects other users' drives")
  func permissions() async throws {
    let megan = GraphProbe("Files.ReadWrite")
    let adele = GraphProbe("Files.Read", user: "adele@contoso.com")
    let id = try #require(await adele.get("/me/drive").body["id"]?.string)
    #expect(await megan.get("/drives/\(id)/root").code == "accessDenied")
    #expect(await GraphProbe("Files.Read.All", user: nil).get("/drives/\(id)/root").status == 200)
    #expect(await Self.put(megan.with("Files.Read"), "/me/drive/root:/a.txt:/content", "a").code == "accessDenied")
  }

  @Test("a simple upload creates folders and replaces files")
  func simpleUpload() async throws {
    let probe = GraphProbe("Files.ReadWrite")
    let created = await Self.put(probe, "/me/drive/root:/New folder/a b.txt:/content", "hello")
    #expect(created.status == 201)
    #expect(created.body["size"] == 5)
    #expect(created.body["file"]?["hashes"]?["quickXorHash"]?.string == QuickXorHash.text(of: Array("hello".utf8)))
    #expect(created.body["parentReference"]?["path"] == "/drive/root:/New folder")
    let id = try #require(created.body["id"]?.string)
    #expect(await probe.get("/me/drive/root:/new FOLDER/a b.txt").body["id"]?.string == id)
    #expect(await probe.get("/me/drive/root:/New folder:/children").names("name") == ["a b.txt"])
    let replaced = await Self.put(probe, "/me/drive/items/\(id)/content", "hello again")
    #expect(replaced.status == 200)
    #expect(replaced.header("ETag") != created.header("ETag"))
    #expect(await probe.get("/me/drive/items/\(id)/content").bytes == Array("hello again".utf8))
    let folder = try #require(created.body["parentReference"]?["id"]?.string)
    #expect(await Self.put(probe, "/me/drive/items/\(folder):/c.txt:/content", "c").status == 201)
  }

  @Test("applies the conflict behavior to an existing name")
  func conflicts() async {
    let probe = GraphProbe("Files.ReadWrite")
    let path = "/me/drive/root:/Welcome.txt:/content?@microsoft.graph.conflictBehavior="
    #expect(await Self.put(probe, path + "fail", "x").code == "nameAlreadyExists")
    #expect(await Self.put(probe, path + "rename", "x").body["name"] == "Welcome 1.txt")
    #expect(await Self.put(probe, path + "replace", "x").status == 200)
    #expect(await Self.put(probe, path + "invalid", "x").status == 400)
    let folder: JSON = ["name": "Documents", "folder": [:]]
    #expect(await probe.post("/me/drive/root/children", folder).status == 409)
  }

  @Test("renames, moves, and deletes items and stores the client's times")
  func changes() async throws {
    let probe = GraphProbe("Files.ReadWrite")
    let folder = await probe.post("/me/drive/root/children", ["name": "Box", "folder": [:]])
    #expect(folder.status == 201)
    let id = try #require(await probe.get("/me/drive/root:/Welcome.txt").body["id"]?.string)
    let times: JSON = ["lastModifiedDateTime": "2020-02-02T02:02:02Z"]
    let moved = await probe.patch(
      "/me/drive/items/\(id)",
      ["name": "Hi.txt", "parentReference": ["id": try #require(folder.body["id"])], "fileSystemInfo": times])
    #expect(moved.status == 200)
    #expect(moved.body["fileSystemInfo"]?["lastModifiedDateTime"] == "2020-02-02T02:02:02Z")
    #expect(await probe.get("/me/drive/root:/Box/Hi.txt").status == 200)
    #expect(await probe.patch("/me/drive/items/\(id)", ["shared": [:]]).status == 501)
    #expect(await probe.delete("/me/drive/items/\(id)", [("If-Match", "\"old\"")]).status == 412)
    #expect(await probe.delete("/me/drive/root:/Box").status == 204)
    #expect(await probe.get("/me/drive/items/\(id)").status == 404)
    #expect(await probe.delete("/me/drive/items/root").status == 400)
  }

  @Test("rejects names that OneDrive does not accept", arguments: ["a%3Fb", "a%22b", "a%2Ab", "a%7Cb"])
  func names(name: String) async {
    #expect(await Self.put(GraphProbe("Files.ReadWrite"), "/me/drive/root:/\(name):/content", "x").status == 400)
  }

  @Test("rejects content that exceeds the storage limit")
  func room() async {
    let probe = GraphProbe("Files.ReadWrite")
    let large = [UInt8](repeating: 1, count: 3 << 20)
    #expect(await probe.send(.put, "/me/drive/root:/a:/content", [], large).status == 201)
    #expect(await probe.get("/me/drive").body["quota"]?["used"]?.integer ?? 0 > 3 << 20)
    func session(_ size: Int) async -> GraphProbe.Response {
      await probe.post("/me/drive/root:/b:/createUploadSession", ["item": ["fileSize": .integer(Int64(size))]])
    }
    #expect(await session((40 - 3) << 20).code == "quotaLimitReached")
    #expect(await session((40 - 4) << 20).status == 200)
  }
}
