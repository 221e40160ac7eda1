import AppRegistration
import Documents
import Testing

@Suite struct SettingsReportTests {
  @Test func thePrintedFormIsAPromise() throws {
    let loaded = load(
      settings(#""Authority": "https://login.microsoftonline.com/contoso.com""#, #""BundleId": "com.contoso.app""#))
    let json = try #require(loaded.json())
    #expect(json["version"] == 1)
    #expect(json["clientId"] == .string(SettingsTests.id))
    #expect(
      json["authority"] == [
        "url": "https://login.microsoftonline.com/contoso.com", "type": "aad",
        "environment": "login.microsoftonline.com",
        "tenant": "contoso.com", "tenantKind": "domain", "policy": nil, "cloud": "public",
        "aliases": ["login.windows.net", "login.microsoftonline.com", "login.microsoft.com", "sts.windows.net"],
        "validated": true, "known": [],
        "openidConfiguration": "https://login.microsoftonline.com/contoso.com/v2.0/.well-known/openid-configuration",
      ])
    #expect(
      json["redirectUri"] == [
        "uri": "msauth.com.contoso.app://auth", "isDefault": true, "brokerCapable": true, "capability": "matched",
        "reason": nil,
      ])
    #expect(json["scopes"]?["authorize"] == ["User.Read", "openid", "profile", "offline_access"])
    #expect(json["graph"] == ["endpoint": "https://graph.microsoft.com", "host": "graph.microsoft.com"])
    #expect(json["error"] == .null)
    #expect(json["origins"] == nil)
    #expect(json["configuration"]?["tokenExpirationBuffer"] == 300)
  }

  @Test func originsAreTheFilesOwnPlaces() throws {
    let origins = try #require(load(settings()).json(explaining: true)?["origins"])
    #expect(origins["AppId"] == "s.json:1:11")
    #expect(origins["Authority"] == "default")
    #expect(origins["RedirectUri"] == "MSAL's default for the platform")
  }

  @Test func aFailureKeepsItsNumbers() throws {
    let error = try #require(load(settings(#""RedirectUri": "http://localhost""#)).json()?["error"])
    #expect(error["outcome"] == "invalidRedirectURI")
    #expect(error["code"] == -50_000)
    #expect(error["internalCode"] == -42_011)
  }
}
