import AppRegistration
import Diagnostics
import Documents
import Testing

@Suite struct SettingsReportTests {
  @Test func printsAStableFormat() throws {
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

  static let validatedAuthorities: [(String, Bool)] = [
    (#""Authority": "https://login.microsoftonline.com/contoso.com""#, true),
    (#""Authority": "https://login.microsoftonline.com/contoso.com", "ValidateAuthority": false"#, false),
    (
      #""Authority": "https://login.contoso.com/common", "KnownAuthorities": ["https://login.contoso.com/common"]"#,
      false
    ),
    (
      #""Authority": "https://login.contoso.com/common", "KnownAuthorities": ["https://login.contoso.com/other.com"]"#,
      true
    ),
    (#""Authority": "https://contoso.ciamlogin.com""#, false),
    (#""Authority": "https://op.example.org", "AuthorityType": "oidc""#, false),
    (
      #""Authority": "https://x.b2clogin.com/x.onmicrosoft.com/b2c_1_s", "ValidateAuthority": false"#, false
    ),
  ]

  @Test("reports an authority as validated only if MSAL validates it", arguments: validatedAuthorities)
  func reportsValidation(members: String, isValidated: Bool) throws {
    let json = try #require(load(settings(members)).json())
    #expect(json["authority"]?["validated"] == .bool(isValidated))
  }

  @Test("does not warn about an unknown host if validation is disabled", arguments: [true, false])
  func unknownHost(validates: Bool) {
    let members = #""Authority": "https://login.contoso.com/common", "ValidateAuthority": \#(validates)"#
    #expect(load(settings(members)).diagnostics.map(\.rule) == (validates ? ["authority-unknown-host"] : []))
  }

  /// The authority, an entry of `KnownAuthorities`, and whether MSAL accepts the authority because of the entry.
  @Test(
    "warns about an unknown host unless KnownAuthorities contains the authority's URL",
    arguments: [
      ("https://login.contoso.com/common", "https://login.contoso.com/common", true),
      ("https://login.contoso.com/common", "https://login.contoso.com/contoso.com", false),
      (
        "https://x.b2clogin.com/tfp/x.onmicrosoft.com/b2c_1_s", "https://x.b2clogin.com/tfp/x.onmicrosoft.com/b2c_1_s",
        true
      ),
      (
        "https://x.b2clogin.com/tfp/x.onmicrosoft.com/b2c_1_s", "https://x.b2clogin.com/tfp/x.onmicrosoft.com/b2c_1_r",
        false
      ),
    ])
  func knownAuthority(authority: String, known: String, isCovered: Bool) throws {
    let loaded = load(settings(#""Authority": "\#(authority)", "KnownAuthorities": ["\#(known)"]"#))
    #expect(loaded.diagnostics.map(\.rule) == (isCovered ? [] : ["authority-unknown-host"]))
    let json = try #require(loaded.json())
    // Instance discovery validates only hosts of Microsoft Entra ID.
    let isB2C = authority.contains("b2clogin")
    #expect(json["authority"]?["validated"] == .bool(!isCovered && !isB2C))
  }

  @Test("compares KnownAuthorities with the authority derived from TenantId")
  func tenantAuthority() {
    let members =
      #""Authority": "https://login.contoso.com/common", "TenantId": "contoso.com", "#
      + #""KnownAuthorities": ["https://login.contoso.com/common"]"#
    #expect(load(settings(members)).diagnostics.map(\.rule) == ["authority-unknown-host"])
  }

  @Test func reportsOriginsAsLocations() throws {
    let origins = try #require(load(settings()).json(explaining: true)?["origins"])
    #expect(origins["AppId"] == "s.json:1:11")
    #expect(origins["Authority"] == "default")
    #expect(origins["RedirectUri"] == "MSAL's default for the platform")
  }

  @Test func reportsErrorCodes() throws {
    let error = try #require(load(settings(#""RedirectUri": "http://localhost""#)).json()?["error"])
    #expect(error["outcome"] == "invalidRedirectURI")
    #expect(error["code"] == -50_000)
    #expect(error["internalCode"] == -42_011)
  }
}
