import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OAuth
import Testing

import IdentityEmulator

@Suite struct GraphLifecycleTests {
  private static let newcomer: JSON = [
    "accountEnabled": true, "displayName": "Nils Korn", "mailNickname": "nils", "jobTitle": "Trainee",
    "userPrincipalName": "nils@contoso.com",
    "passwordProfile": ["password": "Fake-Nils-1", "forceChangePasswordNextSignIn": false],
  ]

  @Test("creates and deletes a user")
  func createAndDelete() async {
    let probe = GraphProbe("User.ReadWrite.All")
    let created = await probe.post("/users", Self.newcomer)
    #expect(created.status == 201)
    #expect(created.body["displayName"] == "Nils Korn")
    #expect(created.body["jobTitle"] == "Trainee")
    let id = created.body["id"]?.string ?? ""
    #expect(created.header("Location") == "\(GraphProbe.base)/v1.0/users/\(id)")
    #expect(await probe.get("/users/nils@contoso.com").body["id"]?.string == id)
    #expect(probe.emulator.snapshot().text().contains("nils@contoso.com"), "the snapshot contains the user")
    #expect(await probe.delete("/users/\(id)").status == 204)
    #expect(await probe.get("/users/\(id)").code == "Request_ResourceNotFound")
    #expect(await probe.delete("/users/\(id)").status == 404)
  }

  @Test(
    "rejects an invalid new user",
    arguments: [
      ("userPrincipalName", "nils@elsewhere.example" as JSON), ("userPrincipalName", "megan@contoso.com" as JSON),
      ("userPrincipalName", "nils" as JSON), ("passwordProfile", ["password": "short"] as JSON),
      ("displayName", JSON.null), ("shoeSize", 44 as JSON),
    ])
  func invalidUser(name: String, value: JSON) async {
    var body = Self.newcomer
    body[name] = value
    let probe = GraphProbe("User.ReadWrite.All")
    let rejected = await probe.post("/users", body)
    #expect(rejected.status == 400)
    #expect(rejected.code == "Request_BadRequest")
    #expect(await probe.get("/users/nils@contoso.com").status == 404, "the user was not created")
  }

  @Test("requires a permission to create and delete users")
  func permission() async {
    let probe = GraphProbe("User.ReadWrite", "User.Read.All")
    #expect(await probe.post("/users", Self.newcomer).code == "Authorization_RequestDenied")
    #expect(await probe.delete("/users/adele@contoso.com").status == 403)
    #expect(await probe.get("/users/adele@contoso.com").status == 200)
  }

  @Test("lets only administrators disable accounts")
  func disabledAccount() async {
    let probe = GraphProbe("User.ReadWrite.All", user: nil)
    #expect(await probe.patch("/users/adele@contoso.com", ["accountEnabled": false]).status == 204)
    let match = await probe.get("/users/adele@contoso.com?$select=accountEnabled")
    #expect(match.body["accountEnabled"] == false)
    #expect(await GraphProbe("User.ReadWrite").patch("/me", ["accountEnabled": false]).status == 403)
  }

  @Test("changes the group memberships of a user")
  func groupMemberships() async {
    let probe = GraphProbe("User.Read", "GroupMember.ReadWrite.All", "Group.Read.All")
    let group = await probe.get("/groups?$top=1").value.first?["id"]?.string ?? ""
    let before = await probe.get("/groups/\(group)/members").names("id")
    let me = await probe.get("/me").body["id"]?.string ?? ""
    let path = "/groups/\(group)/members"
    if before.contains(me) { #expect(await probe.delete("\(path)/\(me)/$ref").status == 204) }
    #expect(await probe.delete("\(path)/\(me)/$ref").status == 404)
    let reference: JSON = ["@odata.id": .string("\(GraphProbe.base)/v1.0/directoryObjects/\(me)")]
    #expect(await probe.post("\(path)/$ref", reference).status == 204)
    #expect(await probe.post("\(path)/$ref", reference).status == 400)
    let ids = await probe.post("/me/getMemberGroups", ["securityEnabledOnly": false])
    #expect(ids.body["value"]?.array?.contains(.string(group)) == true)
    #expect(ids.body["@odata.context"]?.string?.hasSuffix("$metadata#Collection(Edm.String)") == true)
    let some = await probe.post("/me/checkMemberGroups", ["groupIds": [.string(group), "none"]])
    #expect(some.body["value"] == [.string(group)])
    let eventual = [("ConsistencyLevel", "eventual")]
    let count = await probe.get("\(path)/$count", eventual)
    #expect(String(decoding: count.bytes, as: UTF8.self) == String(await probe.get(path).value.count))
  }
}
