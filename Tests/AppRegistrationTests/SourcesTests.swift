import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform
import Testing

@Suite struct SourcesTests {
  static let android = """
    {
      // The app's client ID.
      "client_id": "4165a581-6134-4585-babc-beea5647754a",
      "redirect_uri": "msauth://com.contoso.app/Aah1OaccgJScKbbTTSm3CW3H87I%3D",
      "account_mode": "SINGLE",
      "authorities": [
        { "type": "AAD", "authority_url": "https://login.microsoftonline.com/common" },
        { "type": "AAD", "audience": { "type": "AzureADMyOrg", "tenant_id": "contoso.com" }, "default": true },
      ]
    }
    """

  @Test func readsAndroidConfigurationsWithComments() throws {
    let loaded = load(Self.android)
    #expect(loaded.diagnostics.allSatisfy { $0.severity == .note })
    #expect(!loaded.diagnostics.isEmpty, "reports the comment and the trailing comma")
    let resolved = try #require(loaded.resolved)
    #expect(resolved.authority.url == "https://login.microsoftonline.com/contoso.com")
    #expect(resolved.bundleID == "com.contoso.app")
    #expect(resolved.redirect.isBrokerCapable)
    #expect(resolved.accountMode == .single)
  }

  @Test("accepts comments but not trailing commas in JSON settings") func commentsInSettings() {
    let settings = #"{"AppId": "6731de76-14a6-49ae-97bc-6eba6914391e" /* the app */}"#
    #expect(load(settings).diagnostics.isEmpty)
    #expect(load(settings.dropLast() + ",}").diagnostics.map(\.rule) == ["trailing-comma"])
  }

  @Test func readsAndroidConfigurationsWithoutBroker() throws {
    let loaded = load(
      #"{"client_id": "\#(SettingsTests.id)", "redirect_uri": "msal://x", "account_mode": "SINGLE", "broker_redirect_uri_registered": false}"#
    )
    #expect(loaded.isUsable)
    #expect(loaded.resolved?.bypassRedirectURIValidation == true)
    #expect(loaded.resolved?.redirectURI == "msal://x")
  }

  @Test(arguments: [
    (
      #""Instance": "https://login.microsoftonline.com/", "TenantId": "contoso.com""#,
      "https://login.microsoftonline.com/contoso.com"
    ),
    (#""TenantId": "organizations""#, "https://login.microsoftonline.com/organizations"),
    (#""Authority": "https://login.microsoftonline.us/common""#, "https://login.microsoftonline.us/common"),
    (
      #""Instance": "https://c.b2clogin.com", "Domain": "c.onmicrosoft.com", "SignUpSignInPolicyId": "B2C_1_s""#,
      "https://c.b2clogin.com/tfp/c.onmicrosoft.com/B2C_1_s"
    ),
  ])
  func readsAppsettings(members: String, authority: String) {
    let loaded = load(#"{"Logging": {}, "AzureAd": {"ClientId": "\#(SettingsTests.id)", \#(members)}}"#)
    #expect(loaded.resolved?.authority.url == authority)
  }

  static let plist = #"""
    {"CFBundleIdentifier": "$(PRODUCT_BUNDLE_IDENTIFIER)",
     "CFBundleURLTypes": [{"CFBundleURLSchemes": ["msauth.$(PRODUCT_BUNDLE_IDENTIFIER)"]}],
     "LSApplicationQueriesSchemes": ["msauthv2"@@]}
    """#

  @Test func checksTheSchemesOfTheInfoPlist() throws {
    let text = settings(#""Platform": "iOS""#, #""InfoPlist": "Info.plist.json""#, #""BundleId": "com.contoso.app""#)
    let complete = load(text, files: ["Info.plist.json": Self.plist.replacing("@@", with: #", "msauthv3""#)])
    #expect(complete.isUsable && complete.allDiagnostics.isEmpty)
    #expect(complete.resolved?.redirectURI == "msauth.com.contoso.app://auth")
    let incomplete = load(text, files: ["Info.plist.json": Self.plist.replacing("@@", with: "")])
    #expect(incomplete.failure?.outcome == "redirectSchemeNotRegistered")
    #expect(incomplete.failure?.diagnostic.message.contains("msauthv3") == true)
  }

  @Test func readsTheBundleIDFromTheInfoPlist() {
    let text = settings(#""InfoPlist": "I""#)
    let loaded = load(
      text, files: ["I": Self.plist.replacing("@@", with: "")], defines: ["PRODUCT_BUNDLE_IDENTIFIER": "com.x"])
    #expect(loaded.resolved?.bundleID == "com.x")
  }

  @Test func reportsAMissingInfoPlistWithBothLocations() throws {
    let loaded = load(settings(#""InfoPlist": "no/Info.plist""#))
    let problem = try #require(loaded.diagnostics.first)
    #expect(problem.rule == "unreadable-file")
    #expect(problem.related.first?.place.source.name == "s.json")
    #expect(!loaded.isUsable)
  }

  @Test func resolvesPathsRelativeToTheReferringFile() {
    #expect(SettingsLoader.path("Info.plist", relativeTo: "a b/s.plist") == "a b/Info.plist")
    #expect(SettingsLoader.path("/x", relativeTo: "a/s") == "/x")
    #expect(SettingsLoader.path("x", relativeTo: "s") == "x")
  }

  @Test func overridesValuesWithAnOverlay() throws {
    let files = [
      "base.json": settings(
        #""RedirectUri": "msauth.authflow://auth""#, #""Authority": "https://login.microsoftonline.com/common""#),
      "test.json": #"{"Cloud": "usGovernment", "BundleId": "x", "RedirectScheme": "msauth.x"}"#,
    ]
    let loaded = SettingsLoader(load: loading(files)).load("base.json", overlays: ["test.json"])
    let resolved = try #require(loaded.resolved)
    #expect(loaded.isUsable && loaded.allDiagnostics.isEmpty)
    #expect(resolved.clientID == SettingsTests.id)
    #expect(resolved.authority.environment == "login.microsoftonline.us")
    #expect(resolved.redirectURI == "msauth.x://auth")
    #expect(resolved.origin(of: "BundleId")?.description.hasPrefix("test.json:1:") == true)
    #expect(resolved.origin(of: "AppId")?.description.hasPrefix("base.json:1:") == true)
    #expect(resolved.origin(of: "Platform")?.description == "default")
  }

  @Test(arguments: [
    ("AuthSettings.plist", "dev", "AuthSettings.dev.plist"), ("a/b.c.yaml", "Test-2", "a/b.c.Test-2.yaml"),
    ("/x/settings", "dev", "/x/settings.dev"), ("./.hidden", "dev", ".hidden.dev"),
  ]) func derivesThePathOfAnOverlay(base: String, environment: String, path: String) {
    #expect(SettingsOverlay.path(over: base, environment: environment) == path)
  }

  @Test func derivesTheBaseFileOfAnOverlay() {
    #expect(SettingsOverlay.base(of: "a/AuthSettings.dev.plist") == "a/AuthSettings.plist")
    for path in [
      "AuthSettings.plist", "a.b/AuthSettings.plist", ".dev.plist", "settings.dev", "a..plist", "a.b c.plist",
    ] {
      #expect(SettingsOverlay.base(of: path) == nil, "\(path)")
    }
    for name in ["", "../x", "a.b", "a/b", "a b", "a\u{1B}"] {
      #expect(!SettingsOverlay.isEnvironment(name), "\(name)")
    }
  }

  @Test func appliesAnEnvironmentToEveryFile() throws {
    let files = [
      "w/a.json": settings(#""BundleId": "a""#), "w/a.dev.json": #"{"BundleId": "dev"}"#,
      "w/none.json": settings(#""BundleId": "n""#),
    ]
    let loader = SettingsLoader(environment: "dev", load: loading(files))
    let place = FileSpan.file("w/me.json")
    let loaded = loader.load([.file(Positioned("a.json", at: place))], relativeTo: "w/me.json")
    #expect(loaded.resolved?.bundleID == "dev" && loaded.allDiagnostics.isEmpty)
    #expect(loaded.resolved?.clientID == SettingsTests.id)
    let missing = loader.load([.file(Positioned("none.json", at: place))], relativeTo: "w/me.json")
    #expect(!missing.isUsable)
    let diagnostic = try #require(missing.allDiagnostics.first)
    #expect(diagnostic.message.hasPrefix("w/none.dev.json: ") && diagnostic.place.source.name == "w/me.json")
    #expect(diagnostic.help == "create it with the values for environment `dev` that differ from `w/none.json`")
  }

  @Test func overridesAFileWithAMapping() throws {
    let base = RegistrationDocument.read(Array(settings(#""BundleId": "a""#).utf8), named: "base.json")
    let scenario = try #require(
      DocumentReader.read(Array(#"{"settings": {"BundleId": "b"}}"#.utf8), named: "w.json").document?.root["settings"])
    let loaded = SettingsLoader(load: loading([:])).load([.document(base), .node(scenario)], named: "base.json")
    #expect(loaded.resolved?.bundleID == "b")
    #expect(loaded.resolved?.clientID == SettingsTests.id)
  }

  @Test func acceptsAnyLineEndingsAndFolderNames() {
    let yaml = "AppId: \(SettingsTests.id)\r\nGraphScopes:\r\n  - User.Read\r\nInfoPlist: Info.plist\r\n"
    let files = ["My App/größe/s.yaml": yaml, "My App/größe/Info.plist": #"{"CFBundleIdentifier": "com.x"}"#]
    let loaded = SettingsLoader(load: loading(files)).load("My App/größe/s.yaml")
    #expect(loaded.isUsable && loaded.allDiagnostics.isEmpty)
    #expect(loaded.resolved?.scopes == ["User.Read"])
    #expect(loaded.resolved?.bundleID == "com.x")
  }

  @Test func rejectsDocumentsThatAreNotSettings() {
    #expect(load("[]").diagnostics.first?.rule == "not-settings")
    #expect(load(#"{"authflow": 1}"#).diagnostics.first?.rule == "not-settings")
    #expect(load("").resolved == nil)
  }
}

@Suite struct RecognitionTests {
  @Test(arguments: [
    (#"{"AppId": "x"}"#, AppRegistrationKind.authSettings), (#"{"aadClientId": ""}"#, .authSettings),
    (#"{"authflow": 1, "directory": {}}"#, .workflow), (#"{"directory": 1}"#, .directory),
    (#"{"client_id": "x", "authorities": []}"#, .androidConfig), (#"{"client_id": "x"}"#, .unknown),
    (#"{"redirect_uri": "msauth://a/b"}"#, .androidConfig),
    (#"{"client_id": "x", "discovery_uri": "", "redirect_uri": "a:/b"}"#, .appAuth),
    (#"{"CFBundleIdentifier": "x"}"#, .infoPlist), (#"{"com.apple.security.app-sandbox": true}"#, .entitlements),
    (#"{"AzureAdB2C": {}}"#, .appsettings), (#"{"appId": "x", "replyUrlsWithType": []}"#, .appManifest),
    (#"{"appId": "x", "publicClient": {"redirectUris": []}}"#, .appManifest),
    (#"{"auth": {"clientId": "x"}}"#, .unknown),
    (#"{"auth": {"clientId": "x", "authority": "https://login.microsoftonline.com/common"}}"#, .msalJS),
    (#"{"msalConfig": {"auth": {"clientId": "x", "knownAuthorities": []}}}"#, .msalJS),
    (#"{"auth": {"clientId": "x"}, "cache": {"cacheLocation": "localStorage"}}"#, .msalJS),
    (#"{"auth": {"clientId": "6731de76-14a6-49ae-97bc-6eba6914391e"}}"#, .msalJS),
    (
      #"{"auth": {"clientId": "x", "domain": "contoso.auth0.com"}, "cache": {"cacheLocation": "localStorage"}}"#,
      .unknown
    ),
    (#"{"auth": {"clientId": "x", "issuer": "https://dev-1.okta.com/oauth2/default"}}"#, .unknown),
    (#"{"Auth": {"Entra": {"Instance": "https://login.microsoftonline.com/", "ClientId": "x"}}}"#, .appsettings),
    (#"{"App": {"AzureAd": {"TenantId": "x"}}}"#, .appsettings),
    (#"{"Auth0": {"Instance": "https://contoso.auth0.com/", "ClientId": "x"}}"#, .unknown),
    (#"{"authorities": [{"type": "AAD", "audience": {"type": "AzureADMyOrg"}}]}"#, .androidConfig),
    (#"{"broker_redirect_uri_registered": true}"#, .androidConfig), (#"{"authorities": ["x"]}"#, .unknown),
    (#"[{"resourceAppId": "x"}]"#, .appManifest), (#"{"AccessToken": {}, "Account": {}}"#, .tokenCache),
    (#"{"name": "x"}"#, .unknown), ("[]", .unknown), (#""x""#, .unknown), (#"{"scopes": []}"#, .unknown),
  ])
  func recognizesDocumentsByContent(json: String, kind: AppRegistrationKind) throws {
    let document = try #require(DocumentReader.read(Array(json.utf8), named: "x.json").document)
    #expect(AppRegistrationKind.recognize(document) == kind)
  }
}
