import OAuth
import Testing

@Suite("Scopes")
struct ScopeSetTests {
  @Test("Order and case stay, blanks and repetitions go")
  func asTyped() {
    let scopes = ScopeSet(parsing: " User.Read  openid user.read Calendars.Read ")
    #expect(scopes.text == "User.Read openid user.read Calendars.Read")
    #expect(scopes.withoutOpenIDConnect.text == "User.Read user.read Calendars.Read")
    #expect(scopes.contains("CALENDARS.READ"))
    #expect(scopes == ["calendars.read", "OPENID", "user.read"])
  }

  @Test("Subset and what is missing")
  func subset() {
    let asked: ScopeSet = ["User.Read", "Mail.Send"]
    #expect(!asked.isSubset(of: ["user.read"]))
    #expect(asked.isSubset(of: ["mail.send", "USER.READ", "x"]))
    #expect(asked.subtracting(["user.read"]).scopes == ["Mail.Send"])
    #expect(asked.union(.openIDConnect).text == "User.Read Mail.Send openid profile offline_access")
    #expect(asked.intersects(["MAIL.SEND"]))
    #expect(!asked.intersects([]))
  }

  @Test(
    "The resource is everything before the last slash",
    arguments: [
      ("User.Read", nil, "User.Read"),
      ("https://graph.microsoft.com/User.Read", "https://graph.microsoft.com", "User.Read"),
      ("https://management.azure.com//.default", "https://management.azure.com/", ".default"),
      ("api://8f2c/access_as_user", "api://8f2c", "access_as_user"),
      ("8f2c/.default", "8f2c", ".default"),
    ] as [(String, String?, String)])
  func names(scope: String, resource: String?, name: String) {
    let parts = ScopeName(scope)
    #expect(parts.resource == resource)
    #expect(parts.name == name)
    #expect(parts.text == scope)
    #expect(parts.isDefault == (name == ".default"))
  }

  @Test("The resources of several scopes")
  func resources() {
    let scopes: ScopeSet = ["User.Read", "https://A/x", "https://a/y", "openid", "https://b//z"]
    #expect(scopes.resources == [nil, "https://A", "https://b/"])
  }
}
