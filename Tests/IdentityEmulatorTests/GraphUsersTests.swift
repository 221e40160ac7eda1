import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import Testing

import IdentityEmulator

@Suite struct GraphUsersTests {
  @Test("returns the default properties of the user")
  func defaultProperties() async {
    let response = await GraphProbe("User.Read").get("/me")
    #expect(response.status == 200)
    #expect(response.body["@odata.context"] == "https://graph.microsoft.com/v1.0/$metadata#users/$entity")
    #expect(response.body["displayName"] == "Megan Bowen")
    #expect(response.body["mail"] == "megan@contoso.com")
    #expect(response.body["userPrincipalName"] == "megan@contoso.com")
    #expect(response.body["mobilePhone"] == "+1 412 555 0109")
    #expect(response.body.count == 12)
    #expect(response.body["department"] == nil)
  }

  @Test("returns the selected properties")
  func selectedProperties() async {
    let response = await GraphProbe("User.Read").get("/me?$select=DisplayName,department")
    #expect(
      response.body["@odata.context"]
        == "https://graph.microsoft.com/v1.0/$metadata#users(DisplayName,department)/$entity")
    #expect(response.body["displayName"] == "Megan Bowen")
    #expect(response.body["department"] == "Marketing")
    #expect(response.body.count == 3)
  }

  @Test(
    "rejects unknown properties",
    arguments: ["/me?$select=shoeSize", "/users?$filter=shoeSize eq 4", "/users?$orderby=shoeSize"])
  func unknownProperties(path: String) async {
    let response = await GraphProbe("User.Read", "User.ReadBasic.All").get(path)
    #expect(response.status == 400)
    #expect(response.body["error"]?["message"]?.string?.contains("shoeSize") == true)
  }

  @Test(
    "finds a user by ID and by user principal name",
    arguments: [
      "/users/megan@contoso.com", "/users/MEGAN@contoso.com", "/users('megan@contoso.com')",
      "/users/me-token-to-replace", "/beta/me", "/users/c0a70500-05e4-4c00-8000-000000000001",
    ])
  func userKeys(path: String) async {
    let response = await GraphProbe("User.Read").get(path)
    #expect(response.body["displayName"] == "Megan Bowen")
  }

  @Test("returns beta context URLs for beta requests")
  func beta() async {
    let response = await GraphProbe("User.Read").get("/beta/me")
    #expect(response.body["@odata.context"] == "https://graph.microsoft.com/beta/$metadata#users/$entity")
  }

  @Test("requires a permission for other users")
  func otherUsers() async {
    let probe = GraphProbe("User.Read")
    let denied = await probe.get("/users/adele@contoso.com")
    #expect(denied.status == 403)
    #expect(denied.code == "Authorization_RequestDenied")
    let basic = await probe.with("User.ReadBasic.All").get("/users/adele@contoso.com")
    #expect(basic.body["displayName"] == "Adele Vance")
    #expect(basic.body["jobTitle"] == .some(.null))
    #expect(basic.body["businessPhones"] == [])
    let complete = await probe.with("Directory.Read.All").get("/users/adele@contoso.com")
    #expect(complete.body["jobTitle"] == "Chief Operating Officer")
  }

  @Test("returns 404 for an unknown user")
  func unknownUser() async {
    let response = await GraphProbe("User.Read.All").get("/users/unknown@contoso.com")
    #expect(response.status == 404)
    #expect(response.code == "Request_ResourceNotFound")
  }

  @Test("returns all users in pages")
  func pages() async {
    let probe = GraphProbe("User.ReadBasic.All")
    var url = "/users?$top=12&$select=displayName"
    var names: [String] = []
    var sizes: [Int] = []
    while true {
      let page = await probe.get(url)
      names += page.names()
      sizes.append(page.value.count)
      guard let next = page.link else { break }
      #expect(next.hasPrefix("https://graph.microsoft.com/v1.0/users?"))
      #expect(next.contains("$top=12") && next.contains("$select=displayName") && next.contains("$skiptoken="))
      url = next
    }
    #expect(names.count == 32)
    #expect(Set(names).count == 32)
    #expect(sizes == [12, 12, 8])
  }

  @Test("rejects an invalid skip token")
  func invalidSkipToken() async {
    let probe = GraphProbe("User.ReadBasic.All")
    let link = await probe.get("/users?$top=5").link ?? ""
    let token = link.split(separator: "=").last ?? ""
    for url in [
      "/users?$top=5&$skiptoken=x\(token.dropFirst())", "/users?$top=6&$skiptoken=\(token)",
      "/users?$top=5&$skiptoken=", "/groups?$top=5&$skiptoken=\(token)",
    ] {
      let response = await probe.with("User.ReadBasic.All", "Group.Read.All").get(url)
      #expect(response.status == 400, "\(url)")
    }
    #expect(await probe.get(link).status == 200)
  }

  @Test(
    "validates the page size",
    arguments: [("0", 400), ("1", 200), ("999", 200), ("1000", 400), ("-1", 400), ("many", 400)])
  func pageSizes(top: String, status: Int) async {
    #expect(await GraphProbe("User.ReadBasic.All").get("/users?$top=\(top)").status == status)
  }

  @Test(
    "applies a filter",
    arguments: [
      ("displayName eq 'Megan Bowen'", ["Megan Bowen"]), ("startsWith(displayName,'me')", ["Megan Bowen"]),
      ("startswith(givenName,'A') and department eq 'Marketing'", ["Alex Wilber"]),
      ("displayName eq 'Quinn O''Neil'", ["Quinn O'Neil"]),
      ("displayName in ('Otto Falk', 'Umar Khan')", ["Otto Falk", "Umar Khan"]),
      ("(department eq 'Legal' or department eq 'IT') and startsWith(displayName,'M')", ["Mona Kane"]),
      ("accountEnabled eq false", ["Dora Quist"]), ("userType eq 'Guest'", ["Gina Moss"]),
      ("businessPhones/any(p:startsWith(p,'+1 425 555 0101'))", ["Megan Bowen"]),
    ])
  func filters(filter: String, names: [String]) async {
    let response = await GraphProbe("User.Read.All").get("/users?$filter=\(filter.replacing("+", with: "%2B"))")
    #expect(response.names() == names)
  }

  @Test(
    "requires an advanced query for advanced filters",
    arguments: [
      ("endsWith(mail,'@fabrikam.com')", ["Gina Moss"]),
      (
        "not(startsWith(mail,'a') or department ne 'Legal')",
        ["Farah Nassar", "Grete Lund"]
      ), ("department ne 'x' and displayName eq 'Umar Khan'", ["Umar Khan"]),
    ])
  func advancedFilters(filter: String, names: [String]) async {
    let probe = GraphProbe("User.Read.All")
    #expect(await probe.get("/users?$filter=\(filter)").code == "Request_UnsupportedQuery")
    #expect(await probe.get("/users?$count=true&$filter=\(filter)").code == "Request_UnsupportedQuery")
    let response = await probe.get("/users?$count=true&$filter=\(filter)", [("ConsistencyLevel", "eventual")])
    #expect(response.names() == names)
    #expect(response.body["@odata.count"]?.integer == Int64(names.count))
  }

  @Test(
    "rejects an invalid filter",
    arguments: [
      "displayName eq 'x", "displayName eq", "eq 'x'", "displayName", "(displayName eq 'x'", "startsWith(displayName)",
      "displayName eq 'a' or", "displayName like 'a'", "displayName eq 'a')", "",
    ])
  func invalidFilters(filter: String) async {
    let response = await GraphProbe("User.Read.All").get("/users?$filter=\(filter)")
    // A property without an operator is a Boolean filter. It matches nothing, because no user has the value true.
    if filter == "displayName" {
      #expect(response.names().isEmpty)
    } else {
      #expect(response.status == 400)
    }
  }

  @Test("rejects a deeply nested filter")
  func nestedFilter() async {
    let filter = String(repeating: "(", count: 5000) + "displayName eq 'a'" + String(repeating: ")", count: 5000)
    #expect(await GraphProbe("User.Read.All").get("/users?$filter=\(filter)").status == 400)
  }

  @Test("orders and searches users")
  func ordersAndSearches() async {
    let probe = GraphProbe("User.Read.All")
    let ordered = await probe.get("/users?$orderby=displayName desc&$top=3")
    #expect(ordered.names() == ["Will Adeyemi", "Vera Petrova", "Umar Khan"])
    let both = "/users?$orderby=displayName&$filter=department eq 'Legal'"
    #expect(await probe.get(both).code == "Request_UnsupportedQuery")
    #expect(
      await probe.get(both + "&$count=true", [("ConsistencyLevel", "eventual")]).names()
        == ["Farah Nassar", "Grete Lund"])
    let search = "/users?$search=\"displayName:wil\" OR \"mail:otto\""
    #expect(await probe.get(search).code == "Request_UnsupportedQuery")
    #expect(
      await probe.get(search, [("ConsistencyLevel", "eventual")]).names() == [
        "Otto Falk", "Alex Wilber", "Will Adeyemi",
      ])
    #expect(await probe.get("/users?$search=\"wil\"", [("ConsistencyLevel", "eventual")]).status == 400)
  }

  @Test("counts users")
  func counts() async {
    let probe = GraphProbe("User.Read.All")
    #expect(await probe.get("/users/$count").status == 400)
    let response = await probe.get("/users/$count", [("ConsistencyLevel", "eventual")])
    #expect(response.bytes == Array("32".utf8))
    #expect(response.headers[.contentType] == "text/plain")
    let paged = await probe.get("/users?$count=true&$top=5", [("ConsistencyLevel", "eventual")])
    #expect(paged.body["@odata.count"] == 32)
    let next = await probe.get(paged.link ?? "", [("ConsistencyLevel", "eventual")])
    #expect(next.body["@odata.count"] == nil)
    #expect(next.value.count == 5)
  }

  @Test("stores changes to a user")
  func update() async {
    let probe = GraphProbe("User.ReadWrite")
    #expect(await probe.with("User.Read").patch("/me", ["jobTitle": "x"]).status == 403)
    let response = await probe.patch("/me", ["jobTitle": "Pilot", "aboutMe": "Flies.", "businessPhones": ["1"]])
    #expect(response.status == 204)
    #expect(response.bytes.isEmpty)
    let me = await probe.get("/me?$select=jobTitle,aboutMe,businessPhones")
    #expect(me.body["jobTitle"] == "Pilot")
    #expect(me.body["aboutMe"] == "Flies.")
    #expect(me.body["businessPhones"] == ["1"])
  }

  @Test(
    "rejects an invalid update",
    arguments: [
      ([:] as JSON, 400), (["id": "x"] as JSON, 400), (["shoeSize": 4] as JSON, 400),
      (["userPrincipalName": "x@contoso.com"] as JSON, 403), (["displayName": .null] as JSON, 400),
      (["jobTitle": 4] as JSON, 400),
    ])
  func invalidUpdate(body: JSON, status: Int) async {
    #expect(await GraphProbe("User.ReadWrite").patch("/me", body).status == status)
  }

  @Test("rejects `/me` for app-only access")
  func appOnly() async {
    let app = GraphProbe("User.Read.All", user: nil)
    let me = await app.get("/me")
    #expect(me.status == 400)
    #expect(me.code == "BadRequest")
    #expect(await app.get("/users/megan@contoso.com").body["jobTitle"] == "Marketing Manager")
    #expect(await GraphProbe("Calendars.Read", user: nil).get("/users").status == 403)
  }

  @Test("returns the profile of a personal account")
  func personalAccounts() async {
    let pat = GraphProbe("User.Read", user: "pat@outlook.com")
    let me = await pat.get("/me")
    #expect(me.status == 200)
    #expect(me.body["id"]?.string?.count == 16)
    #expect(await pat.get("/organization").status == 403)
  }

  @Test("returns the properties of a guest")
  func guest() async {
    let gina = GraphProbe("User.Read", user: "gina@fabrikam.com", tenant: EmulatedDirectory.contoso.tenants[0].id)
    let me = await gina.get("/me?$select=userPrincipalName,userType,id")
    #expect(me.body["userPrincipalName"] == "gina_fabrikam.com#EXT#@contoso.onmicrosoft.com")
    #expect(me.body["userType"] == "Guest")
    #expect(
      await gina.with("User.Read.All").get("/users/gina_fabrikam.com%23EXT%23@contoso.onmicrosoft.com").status == 200)
  }

  @Test("returns changes in a delta response")
  func delta() async {
    let probe = GraphProbe("User.Read.All", "User.ReadWrite")
    let first = await probe.get("/users/delta?$select=jobTitle")
    #expect(first.value.count == 32)
    let link = first.body["@odata.deltaLink"]?.string ?? ""
    #expect(await probe.get(link).value.isEmpty)
    _ = await probe.patch("/me", ["jobTitle": "Pilot"])
    let changes = await probe.get(link)
    #expect(changes.names("jobTitle") == ["Pilot"])
    let wider = await probe.get("/users/delta?$select=displayName,jobTitle").link ?? ""
    _ = await probe.patch("/me", ["jobTitle": "Captain"])
    let complete = await probe.get(wider)
    #expect(complete.value.map { $0["displayName"]?.string } == ["Megan Bowen"])
    #expect(complete.header("Preference-Applied") == nil)
    let minimal = await probe.get(wider, [("Prefer", "return=minimal")])
    #expect(minimal.value == [["id": .string(probe.caller.objectID ?? ""), "jobTitle": "Captain"]])
    #expect(minimal.header("Preference-Applied") == "return=minimal")
    #expect(await probe.get("/users/delta?$deltatoken=latest").value.isEmpty)
    #expect(await probe.get("/users/delta?$deltatoken=old").status == 410)
    #expect(await probe.get("/users/delta?$top=4").status == 400)
    let pages = await probe.get("/users/delta", [("Prefer", "odata.maxpagesize=20")])
    #expect(pages.value.count == 20)
    #expect(await probe.get(pages.link ?? "").value.count == 12)
  }
}
