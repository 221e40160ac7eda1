import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import TestSupport
import Testing

import IdentityEmulator

@Suite struct GraphServiceTests {
  @Test func headers() async {
    let answer = await GraphProbe("User.Read").get("/me", [("client-request-id", "mine")])
    #expect(answer.header("request-id") == "8a7b6c5d-0000-4000-8000-000000000001")
    #expect(answer.header("client-request-id") == "mine")
    #expect(answer.header("OData-Version") == "4.0")
    #expect(answer.header("Cache-Control") == "no-cache")
    #expect(answer.header("Date") == "Wed, 01 Jan 2025 00:00:00 GMT")
    #expect(
      answer.header("Content-Type")
        == "application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8")
    #expect(answer.header("x-ms-ags-diagnostic")?.contains("ServerInfo") == true)
    #expect(answer.header("Strict-Transport-Security") == "max-age=31536000")
    #expect(await GraphProbe("User.Read").get("/me").header("client-request-id") == answer.header("request-id"))
  }

  @Test func errorBodies() async {
    let answer = await GraphProbe("User.Read").get("/users")
    let expected: JSON = [
      "error": [
        "code": "Authorization_RequestDenied", "message": "Insufficient privileges to complete the operation.",
        "innerError": [
          "date": "2025-01-01T00:00:00", "request-id": "8a7b6c5d-0000-4000-8000-000000000001",
          "client-request-id": "8a7b6c5d-0000-4000-8000-000000000001",
        ],
      ]
    ]
    #expect(answer.body == expected)
    #expect(answer.header("Content-Type") == "application/json")
  }

  @Test func refusedTokens() async {
    let challenge = #"Bearer realm="", error="insufficient_claims", claims="e30=""#
    let answer = await GraphProbe("User.Read").send(
      .get, "/me",
      authentication: .refused(
        GraphAuthenticationError(
          code: "InvalidAuthenticationToken", message: "Access token is empty.", challenge: challenge)))
    #expect(answer.status == 401)
    #expect(answer.code == "InvalidAuthenticationToken")
    #expect(answer.header("WWW-Authenticate") == challenge)
  }

  @Test(arguments: [
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
    let answer = await probe.get(path)
    #expect(answer.status == status)
    #expect(answer.code == code)
  }

  @Test func wrongVersionAndMethod() async {
    let probe = GraphProbe("User.Read")
    #expect(await probe.get("https://graph.microsoft.com/v2.0/me").status == 400)
    let answer = await probe.send(.delete, "/organization")
    #expect(answer.status == 405)
    #expect(await probe.send(.head, "/me").bytes.isEmpty)
  }

  @Test(arguments: [
    (["User.ReadWrite"], "User.Read", true), (["User.Read.All"], "User.Read", true),
    (["Directory.Read.All"], "User.Read.All", true), (["Directory.Read.All"], "User.ReadWrite", false),
    (["User.Read"], "User.ReadBasic.All", false), (["User.ReadBasic.All"], "User.Read", false),
    (["Calendars.ReadWrite"], "Calendars.ReadBasic", true), (["Calendars.ReadBasic"], "Calendars.Read", false),
    (["Mail.Send"], "Mail.Read", false), (["Mail.ReadWrite"], "Mail.Send", false),
    (["Group.Read.All"], "GroupMember.Read.All", true), (["GroupMember.Read.All"], "Group.Read.All", false),
    (["Directory.ReadWrite.All"], "User.ReadWrite.All", true), (["user.read"], "User.Read", true),
    (["User.ReadWrite"], "User.ReadWrite.All", false), (["Files.ReadWrite.All"], "Files.Read", true),
  ])
  func access(granted: [String], wanted: String, satisfied: Bool) {
    #expect(GraphAccess(wanted).isSatisfied(by: Set(granted.map { $0.lowercased() })) == satisfied)
  }

  @Test func organization() async {
    let probe = GraphProbe("User.Read")
    let limited = await probe.get("/organization")
    #expect(limited.value.count == 1)
    #expect(limited.value.first?["displayName"] == "Contoso")
    #expect(limited.value.first?["verifiedDomains"]?[0]?["name"] == "contoso.com")
    #expect(limited.value.first?["tenantType"] == .some(.null))
    #expect(await probe.with("Organization.Read.All").get("/organization").value.first?["tenantType"] == "AAD")
    #expect(await probe.with("Mail.Read").get("/organization").status == 403)
  }

  @Test func photos() async {
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

  @Test func peopleAround() async {
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

  @Test func dataFromTheDirectory() async {
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

  @Test func batch() async {
    let probe = GraphProbe("User.Read", "Calendars.ReadWrite")
    let answer = await probe.post(
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
    #expect(answer.status == 200)
    func response(_ id: String) -> JSON { answer.body["responses"]?.array?.first { $0["id"]?.string == id } ?? .null }
    #expect(response("1")["body"]?["displayName"] == "Megan Bowen")
    #expect(response("2")["status"] == 403)
    #expect(response("2")["body"]?["error"]?["code"] == "Authorization_RequestDenied")
    #expect(response("3")["status"] == 424)
    #expect(response("4")["body"]?.string?.hasPrefix("/9j/") == true)
    #expect(response("5")["status"] == 201)
    #expect(await probe.get("/me/events?$filter=subject eq 'B'").value.count == 1)
  }

  @Test(arguments: [
    #"{}"#, #"{"requests":[]}"#, #"{"requests":[{"id":"1","method":"GET"}]}"#,
    #"{"requests":[{"id":"1","method":"GET","url":"/me"},{"id":"1","method":"GET","url":"/me"}]}"#,
    #"{"requests":[{"id":"1","method":"POST","url":"/me/events","body":{}}]}"#,
    #"{"requests":[{"id":"1","method":"GET","url":"/me","dependsOn":["2"]}]}"#,
    #"{"requests":[{"id":"1","method":"GET","url":"/me","dependsOn":["2"]},{"id":"2","method":"GET","url":"/me","dependsOn":["1"]}]}"#,
  ])
  func brokenBatches(text: String) async throws {
    let answer = await GraphProbe("User.Read").post("/$batch", try JSON(parsing: Array(text.utf8)))
    #expect(answer.status == 400)
  }

  @Test func aBatchHasTwenty() async {
    let requests = (0..<21).map { ["id": .string("\($0)"), "method": "GET", "url": "/me"] as JSON }
    let probe = GraphProbe("User.Read")
    #expect(await probe.post("/$batch", ["requests": .array(requests)]).status == 400)
    #expect(await probe.post("/$batch", ["requests": .array(Array(requests.dropLast()))]).status == 200)
  }

  @Test(arguments: [
    ("/me/people", "People.Read", "displayName"), ("/me/todo/lists", "Tasks.Read", "displayName"),
    ("/me/joinedTeams", "Team.ReadBasic.All", "displayName"), ("/me/mailFolders", "Mail.ReadBasic", "displayName"),
    ("/groups", "GroupMember.Read.All", "displayName"), ("/groups/delta", "Group.Read.All", "displayName"),
    ("/me/directReports", "User.Read.All", "displayName"), ("/me/drive/root/children", "Files.Read", "name"),
    ("/me/mailFolders/inbox/messages/delta", "Mail.Read", "subject"), ("/me/photos", "User.Read", "id"),
    ("/me/calendarView/delta?startDateTime=2025-01-01&endDateTime=2025-01-08", "Calendars.Read", "subject"),
  ])
  func collectionsAndTheirScope(path: String, scope: String, key: String) async {
    let probe = GraphProbe(scope)
    let answer = await probe.get(path)
    #expect(answer.status == 200)
    #expect(!answer.value.isEmpty)
    #expect(answer.value.allSatisfy { $0[key]?.string?.isEmpty == false })
    #expect(await probe.with("IMAP.AccessAsUser.All").get(path).status == 403)
  }

  @Test func oneByOne() async {
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

  @Test func browsersMayAsk() async {
    let probe = GraphProbe("User.Read")
    let preflight = await probe.send(
      .options, "/me",
      [
        ("Origin", "https://app.contoso.com"), ("Access-Control-Request-Method", "GET"),
        ("Access-Control-Request-Headers", "authorization"),
      ], authentication: .refused(GraphAuthenticationError(code: "x", message: "", challenge: "Bearer")))
    #expect(preflight.status == 200)
    #expect(preflight.header("Access-Control-Allow-Headers") == "authorization")
    #expect(preflight.header("WWW-Authenticate") == nil)
    let answer = await probe.get("/me", [("Origin", "https://app.contoso.com")])
    #expect(answer.header("Access-Control-Allow-Origin") == "*")
    #expect(await probe.get("/me").header("Access-Control-Allow-Origin") == nil)
  }

  @Test func guestsHaveNoMailboxHere() async {
    let contoso = EmulatedDirectory.contoso.tenants[0].id
    let gina = GraphProbe("Mail.Read", "User.Read", user: "gina@fabrikam.com", tenant: contoso)
    #expect(await gina.get("/me/messages").code == "MailboxNotEnabledForRESTAPI")
    #expect(await gina.get("/me").status == 200)
  }

  @Test func theReferenceNamesEveryRoute() {
    #expect(GraphReference.all.contains { $0.method == "GET" && $0.path == "/me/calendarView" })
    #expect(GraphReference.all.contains { $0.method == "PATCH" && $0.path == "/me" })
    #expect(GraphReference.markdown.split(separator: "\n").count == GraphReference.all.count + 2)
    for entry in GraphReference.all {
      #expect(!entry.delegated.isEmpty, "\(entry.method) \(entry.path)")
    }
  }

  @Test("the reference page is generated from the routes")
  func referencePage() throws {
    let page = "Sources/authflow/authflow.docc/Reference/EmulatorGraph.md"
    if ProjectFiles.updatesGoldenFiles { try ProjectFiles.write(GraphReference.page, to: page) }
    #expect(String(decoding: try ProjectFiles.bytes(of: page), as: UTF8.self) == GraphReference.page)
  }

  @Test func longFiltersAreRefused() async {
    let filter = Array(repeating: "displayName eq 'a'", count: 600).joined(separator: " or ")
    #expect(await GraphProbe("User.Read.All").get("/users?$filter=\(filter)").status == 400)
  }

  @Test(arguments: [
    ("/users/microsoft.graph.delta()", 32), ("/users/delta()", 32), ("/me/memberOf/graph.group", 2),
    ("/me/memberOf/microsoft.graph.group", 2), ("/me/mailFolders('inbox')/messages", 4),
  ])
  func spellingsOfOnePath(path: String, count: Int) async {
    #expect(await GraphProbe("User.Read.All", "Mail.Read").get(path).value.count == count)
  }
}
