import OAuth
import Testing

@Suite("Scopes")
struct ScopeSetTests {
  @Test("preserves the order and case of scopes, and removes whitespace and duplicates")
  func parsing() {
    let scopes = ScopeSet(parsing: " User.Read  openid user.read Calendars.Read ")
    #expect(scopes.text == "User.Read openid user.read Calendars.Read")
    #expect(scopes.withoutOpenIDConnect.text == "User.Read user.read Calendars.Read")
    #expect(scopes.contains("CALENDARS.READ"))
    #expect(scopes == ["calendars.read", "OPENID", "user.read"])
  }

  @Test("compares sets of scopes without regard to case")
  func subset() {
    let scopes: ScopeSet = ["User.Read", "Mail.Send"]
    #expect(!scopes.isSubset(of: ["user.read"]))
    #expect(scopes.isSubset(of: ["mail.send", "USER.READ", "x"]))
    #expect(scopes.subtracting(["user.read"]).scopes == ["Mail.Send"])
    #expect(scopes.union(.openIDConnect).text == "User.Read Mail.Send openid profile offline_access")
  }

  @Test(
    "splits a scope at the last slash into its resource and name",
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

  @Test("lists the resources of several scopes")
  func resources() {
    let scopes: ScopeSet = ["User.Read", "https://A/x", "https://a/y", "openid", "https://b//z"]
    #expect(scopes.resources == [nil, "https://A", "https://b/"])
  }
}
