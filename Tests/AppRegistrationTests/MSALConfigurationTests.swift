import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform
import OrderedCollections
import RunTrace
import Testing

/// Every property of `MSALPublicClientApplicationConfig`, and every related MSAL setting, has a key in the settings.
@Suite struct MSALConfigurationTests {
  /// A property, its key if the name differs, and MSAL's default, as listed in the schema. Only one member of
  /// `cacheConfig` is relevant: the others configure Apple's keychain and ADAL's cache.
  static let properties: [(name: String, key: String, standard: JSON?)] = [
    ("clientId", "clientId", nil), ("redirectUri", "redirectUri", nil),
    ("nestedAuthBrokerClientId", "nestedAuthBrokerClientId", nil),
    ("nestedAuthBrokerRedirectUri", "nestedAuthBrokerRedirectUri", nil),
    ("authority", "authority", "https://login.microsoftonline.com/common"),
    ("knownAuthorities", "knownAuthorities", nil), ("extendedLifetimeEnabled", "extendedLifetimeEnabled", false),
    ("clientApplicationCapabilities", "clientApplicationCapabilities", nil),
    ("tokenExpirationBuffer", "tokenExpirationBuffer", 300), ("sliceConfig", "sliceConfig", nil),
    ("cacheConfig.keychainSharingGroup", "keychainSharingGroup", nil),
    ("multipleCloudsSupported", "multipleCloudsSupported", false),
    ("bypassRedirectURIValidation", "bypassRedirectURIValidation", false),
    ("extraQueryParameters", "extraQueryParameters", nil),
    // Properties of `MSALGlobalConfig` and the app's bundle.
    ("brokerAvailability", "brokerAvailability", "auto"), ("CFBundleVersion", "CFBundleVersion", nil),
    ("telemetry", "telemetryEnabled", true),
  ]

  @Test func supportsEveryProperty() throws {
    let fields = AppSettings.schema["properties"]?.object ?? [:]
    for (name, key, standard) in Self.properties {
      let field = try #require(fields.first { $0.key.lowercased() == key.lowercased() }?.value, "\(name)")
      if let standard { #expect(field["default"] == standard, "\(name)") }
    }
  }

  // MARK: The Info.plist

  private static let plist = #"""
    {"CFBundleIdentifier": "com.contoso.app", "CFBundleVersion": "42",
     "CFBundleURLTypes": [{"CFBundleURLSchemes": ["msauth.com.contoso.app", "other"]}],
     "LSApplicationQueriesSchemes": ["msauthv2", "msauthv3"]}
    """#

  private func load(_ lines: String..., infoPlist: String = plist) -> LoadedSettings {
    let text = #"{"AppId": "\#(SettingsTests.id)", \#(lines.joined(separator: ", "))}"#
    let loader = SettingsLoader { path, options in
      DocumentReader.read(Array((path == "s.json" ? text : infoPlist).utf8), named: path, options: options)
    }
    return loader.load("s.json")
  }

  @Test func resolvesInfoPlistValues() throws {
    let settings = try #require(load(#""InfoPlist": "Info.json""#, #""Platform": "iOS""#).resolved)
    #expect(settings.registeredSchemes == ["msauth.com.contoso.app", "other"])
    #expect(settings.querySchemes == ["msauthv2", "msauthv3"])
    #expect(!settings.isAppExtension)
    #expect(settings.appVersion == "42")
    let own = try #require(load(#""InfoPlist": "Info.json""#, #""AppVersion": "7.1""#).resolved)
    #expect(own.appVersion == "7.1")
    #expect(own.registeredSchemes == nil, "macOS does not check schemes")
    #expect(try #require(load(#""BundleId": "com.contoso.app""#).resolved).appVersion == nil)
  }

  @Test func doesNotRequireSchemesForAnExtension() throws {
    let plist = #"{"CFBundleIdentifier": "com.contoso.app.widget", "NSExtension": {}}"#
    let loaded = load(
      #""InfoPlist": "Info.json""#, #""Platform": "iOS""#, #""BrokerAvailability": "none""#, infoPlist: plist)
    #expect(loaded.resolved?.isAppExtension == true)
    #expect(loaded.failure == nil)
  }

  @Test(arguments: [("auto", "redirectSchemeNotRegistered"), ("none", nil)])
  func doesNotRequireQuerySchemesWithoutBrokers(availability: String, outcome: String?) {
    let plist = #"""
      {"CFBundleIdentifier": "com.contoso.app",
       "CFBundleURLTypes": [{"CFBundleURLSchemes": ["msauth.com.contoso.app"]}]}
      """#
    let loaded = load(
      #""InfoPlist": "Info.json""#, #""Platform": "iOS""#, #""BrokerAvailability": "\#(availability)""#,
      infoPlist: plist)
    #expect(loaded.failure?.outcome == outcome)
    #expect(loaded.resolved?.brokerAvailability.rawValue == availability)
  }

  @Test("uses the default redirect URI if validation is bypassed")
  func usesTheDefaultIfValidationIsBypassed() {
    let macOS = load(#""BypassRedirectURIValidation": true"#, #""BundleId": "com.contoso.app""#)
    #expect(macOS.allDiagnostics.isEmpty)
    #expect(macOS.resolved?.redirect.uri == "msauth.com.contoso.app://auth")
    #expect(macOS.resolved?.redirect.isDefault == true)
    #expect(macOS.resolved?.redirect.isBrokerCapable == false)
    #expect(load(#""BypassRedirectURIValidation": true"#, #""RedirectUri": "any"# + #"thing""#).diagnostics.isEmpty)
  }

  @Test(
    "warns about bypassed validation only if the app has no redirect URI",
    arguments: [("com.contoso.app", true), ("msauth.com.contoso.app", false)])
  func bypassOnIOS(scheme: String, isWarned: Bool) {
    let plist = #"""
      {"CFBundleIdentifier": "com.contoso.app", "CFBundleURLTypes": [{"CFBundleURLSchemes": ["\#(scheme)"]}]}
      """#
    let loaded = load(
      #""InfoPlist": "Info.json""#, #""Platform": "iOS""#, #""BypassRedirectURIValidation": true"#, infoPlist: plist)
    #expect(loaded.diagnostics.map(\.rule) == (isWarned ? ["redirect-uri-bypassed"] : []))
    #expect(loaded.diagnostics.allSatisfy { $0.severity == .warning })
    #expect((loaded.resolved?.redirectURI == nil) == isWarned)
    #expect(loaded.failure == nil)
  }

  // MARK: The secret of a test server

  private static let secret = #""TestServerClientSecret": "fake-hush-hush""#

  @Test func acceptsAndMasksTheSecretOfATestServer() throws {
    let loaded = load(#""Authority": "https://op.example.org""#, #""AuthorityType": "oidc""#, Self.secret)
    let settings = try #require(loaded.resolved, "\(loaded.diagnostics)")
    #expect(settings.testServerClientSecret?.reveal() == "fake-hush-hush")
    #expect(settings.origin(of: "TestServerClientSecret") != nil)
    let shown = [
      "\(settings)", "\(loaded.settings)", settings.json.text(), loaded.json(explaining: true)?.text() ?? "",
      String(reflecting: settings),
    ]
    for text in shown { #expect(!text.contains("hush")) }
    #expect(settings.json["configuration"]?["testServerClientSecret"] == "‹client secret›")
  }

  @Test(arguments: [
    #""Authority": "https://login.microsoftonline.com/common""#, #""Cloud": "china""#,
    #""Authority": "https://login.microsoftonline.com/contoso.com/v2.0", "AuthorityType": "oidc""#,
    #""Authority": "https://contoso.ciamlogin.com""#,
    #""Authority": "https://login.contoso.com/x", "AuthorityType": "ciam""#,
    #""Authority": "https://fabrikamb2c.b2clogin.com/tfp/fabrikamb2c.onmicrosoft.com/B2C_1_x""#,
  ])
  func rejectsSecretsForMicrosoft(authority: String) {
    let loaded = load(authority, Self.secret)
    let found = loaded.diagnostics.filter { $0.rule == "test-server-secret" }
    #expect(found.map(\.severity) == [.error])
    #expect(loaded.resolved == nil)
    // A diagnostic located at the secret would print the line that contains it.
    #expect(found.first?.place.span == nil)
    #expect(found.first?.message.contains("line 1") == true)
    let apart = SettingsLoader { path, options in
      let text =
        "AppId: \(SettingsTests.id)\nAuthority: https://login.microsoftonline.com/common\nTestServerClientSecret: x1\n"
      return DocumentReader.read(Array(text.utf8), named: path, options: options)
    }.load("s.yaml")
    let place = apart.diagnostics.first { $0.rule == "test-server-secret" }?.place
    #expect(place?.span != nil && place?.start.line == 2, "the location is the authority, on another line")
    #expect(found.allSatisfy { !"\($0)".contains("fake-hush-hush") || $0.place.span == nil })
  }

  @Test func rejectsAnEmptySecret() {
    let loaded = load(
      #""Authority": "https://op.example.org""#, #""AuthorityType": "oidc""#, #""TestServerClientSecret": """#)
    #expect(loaded.diagnostics.map(\.rule) == ["empty-value"])
  }
}
