import Documents
import GraphEmulator
import HTTPTypes
import Testing

import IdentityEmulator

/// Tests that every kind of request protects data for which the caller has no permission.
@Suite struct GraphPermissionTests {
  @Test(
    "requires more than User.Read for other users' photos",
    arguments: ["photo", "photo/$value", "photos", "photos/48x48/$value"])
  func otherPhotos(path: String) async {
    let probe = GraphProbe("User.Read")
    #expect(await probe.get("/me/\(path)").status == 200)
    #expect(await probe.get("/users/megan@contoso.com/\(path)").status == 200)
    #expect(await probe.get("/users/adele@contoso.com/\(path)").status == 403)
    for scope in ["User.ReadBasic.All", "User.Read.All", "ProfilePhoto.Read.All"] {
      #expect(await probe.with(scope).get("/users/adele@contoso.com/\(path)").status != 403, "\(scope)")
    }
  }

  @Test("rejects a photo change if the caller has only read permission")
  func photoPermission() async {
    let probe = GraphProbe("User.Read")
    let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
    #expect(await probe.send(.put, "/me/photo/$value", [], picture).status == 403)
    #expect(await probe.with("User.ReadWrite").send(.put, "/me/photo/$value", [], picture).status == 200)
  }

  @Test(
    "rejects queries by hidden properties",
    arguments: [
      "/users?$filter=jobTitle eq 'Boss'", "/users?$filter=startsWith(JOBTITLE,'B')", "/users?$orderby=department",
      "/users?$search=\"jobTitle:b\"", "/users/$count?$filter=city eq 'Oslo'",
    ])
  func hiddenProperties(url: String) async {
    let eventual = [("ConsistencyLevel", "eventual")]
    let probe = GraphProbe("User.ReadBasic.All")
    #expect(await probe.get(url, eventual).code == "Authorization_RequestDenied")
    #expect(await probe.with("User.Read.All").get(url, eventual).status == 200)
    #expect(
      await probe.get("/users?$filter=startsWith(displayName,'M')&$orderby=displayName&$count=true", eventual).status
        == 200)
  }

  @Test("returns the same properties in a delta response as in the collection")
  func deltaProperties() async {
    let probe = GraphProbe("User.ReadBasic.All")
    let users = await probe.get("/users/delta?$select=jobTitle,displayName").value
    #expect(users.allSatisfy { $0["jobTitle"] == .null } && !users.isEmpty)
    #expect(users.contains { $0["displayName"]?.string == "Megan Bowen" })
  }

  @Test(
    "rejects unknown properties",
    arguments: [
      "/users?$search=\"nope:meg\"", "/users/$count?$search=\"nope:meg\"", "/users/$count?$filter=nope eq 1",
    ])
  func unknownProperties(url: String) async {
    let response = await GraphProbe("User.Read.All").get(url, [("ConsistencyLevel", "eventual")])
    #expect(response.status == 400)
  }

  @Test(
    "returns the context URL of drive collections",
    arguments: [
      ("/me/drive/root", "drive/root/$entity"), ("/me/drive/items/root", "drive/root/$entity"),
      ("/me/drive/root/children", "drive/root/children"),
    ])
  func driveContexts(url: String, end: String) async throws {
    let probe = GraphProbe("Files.Read")
    let id = try #require(probe.caller.objectID)
    #expect(
      await probe.get(url).body["@odata.context"]?.string == "\(GraphProbe.base)/v1.0/$metadata#users('\(id)')/\(end)")
  }
}
