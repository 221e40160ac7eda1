import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform
import Testing

@Suite struct SettingsTests {
  @Test func usesMSALsDefaults() throws {
    let loaded = load(settings())
    #expect(loaded.allDiagnostics.isEmpty)
    let resolved = try #require(loaded.resolved)
    #expect(resolved.authority.url == "https://login.microsoftonline.com/common")
    #expect(resolved.scopes == ["User.Read"])
    #expect(resolved.platform == .macOS)
    #expect(resolved.redirectURI == "msauth.authflow://auth")
    #expect(resolved.redirect.isBrokerCapable)
    #expect(resolved.graphHost == "graph.microsoft.com")
    #expect(resolved.keychainGroup == "com.microsoft.identity.universalstorage")
    #expect(resolved.tokenExpirationBuffer == 300)
    #expect(resolved.validatesAuthority && !resolved.multipleCloudsSupported && !resolved.extendedLifetimeEnabled)
    #expect(resolved.authorizeScopes == ["User.Read", "openid", "profile", "offline_access"])
    #expect(loaded.isUsable)
  }

  @Test(arguments: ["AppId", "ClientId", "clientID", "aadClientId", "client_id", "ApplicationId", "APPID"])
  func acceptsAliasesOfTheClientID(key: String) throws {
    let loaded = load(#"{"\#(key)": "6731de76-14a6-49ae-97bc-6eba6914391e"}"#)
    #expect(loaded.resolved?.clientID == "6731de76-14a6-49ae-97bc-6eba6914391e")
    let isDeclared = !["clientID", "APPID"].contains(key)
    #expect(loaded.diagnostics.map(\.rule) == (isDeclared ? [] : ["key-spelling"]))
  }

  @Test func ignoresKeysOfOtherPrograms() {
    let loaded = load(settings(#""isAADAuthEnabled": true"#, #""communicationTokenFetchUrl": "https://x""#))
    #expect(loaded.allDiagnostics.isEmpty)
    let near = load(settings(#""GraphScope": ["User.Read"]"#))
    #expect(near.diagnostics.map(\.rule) == ["unknown-key"])
    #expect(near.diagnostics.first?.severity == .warning)
    #expect(near.diagnostics.first?.help == "did you mean `GraphScopes`?")
  }

  @Test func readsScopesFromAString() throws {
    let loaded = load(settings(#""GraphScopes": "User.Read  Calendars.Read""#))
    #expect(loaded.resolved?.scopes == ["User.Read", "Calendars.Read"])
    let refused = load(settings(#""GraphScopes": "User.Read openid""#)).diagnostics
    let place = try #require(refused.first?.place)
    #expect(place.source.text(in: try #require(place.span)) == "openid")
    #expect(load(settings(#""Scopes": "User.Read, Mail.Read""#)).diagnostics.map(\.rule) == ["list-separator"])
  }

  struct InvalidValue: Sendable, CustomTestStringConvertible {
    var members: [String]
    var rule: String
    var text: String
    var testDescription: String { "\(rule): \(members)" }

    init(_ rule: String, _ text: String, _ members: String...) {
      (self.members, self.rule, self.text) = (members, rule, text)
    }
  }

  static let id = "6731de76-14a6-49ae-97bc-6eba6914391e"
  static let invalidValues: [InvalidValue] = [
    InvalidValue(
      "app-id-missing", #"{"Authority": "https://login.microsoftonline.com/common"}"#,
      #""Authority": "https://login.microsoftonline.com/common""#),
    InvalidValue("app-id-missing", #"" ""#, #""AppId": " ""#),
    InvalidValue("app-id-placeholder", #""YOUR_APP_ID_HERE""#, #""AppId": "YOUR_APP_ID_HERE""#),
    InvalidValue("app-id-placeholder", #""<your-client-id>""#, #""AppId": "<your-client-id>""#),
    InvalidValue(
      "app-id-placeholder", #""Enter_the_Application_Id_Here""#, #""AppId": "Enter_the_Application_Id_Here""#),
    InvalidValue("app-id-placeholder", #""TODO - Your Client Id""#, #""AppId": "TODO - Your Client Id""#),
    InvalidValue(
      "app-id-placeholder", #""xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx""#,
      #""AppId": "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx""#),
    InvalidValue(
      "app-id-zero", #""00000000-0000-0000-0000-000000000000""#, #""AppId": "00000000-0000-0000-0000-000000000000""#),
    InvalidValue(
      "app-id-white-space", #""\#(id)\n""#.replacing("\n", with: "\\n"),
      #""AppId": "\#(id)\n""#.replacing("\n", with: "\\n")),
    InvalidValue("app-id-not-guid", #""my-app""#, #""AppId": "my-app""#),
    InvalidValue(
      "authority-http", #""http://login.microsoftonline.com/common""#, #""AppId": "\#(id)""#,
      #""Authority": "http://login.microsoftonline.com/common""#),
    InvalidValue(
      "authority-http", #""http://x.b2clogin.com/a/b""#, #""AppId": "\#(id)""#,
      #""Authority": "http://x.b2clogin.com/a/b""#),
    InvalidValue(
      "authority-malformed", #""https://login.microsoftonline.com""#, #""AppId": "\#(id)""#,
      #""Authority": "https://login.microsoftonline.com""#),
    InvalidValue("authority-malformed", #""""#, #""AppId": "\#(id)""#, #""Authority": """#),
    InvalidValue(
      "authority-adfs", #""https://fs.contoso.com/adfs""#, #""AppId": "\#(id)""#,
      #""Authority": "https://fs.contoso.com/adfs""#),
    InvalidValue(
      "authority-placeholder", #""https://login.microsoftonline.com/<tenant>""#, #""AppId": "\#(id)""#,
      #""Authority": "https://login.microsoftonline.com/<tenant>""#),
    InvalidValue(
      "authority-placeholder", #""https://login.microsoftonline.com/Enter_the_Tenant_Info_Here""#,
      #""AppId": "\#(id)""#, #""Authority": "https://login.microsoftonline.com/Enter_the_Tenant_Info_Here""#),
    InvalidValue(
      "authority-contradiction", #""contoso.com""#, #""AppId": "\#(id)""#, #""Audience": "PersonalMicrosoftAccount""#,
      #""TenantId": "contoso.com""#),
    InvalidValue("authority-contradiction", #""AzureADMyOrg""#, #""AppId": "\#(id)""#, #""Audience": "AzureADMyOrg""#),
    InvalidValue(
      "authority-contradiction", #""china""#, #""AppId": "\#(id)""#,
      #""Authority": "https://login.microsoftonline.com/common""#, #""Cloud": "china""#),
    InvalidValue(
      "b2c-policy-missing", #""https://x.b2clogin.com/x.onmicrosoft.com""#, #""AppId": "\#(id)""#,
      #""Authority": "https://x.b2clogin.com/x.onmicrosoft.com""#),
    InvalidValue("tenant-malformed", #""""#, #""AppId": "\#(id)""#, #""TenantId": """#),
    InvalidValue("tenant-malformed", #""contoso""#, #""AppId": "\#(id)""#, #""TenantId": "contoso""#),
    InvalidValue("scopes-empty", "[]", #""AppId": "\#(id)""#, #""GraphScopes": []"#),
    InvalidValue("scopes-empty", #""""#, #""AppId": "\#(id)""#, #""GraphScopes": """#),
    InvalidValue("scope-reserved", #""openid""#, #""AppId": "\#(id)""#, #""GraphScopes": ["User.Read", "openid"]"#),
    InvalidValue("scope-client-id", #""\#(id)""#, #""AppId": "\#(id)""#, #""GraphScopes": ["\#(id)"]"#),
    InvalidValue(
      "scope-malformed", #""User.Read Mail.Read""#, #""AppId": "\#(id)""#, #""GraphScopes": ["User.Read Mail.Read"]"#),
    InvalidValue("redirect-uri-malformed", #""""#, #""AppId": "\#(id)""#, #""RedirectUri": """#),
    InvalidValue(
      "redirect-uri-malformed", #""msauth.<bundle>://auth""#, #""AppId": "\#(id)""#,
      #""RedirectUri": "msauth.<bundle>://auth""#),
    InvalidValue(
      "graph-endpoint-malformed", #""http://graph.microsoft.com""#, #""AppId": "\#(id)""#,
      #""GraphEndpoint": "http://graph.microsoft.com""#),
    InvalidValue("unknown-value", #""mars""#, #""AppId": "\#(id)""#, #""Cloud": "mars""#),
    InvalidValue("wrong-type", "7", #""AppId": "\#(id)""#, #""BundleId": 7"#),
    InvalidValue("unresolved-variable", "$(APP)", #""AppId": "$(APP)""#),
  ]

  @Test(arguments: invalidValues) func rejectsInvalidValues(invalid: InvalidValue) throws {
    let loaded = load("{\(invalid.members.joined(separator: ", "))}")
    #expect(!loaded.isUsable)
    let errors = loaded.allDiagnostics.filter { $0.severity == .error }
    #expect(errors.map(\.rule) == [invalid.rule])
    let place = try #require(errors.first?.place)
    #expect(place.source.text(in: try #require(place.span)) == invalid.text)
    #expect(errors.first?.help != nil || ["wrong-type", "unknown-value"].contains(invalid.rule))
  }

  @Test func distinguishesMSALErrorsFromFileErrors() throws {
    let loaded = load(settings(#""RedirectUri": "http://localhost""#))
    #expect(loaded.failure?.outcome == "invalidRedirectURI")
    #expect(loaded.resolved?.redirectURI == "http://localhost")
    #expect(!loaded.diagnostics.hasErrors && !loaded.isUsable)
    #expect(loaded.allDiagnostics.map(\.rule) == ["invalid-redirect-uri"])
    #expect(load(#"{"AppId": ""}"#).failure?.outcome == "invalidParameter")
  }

  @Test(
    "accepts loopback redirect URIs only for the system browser",
    arguments: [
      ("http://localhost", true), ("http://localhost:8400/back", true), ("http://127.0.0.1", true),
      ("http://[::1]:80", true), ("http://contoso.com", false), ("https://localhost", false),
    ]) func loopbackRedirects(uri: String, isAccepted: Bool)
  {
    let files = loading(["s.json": settings(#""RedirectUri": "\#(uri)""#)])
    let loaded = SettingsLoader(acceptsLoopbackRedirect: true, load: files).load("s.json")
    #expect(loaded.isUsable == isAccepted, "\(loaded.allDiagnostics)")
    #expect(loaded.resolved?.bypassRedirectURIValidation == isAccepted)
    #expect(!SettingsLoader(load: files).load("s.json").isUsable)
  }

  static let lenient: [(String, String)] = [
    (#""Authority": "https://login.microsoftonline.com/consumers""#, "http://localhost"),
    (
      #""Authority": "https://x.b2clogin.com/x.onmicrosoft.com/b2c_1_s", "ValidateAuthority": false"#,
      "http://localhost"
    ),
    (#""BypassRedirectURIValidation": true"#, "http://localhost"),
  ]

  @Test(arguments: lenient) func acceptsRedirectURIsWithoutValidation(members: String, uri: String) {
    let loaded = load(settings(members, #""RedirectUri": "\#(uri)""#))
    #expect(loaded.isUsable && loaded.allDiagnostics.isEmpty)
    #expect(loaded.resolved?.redirect.isBrokerCapable == false)
  }

  static let authorities: [(String, String, String)] = [
    (#""Cloud": "china""#, "https://login.chinacloudapi.cn/common", "microsoftgraph.chinacloudapi.cn"),
    (
      #""Cloud": "usDoD", "TenantId": "contoso.us""#, "https://login.microsoftonline.us/contoso.us",
      "dod-graph.microsoft.us"
    ),
    (#""Audience": "AzureADMultipleOrgs""#, "https://login.microsoftonline.com/organizations", "graph.microsoft.com"),
    (
      #""aadTenantId": "7bcd2220-f576-41b0-b47a-de4b6f2ebac1""#,
      "https://login.microsoftonline.com/7bcd2220-f576-41b0-b47a-de4b6f2ebac1", "graph.microsoft.com"
    ),
    (
      #""Authority": "https://login.microsoftonline.us/common", "TenantId": "contoso.us""#,
      "https://login.microsoftonline.us/contoso.us", "graph.microsoft.us"
    ),
    (
      #""Authority": "http://localhost:8080/realms/x/", "AuthorityType": "oidc""#, "http://localhost:8080/realms/x",
      "graph.microsoft.com"
    ),
    (
      #""Authority": "https://login.microsoftonline.com/common", "GraphEndpoint": "http://127.0.0.1:4593/""#,
      "https://login.microsoftonline.com/common", "127.0.0.1:4593"
    ),
  ]

  @Test(arguments: authorities) func derivesTheGraphEndpointFromTheAuthority(
    members: String, url: String, graph: String
  ) throws {
    let resolved = try #require(load(settings(members)).resolved)
    #expect(resolved.authority.url == url)
    #expect(resolved.graphHost == graph)
  }

  @Test func acceptsAnyClientIDForOtherIssuers() {
    let loaded = load(#"{"AppId": "my-app", "Authority": "https://id.example.org", "AuthorityType": "oidc"}"#)
    #expect(loaded.isUsable && loaded.allDiagnostics.isEmpty)
  }

  @Test func acceptsTheClientIDAsAScopeForB2C() {
    let authority = "https://x.b2clogin.com/tfp/x.onmicrosoft.com/B2C_1_s"
    let loaded = load(
      settings(
        #""Authority": "\#(authority)""#, #""KnownAuthorities": ["\#(authority)"]"#, #""Scopes": ["\#(Self.id)"]"#))
    #expect(loaded.isUsable && loaded.allDiagnostics.isEmpty)
    #expect(loaded.resolved?.knownAuthorities.map(\.url) == [authority])
  }

  @Test func warnsAboutUnknownHosts() {
    #expect(
      load(settings(#""Authority": "https://login.microsoftonlin.com/common""#)).diagnostics.first?.help?.contains(
        "login.microsoftonline.com") == true)
    #expect(load(settings(#""Authority": "https://localhost:8443/common""#)).allDiagnostics.isEmpty)
  }

  @Test func derivesTheRedirectURIFromAScheme() {
    #expect(
      load(settings(#""RedirectScheme": "msauth.com.contoso.app""#, #""BundleId": "com.contoso.app""#)).resolved?
        .redirectURI == "msauth.com.contoso.app://auth")
    #expect(
      load(settings(#""RedirectScheme": "msauth.x://auth""#, #""BundleId": "x""#)).resolved?.redirectURI
        == "msauth.x://auth")
  }

  @Test func derivesTheBundleIDFromTheRedirectURI() {
    let resolved = load(settings(#""RedirectUri": "msauth.com.contoso.app://auth""#)).resolved
    #expect(resolved?.bundleID == "com.contoso.app")
    #expect(resolved?.redirect.isBrokerCapable == true)
  }

  @Test func acceptsOtherCharactersInTheBundleID() {
    let loaded = load(settings(#""BundleId": "com.exämple.größe""#))
    #expect(loaded.resolved?.redirectURI == "msauth.com.exämple.größe://auth")
    #expect(loaded.diagnostics.map(\.rule) == ["bundle-id-malformed"])
    #expect(loaded.isUsable)
  }

  @Test(arguments: [("90", 90.0), (#""5m""#, 300), ("0.5", 0.5), (#""120""#, 120)])
  func parsesTheTokenExpirationBuffer(value: String, seconds: Double) {
    #expect(load(settings("\"TokenExpirationBuffer\": \(value)")).resolved?.tokenExpirationBuffer == seconds)
  }

  @Test(
    "rejects a token expiration buffer that is too long", arguments: ["1e300", #""1e300""#, #""999999d""#])
  func endlessBuffer(value: String) {
    let loaded = load(settings("\"TokenExpirationBuffer\": \(value)"))
    #expect(loaded.diagnostics.map(\.rule) == ["out-of-range"])
    #expect(loaded.diagnostics.first?.help == "use at most `36525d`")
    #expect(!loaded.isUsable)
  }

  @Test func `settings can contain Info.plist keys`() {
    let loaded = load(
      settings(
        #""Platform": "iOS", "BundleId": "com.contoso.app""#,
        #""InfoPlist": {"CFBundleURLTypes": [{"CFBundleURLSchemes": ["msauth.com.contoso.app"]}]}"#))
    #expect(loaded.failure?.outcome == "redirectSchemeNotRegistered", "the query schemes are missing")
    #expect(loaded.infoPlist?.urlSchemes.map(\.value) == ["msauth.com.contoso.app"])
  }
}
