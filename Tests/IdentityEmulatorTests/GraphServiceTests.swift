import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import TestSupport
import Testing

import IdentityEmulator

@Suite struct GraphServiceTests {
  @Test("adds Graph's headers to every response")
  func headers() async {
    let result = await GraphProbe("User.Read").get("/me", [("client-request-id", "mine")])
    #expect(result.header("request-id") == "8a7b6c5d-0000-4000-8000-000000000001")
    #expect(result.header("client-request-id") == "mine")
    #expect(result.header("OData-Version") == "4.0")
    #expect(result.header("Cache-Control") == "no-cache")
    #expect(result.header("Date") == "Wed, 01 Jan 2025 00:00:00 GMT")
    #expect(
      result.header("Content-Type")
        == "application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8")
    #expect(result.header("x-ms-ags-diagnostic")?.contains("ServerInfo") == true)
    #expect(result.header("Strict-Transport-Security") == "max-age=31536000")
    #expect(await GraphProbe("User.Read").get("/me").header("client-request-id") == result.header("request-id"))
  }

  @Test("returns errors in Graph's format")
  func errorBodies() async {
    let result = await GraphProbe("User.Read").get("/users")
    let expected: JSON = [
      "error": [
        "code": "Authorization_RequestDenied", "message": "Insufficient privileges to complete the operation.",
        "innerError": [
          "date": "2025-01-01T00:00:00", "request-id": "8a7b6c5d-0000-4000-8000-000000000001",
          "client-request-id": "8a7b6c5d-0000-4000-8000-000000000001",
        ],
      ]
    ]
    #expect(result.body == expected)
    #expect(result.header("Content-Type") == "application/json")
  }

  @Test("returns a challenge for an invalid token")
  func invalidToken() async {
    let challenge = #"Bearer realm="", error="insufficient_claims", claims="e30=""#
    let result = await GraphProbe("User.Read").send(
      .get, "/me",
      authentication: .rejected(
        GraphAuthenticationError(
          code: "InvalidAuthenticationToken", message: "Access token is empty.", challenge: challenge)))
    #expect(result.status == 401)
    #expect(result.code == "InvalidAuthenticationToken")
    #expect(result.header("WWW-Authenticate") == challenge)
  }

  @Test(
    "returns the expected status and error code",
    arguments: [
      ("/nothing", 501, "NotEmulated"), ("/me/nothing", 501, "NotEmulated"), ("/users?$wish=1", 400, "BadRequest"),
      ("/me?$select=id&$select=id", 400, "BadRequest"), ("/me?$top=x", 400, "BadRequest"),
      ("/users?$skip=1", 400, "Request_BadRequest"), ("/users?$select=aboutMe", 501, "NotImplemented"),
      ("/users?$filter=contains(displayName,'a')", 400, "Request_UnsupportedQuery"),
      ("/users?$count=true", 400, "Request_UnsupportedQuery"), ("/users?$expand=x", 501, "NotEmulated"),
      ("/me/photos/47x47/$value", 400, "ErrorInvalidImageId"), ("/me/mailFolders/nothing", 404, "ErrorItemNotFound"),
      ("/groups/nothing", 404, "Request_ResourceNotFound"), ("/me/drive/items/x", 404, "itemNotFound"),
    ])
  func errors(path: String, status: Int, code: String) async {
    let probe = GraphProbe("User.Read.All", "Mail.Read", "Group.Read.All", "Files.Read")
    let result = await probe.get(path)
    #expect(result.status == status)
    #expect(result.code == code)
  }

  @Test("rejects an unknown version and an unsupported method")
  func wrongVersionAndMethod() async {
    let probe = GraphProbe("User.Read")
    #expect(await probe.get("https://graph.microsoft.com/v2.0/me").status == 400)
    let result = await probe.send(.delete, "/organization")
    #expect(result.status == 405)
    #expect(await probe.send(.head, "/me").bytes.isEmpty)
  }

  @Test(
    "accepts a permission that includes the required permission",
    arguments: [
      (["User.ReadWrite"], "User.Read", true), (["User.Read.All"], "User.Read", true),
      (["Directory.Read.All"], "User.Read.All", true), (["Directory.Read.All"], "User.ReadWrite", false),
      (["User.Read"], "User.ReadBasic.All", false), (["User.ReadBasic.All"], "User.Read", false),
      (["Calendars.ReadWrite"], "Calendars.ReadBasic", true), (["Calendars.ReadBasic"], "Calendars.Read", false),
      (["Mail.Send"], "Mail.Read", false), (["Mail.ReadWrite"], "Mail.Send", false),
      (["Group.Read.All"], "GroupMember.Read.All", true), (["GroupMember.Read.All"], "Group.Read.All", false),
      (["Directory.ReadWrite.All"], "User.ReadWrite.All", true), (["user.read"], "User.Read", true),
      (["User.ReadWrite"], "User.ReadWrite.All", false), (["Files.ReadWrite.All"], "Files.Read", true),
    ])
  func access(granted: [String], requested: String, satisfied: Bool) {
    #expect(GraphAccess(requested).isSatisfied(by: Set(granted.map { $0.lowercased() })) == satisfied)
  }

  @Test("returns the organization")
  func organization() async {
    let probe = GraphProbe("User.Read")
    let limited = await probe.get("/organization")
    #expect(limited.value.count == 1)
    #expect(limited.value.first?["displayName"] == "Contoso")
    #expect(limited.value.first?["verifiedDomains"]?[0]?["name"] == "contoso.com")
    #expect(limited.value.first?["tenantType"] == .some(.null))
    #expect(await probe.with("Organization.Read.All").get("/organization").value.first?["tenantType"] == "AAD")
    #expect(await probe.with("Mail.Read").get("/organization").status == 403)
  }

  @Test("returns photos in the requested size")
  func photos() async {
    let probe = GraphProbe("User.Read")
    let metadata = await probe.get("/me/photo")
    #expect(metadata.body["id"] == "240x240")
    #expect(metadata.body["@odata.mediaContentType"] == "image/jpeg")
    let value = await probe.get("/me/photo/$value")
    #expect(value.header("Content-Type") == "image/jpeg")
    #expect(value.header("ETag")?.hasPrefix("W/\"") == true)
    #expect(value.bytes.prefix(3) == [0xFF, 0xD8, 0xFF])
    #expect(value.bytes.suffix(2) == [0xFF, 0xD9])
    let small = await probe.get("/me/photos/48x48/$value")
    #expect(small.bytes.count < value.bytes.count)
    #expect(await probe.get("/me/photos").value.count == 9)
    let dora = GraphProbe("User.Read", user: "dora@contoso.com")
    #expect(await dora.get("/me/photo").code == "ImageNotFound")
    let put = await probe.with("User.ReadWrite").send(.put, "/me/photo/$value", [], [0xFF, 0xD8, 1, 0xFF, 0xD9])
    #expect(put.status == 200)
    #expect(await probe.get("/me/photo/$value").bytes == [0xFF, 0xD8, 1, 0xFF, 0xD9])
  }

  @Test("returns the manager, direct reports, and relevant contacts")
  func relatedUsers() async {
    let probe = GraphProbe("User.Read.All")
    let manager = await probe.get("/me/manager")
    #expect(manager.body["displayName"] == "Adele Vance")
    #expect(manager.body["@odata.type"] == "#microsoft.graph.user")
    #expect(await GraphProbe("User.Read.All", user: "adele@contoso.com").get("/me/manager").status == 404)
    #expect(await probe.get("/me/directReports").names().contains("Alex Wilber"))
    #expect(await probe.with("User.Read").get("/me/manager").status == 403)
    let groups = await probe.with("User.Read", "GroupMember.Read.All").get("/me/memberOf")
    #expect(groups.names() == ["All Company", "Marketing"] || groups.names() == ["Marketing", "All Company"])
    #expect(await probe.with("User.Read").get("/me/memberOf").value.first?["displayName"] == .some(.null))
    let adele = GraphProbe("User.Read", user: "adele@contoso.com")
    let roles = await adele.get("/me/memberOf/microsoft.graph.directoryRole")
    #expect(roles.names() == ["Global Administrator"])
  }

  @Test("serves custom data from the directory")
  func customData() async {
    var directory = EmulatedDirectory.contoso
    let data: JSON = [
      "/me/insights/used": [["id": "1", "displayName": "Tasks"], ["id": "2", "displayName": "Shopping"]],
      "/me/insights": ["availability": "Busy"], "/me/calendarView": [["subject": "Planned"]],
      "/me/drive/recent?x=1": ["value": [["name": "a"]]],
    ]
    directory.graph = data.object ?? directory.graph
    let probe = GraphProbe("User.Read", directory: directory)
    #expect(await probe.get("/me/insights/used").names() == ["Tasks", "Shopping"])
    #expect(
      await probe.get("/me/insights/used?$filter=startsWith(displayName,'S')&$select=displayName").names() == [
        "Shopping"
      ])
    #expect(await probe.get("/me/insights").body["availability"] == "Busy")
    #expect(await probe.get("/me/drive/recent?x=1").names("name") == ["a"])
    #expect(await probe.get("/me/drive/recent").status == 501)
    #expect(await probe.get("/me/calendarView").status == 403)
    #expect(await probe.with("Calendars.Read").get("/me/calendarView").names("subject") == ["Planned"])
  }

  @Test("runs a batch's requests in dependency order")
  func batch() async {
    let probe = GraphProbe("User.Read", "Calendars.ReadWrite")
    let result = await probe.post(
      "/$batch",
      [
        "requests": [
          ["id": "1", "method": "GET", "url": "/me?$select=displayName", "depends_on": []],
          ["id": "2", "method": "GET", "url": "users"],
          ["id": "3", "method": "GET", "url": "/me", "dependsOn": ["2"]],
          ["id": "4", "method": "GET", "url": "https://graph.microsoft.com/v1.0/me/photo/$value", "dependsOn": ["1"]],
          [
            "id": "5", "method": "POST", "url": "/me/events", "headers": ["content-type": "application/json"],
            "body": [
              "subject": "B", "start": ["dateTime": "2025-01-01T00:00:00"], "end": ["dateTime": "2025-01-01T01:00:00"],
            ],
          ],
        ]
      ])
    #expect(result.status == 200)
    func response(_ id: String) -> JSON { result.body["responses"]?.array?.first { $0["id"]?.string == id } ?? .null }
    #expect(response("1")["body"]?["displayName"] == "Megan Bowen")
    #expect(response("2")["status"] == 403)
    #expect(response("2")["body"]?["error"]?["code"] == "Authorization_RequestDenied")
    #expect(response("3")["status"] == 424)
    #expect(response("4")["body"]?.string?.hasPrefix("/9j/") == true)
    #expect(response("5")["status"] == 201)
    #expect(await probe.get("/me/events?$filter=subject eq 'B'").value.count == 1)
  }

  @Test(
    "rejects an invalid batch",
    arguments: [
      #"{}"#, #"{"requests":[]}"#, #"{"requests":[{"id":"1","method":"GET"}]}"#,
      #"{"requests":[{"id":"1","method":"GET","url":"/me"},{"id":"1","method":"GET","url":"/me"}]}"#,
      #"{"requests":[{"id":"1","method":"POST","url":"/me/events","body":{}}]}"#,
      #"{"requests":[{"id":"1","method":"GET","url":"/me","dependsOn":["2"]}]}"#,
      #"{"requests":[{"id":"1","method":"GET","url":"/me","dependsOn":["2"]},{"id":"2","method":"GET","url":"/me","dependsOn":["1"]}]}"#,
    ])
  func invalidBatches(text: String) async throws {
    let result = await GraphProbe("User.Read").post("/$batch", try JSON(parsing: Array(text.utf8)))
    #expect(result.status == 400)
  }

  @Test("limits a batch to twenty requests")
  func batchLimit() async {
    let requests = (0..<21).map { ["id": .string("\($0)"), "method": "GET", "url": "/me"] as JSON }
    let probe = GraphProbe("User.Read")
    #expect(await probe.post("/$batch", ["requests": .array(requests)]).status == 400)
    #expect(await probe.post("/$batch", ["requests": .array(Array(requests.dropLast()))]).status == 200)
  }

  @Test(
    "serves a collection if the token has the required scope",
    arguments: [
      ("/me/people", "People.Read", "displayName"), ("/me/todo/lists", "Tasks.Read", "displayName"),
      ("/me/joinedTeams", "Team.ReadBasic.All", "displayName"), ("/me/mailFolders", "Mail.ReadBasic", "displayName"),
      ("/groups", "GroupMember.Read.All", "displayName"), ("/groups/delta", "Group.Read.All", "displayName"),
      ("/me/directReports", "User.Read.All", "displayName"), ("/me/drive/root/children", "Files.Read", "name"),
      ("/me/mailFolders/inbox/messages/delta", "Mail.Read", "subject"), ("/me/photos", "User.Read", "id"),
      ("/me/calendarView/delta?startDateTime=2025-01-01&endDateTime=2025-01-08", "Calendars.Read", "subject"),
    ])
  func collectionScopes(path: String, scope: String, key: String) async {
    let probe = GraphProbe(scope)
    let result = await probe.get(path)
    #expect(result.status == 200)
    #expect(!result.value.isEmpty)
    #expect(result.value.allSatisfy { $0[key]?.string?.isEmpty == false })
    #expect(await probe.with("IMAP.AccessAsUser.All").get(path).status == 403)
  }

  @Test("returns presence, mailbox settings, and the manager")
  func singleItems() async {
    let probe = GraphProbe("Presence.Read", "MailboxSettings.ReadWrite", "User.Read.All")
    #expect(await probe.get("/me/presence").body["availability"] == "Available")
    #expect(await probe.get("/me/mailboxSettings").body["timeZone"] == "UTC")
    #expect(await probe.patch("/me/mailboxSettings", ["timeZone": "Romance Standard Time"]).status == 200)
    #expect(await probe.get("/me/mailboxSettings/timeZone").body["value"] == "Romance Standard Time")
    #expect(await probe.patch("/me/mailboxSettings", ["timeZone": "Mars"]).status == 400)
    let expanded = await probe.get("/me?$expand=manager($select=displayName,id)")
    #expect(expanded.body["manager"]?["displayName"] == "Adele Vance")
    #expect(expanded.body["manager"]?["jobTitle"] == nil)
    #expect(await probe.get("/me?$expand=shoes").status == 501)
  }

  @Test("allows cross-origin requests")
  func crossOrigin() async {
    let probe = GraphProbe("User.Read")
    let preflight = await probe.send(
      .options, "/me",
      [
        ("Origin", "https://app.contoso.com"), ("Access-Control-Request-Method", "GET"),
        ("Access-Control-Request-Headers", "authorization"),
      ], authentication: .rejected(GraphAuthenticationError(code: "x", message: "", challenge: "Bearer")))
    #expect(preflight.status == 200)
    #expect(preflight.header("Access-Control-Allow-Headers") == "authorization")
    #expect(preflight.header("WWW-Authenticate") == nil)
    let result = await probe.get("/me", [("Origin", "https://app.contoso.com")])
    #expect(result.header("Access-Control-Allow-Origin") == "*")
    #expect(await probe.get("/me").header("Access-Control-Allow-Origin") == nil)
  }

  @Test("returns an error for a guest's mailbox")
  func guestMailbox() async {
    let contoso = EmulatedDirectory.contoso.tenants[0].id
    let gina = GraphProbe("Mail.Read", "User.Read", user: "gina@fabrikam.com", tenant: contoso)
    #expect(await gina.get("/me/messages").code == "MailboxNotEnabledForRESTAPI")
    #expect(await gina.get("/me").status == 200)
  }

  @Test("lists every route in the reference")
  func reference() {
    #expect(GraphReference.all.contains { $0.method == "GET" && $0.path == "/me/calendarView" })
    #expect(GraphReference.all.contains { $0.method == "PATCH" && $0.path == "/me" })
    #expect(GraphReference.markdown.split(separator: "\n").count == GraphReference.all.count + 2)
    for entry in GraphReference.all {
      #expect(!entry.delegated.isEmpty, "\(entry.method) \(entry.path)")
    }
  }

  @Test("generates the reference page from the routes")
  func referencePage() throws {
    let page = "Sources/authflow/authflow.docc/Reference/EmulatorGraph.md"
    if ProjectFiles.updatesGoldenFiles { try ProjectFiles.write(GraphReference.page, to: page) }
    #expect(String(decoding: try ProjectFiles.bytes(of: page), as: UTF8.self) == GraphReference.page)
  }

  @Test("rejects a filter with too many terms")
  func longFilter() async {
    let filter = Array(repeating: "displayName eq 'a'", count: 600).joined(separator: " or ")
    #expect(await GraphProbe("User.Read.All").get("/users?$filter=\(filter)").status == 400)
  }

  @Test(
    "accepts equivalent notations of a path",
    arguments: [
      ("/users/microsoft.graph.delta()", 32), ("/users/delta()", 32), ("/me/memberOf/graph.group", 2),
      ("/me/memberOf/microsoft.graph.group", 2), ("/me/mailFolders('inbox')/messages", 4),
    ])
  func equivalentPaths(path: String, count: Int) async {
    #expect(await GraphProbe("User.Read.All", "Mail.Read").get(path).value.count == count)
  }
}
