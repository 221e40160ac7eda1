import Diagnostics
import Documents
import Testing
import Validation

/// Tests cross-file rule findings that the rules' examples do not cover.
@Suite struct CrossFileRuleTests {
  static let id = "6731de76-14a6-49ae-97bc-6eba6914391e"
  static let other = "0b9f8a3e-5d1c-4f27-8a66-92e4c1d7b350"

  /// Returns the rules of all findings for the files in one folder.
  static func rules(
    _ files: [(name: String, text: String)], notes: Bool = false, definitions: [String: String] = [:]
  ) -> [String] {
    let texts = Dictionary(files.map { ($0.name, $0.text) }) { first, _ in first }
    let validator = ProjectValidator(definitions: definitions, now: 1_767_225_600) { path, options in
      guard let text = texts[path] else {
        return ReadResult(
          document: nil, diagnostics: [Diagnostic(.error, rule: "unreadable-file", path, at: .file(path))])
      }
      return DocumentReader.read(Array(text.utf8), named: path, options: options)
    }
    let named = files.map { NamedFile(name: $0.name, bytes: Array($0.text.utf8), root: "") }
    return validator.validate(named).diagnostics.filter { notes || $0.severity != .note }.map(\.rule)
  }

  static func settings(_ more: String = "", id: String = id) -> (name: String, text: String) {
    ("AuthSettings.yaml", "AppId: \(id)\n\(more)\n")
  }

  static func manifest(_ members: String, id: String = id) -> (name: String, text: String) {
    ("manifest.json", "{\"appId\": \"\(id)\", \"displayName\": \"Contoso\", \(members)}")
  }

  static func redirects(_ uri: String, _ platform: String = "publicClient") -> String {
    "\"\(platform)\": {\"redirectUris\": [\"\(uri)\"]}"
  }

  static let bypass = "BypassRedirectURIValidation: true\nRedirectUri: "

  @Test(arguments: [
    ("RedirectUri: msauth.com.contoso.app://auth", redirects("msauth.com.contoso.app://auth"), [String]()),
    ("BundleId: com.contoso.app", redirects("msauth.com.contoso.app://auth"), []),
    ("BundleId: com.contoso.app", redirects("http://localhost"), ["redirect-not-in-manifest"]),
    // Without a bundle ID, the app's redirect URI is unknown.
    ("", redirects("http://localhost"), []),
    // A script can replace the template with any URI.
    ("BundleId: com.contoso.app", redirects("msauth.<bundleId>://auth"), []),
    ("BundleId: com.contoso.app", redirects("${{REDIRECT}}"), []),
    ("BundleId: com.contoso.app", redirects("https://${{HOST}}/signin"), ["redirect-not-in-manifest"]),
    // Without lists of registered URIs, there is nothing to compare.
    ("BundleId: com.contoso.app", #""signInAudience": "AzureADMultipleOrgs""#, []),
    (bypass + "http://localhost:53682", redirects("http://localhost"), []),
    (bypass + "http://localhost", redirects("http://localhost:3000/"), []),
    (bypass + "https://localhost:4200/a", redirects("https://localhost:3000/a"), []),
    (bypass + "https://localhost/a", redirects("http://localhost/a"), ["redirect-not-in-manifest"]),
    (bypass + "http://localhost/signin", redirects("http://localhost/Signin"), ["redirect-not-in-manifest"]),
    (bypass + "https://App.contoso.com/a", redirects("https://app.contoso.com/a"), []),
    (bypass + "https://app.contoso.com:8443/a", redirects("https://app.contoso.com/a"), ["redirect-not-in-manifest"]),
    ("BundleId: com.contoso.app", redirects("msauth.com.contoso.app://auth", "web"), ["redirect-not-in-manifest"]),
  ])
  func comparesRedirectURIsLikeTheService(more: String, registered: String, expected: [String]) {
    let findings = Self.rules([Self.settings(more), Self.manifest(registered)])
    // Other rules check the URIs themselves.
    #expect(findings.filter { !$0.hasPrefix("manifest-") && $0 != "redirect-not-in-app" } == expected)
  }

  @Test(arguments: [
    ("common", "AzureADMyOrg", true), ("organizations", "AzureADMyOrg", true), ("consumers", "AzureADMyOrg", true),
    ("contoso.com", "AzureADMyOrg", false), ("common", "AzureADMultipleOrgs", false),
    ("organizations", "AzureADMultipleOrgs", false), ("consumers", "AzureADMultipleOrgs", true),
    ("common", "AzureADandPersonalMicrosoftAccount", false), ("consumers", "AzureADandPersonalMicrosoftAccount", false),
    ("contoso.com", "AzureADandPersonalMicrosoftAccount", false), ("common", "PersonalMicrosoftAccount", true),
    ("9188040d-6c67-4c5b-b112-36a304b66dad", "PersonalMicrosoftAccount", false),
    ("9188040d-6c67-4c5b-b112-36a304b66dad", "AzureADMyOrg", true),
    ("organizations", "PersonalMicrosoftAccount", true), ("contoso.com", "PersonalMicrosoftAccount", true),
    ("consumers", "PersonalMicrosoftAccount", false), ("common", "${{AUDIENCE}}", false),
  ])
  func comparesTheAudienceWithTheAuthority(tenant: String, audience: String, isContradiction: Bool) {
    let files = [
      Self.settings("Authority: https://login.microsoftonline.com/\(tenant)"),
      Self.manifest("\"signInAudience\": \"\(audience)\""),
    ]
    #expect(Self.rules(files) == (isContradiction ? ["audience-contradiction"] : []))
  }

  /// MSAL's default authority is `common`.
  @Test func comparesTheAudienceWithTheDefaultAuthority() {
    let files = [Self.settings(), Self.manifest(#""signInAudience": "AzureADMyOrg""#)]
    #expect(Self.rules(files) == ["audience-contradiction"])
  }

  static let access = #"""
    "requiredResourceAccess": [
      {"resourceAppId": "00000003-0000-0000-c000-000000000000", "resourceAccess": [
        {"id": "e1fe6dd8-ba31-4d61-89e7-88639da4683d", "type": "Scope"},
        {"id": "810c84a8-4a9e-49e6-bf7d-12d183f40d01", "type": "Role"}]},
      {"resourceAppId": "\#(other)", "resourceAccess": [{"id": "5b1e3c2a-7f0d-4d8e-9a41-0c6b8f2d7e93", "type": "Scope"}]}]
    """#

  @Test(arguments: [
    ("User.Read", true), ("user.read", true), ("https://graph.microsoft.com/User.Read", true), ("email", true),
    ("https://graph.microsoft.com/.default", true), ("api://\(other)/Read", true), ("api://\(id)/Read", true),
    ("api://contoso/Read", true), ("Sites.Something.New", true),
    // An application permission does not apply to a signed-in user.
    ("Mail.Read", false), ("Calendars.Read", false), ("api://5b1e3c2a-7f0d-4d8e-9a41-0c6b8f2d7e93/Read", false),
  ])
  func comparesScopesWithTheRegistration(scope: String, isListed: Bool) {
    let files = [Self.settings("GraphScopes: [\"\(scope)\"]"), Self.manifest(Self.access)]
    #expect(Self.rules(files) == (isListed ? [] : ["scope-not-in-manifest"]))
  }

  @Test func comparesScopesOfAWorkflowWithTheRegistration() {
    let workflow = """
      authflow: 1
      settings: AuthSettings.yaml
      steps:
        - loadAccount
        - silent: {scopes: [Calendars.Read]}
        - interactive-fallback
        - callGraph: /me
      """
    let files = [("me.yaml", workflow), Self.settings(), Self.manifest(Self.access)]
    #expect(Self.rules(files) == ["scope-not-in-manifest"])
  }

  @Test func acceptsPermissionsByName() {
    let named = #"""
      {"requiredResourceAccess": [{"resourceAppId": "Microsoft Graph", "resourceAccess": [{"id": "User.Read", "type": "Scope"}]}]}
      """#
    #expect(Self.rules([Self.settings("GraphScopes: [User.Read]"), ("permissions.json", named)]) == [])
    #expect(
      Self.rules([Self.settings("GraphScopes: [Mail.Read]"), ("permissions.json", named)]) == ["scope-not-in-manifest"])
  }

  @Test func comparesClientIDs() {
    let settings = Self.settings()
    let client = Self.manifest(Self.redirects("http://localhost"), id: Self.other)
    let api = Self.manifest(#""api": {"oauth2PermissionScopes": []}, "web": {"redirectUris": []}"#, id: Self.other)
    #expect(Self.rules([settings, client]) == ["client-id-mismatch"])
    // The manifest belongs to an API that the app calls.
    #expect(Self.rules([settings, api]) == [])
    #expect(Self.rules([settings, client, ("own.json", Self.manifest(Self.access).text)]) == [])
    #expect(Self.rules([settings, ("Other.yaml", "AppId: \(Self.other)\n"), client]) == [])
    let upper = Self.manifest(Self.redirects("http://localhost"), id: Self.id.uppercased())
    #expect(Self.rules([settings, upper]) == [])
  }

  @Test(arguments: [
    ("msal\(id)", [String]()), ("msal\(id.uppercased())", []), ("msal\(other)", ["client-id-mismatch"]),
    ("contoso", []),
  ])
  func comparesTheSchemeWithTheClientID(scheme: String, expected: [String]) {
    let plist = #"""
      {"CFBundleIdentifier": "com.contoso.app", "CFBundleURLTypes": [{"CFBundleURLSchemes": ["\#(scheme)", "msauth.com.contoso.app"]}],
       "LSApplicationQueriesSchemes": ["msauthv2", "msauthv3"]}
      """#
    #expect(Self.rules([Self.settings(), ("Info.plist", plist)]) == expected)
  }

  static func apps(_ bundleID: String) -> (name: String, text: String) {
    (
      "AppCreationScripts/apps.json",
      #"""
      {"Sample": {}, "AppRegistrations": [{"x-ms-name": "contoso", "codeConfigurations": [
        {"settingFile": "/App/Info.plist", "replaceTokens": {"bundleId": "\#(bundleID)"}},
        {"settingFile": "/App.xcodeproj/project.pbxproj", "replaceTokens": {"bundleId": "\#(bundleID)"}}]}]}
      """#
    )
  }

  @Test func comparesBundleIDs() {
    let definitions = ["PRODUCT_BUNDLE_IDENTIFIER": "com.contoso.app"]
    #expect(Self.rules([Self.apps("com.contoso.app")], definitions: definitions) == [])
    #expect(Self.rules([Self.apps("com.contoso.mail")], definitions: definitions) == ["bundle-id-contradiction"])
    #expect(Self.rules([Self.apps("com.contoso.mail")]) == [])
    #expect(Self.rules([Self.apps("<bundleId>")], definitions: definitions) == [])
    let plist = (name: "App/Info.plist", text: #"{"CFBundleIdentifier": "com.contoso.app"}"#)
    #expect(Self.rules([Self.settings("BundleId: com.contoso.app"), plist]) == [])
    #expect(Self.rules([Self.settings("BundleId: com.contoso.App"), plist]) == ["bundle-id-contradiction"])
    // If there are two candidates, the correct registration is unknown.
    let extensions = (name: "Share/Info.plist", text: #"{"CFBundleIdentifier": "com.contoso.app.share"}"#)
    #expect(Self.rules([Self.settings("BundleId: com.contoso.App"), plist, extensions]) == [])
  }

  @Test func acceptsARegistrationForSeveralApps() {
    let uris = #""publicClient": {"redirectUris": ["msauth.com.contoso.mail://auth", "msauth.com.contoso.app://auth"]}"#
    #expect(Self.rules([Self.settings("BundleId: com.contoso.app"), Self.manifest(uris)]) == [])
    #expect(
      Self.rules([Self.settings("BundleId: com.contoso.todo"), Self.manifest(uris)])
        == ["redirect-not-in-manifest", "redirect-not-in-app", "redirect-not-in-app"])
  }

  @Test(arguments: [
    ("$(AppIdentifierPrefix)com.contoso.shared", [String]()), ("ABCDE12345.com.contoso.shared", []),
    ("com.contoso.shared", []), ("$(AppIdentifierPrefix)com.contoso.app", ["keychain-group-contradiction"]),
    ("$(AppIdentifierPrefix)com.contoso.sharedx", ["keychain-group-contradiction"]), ("$(GROUP)", []),
  ])
  func comparesTheKeychainGroupWithTheEntitlements(group: String, expected: [String]) {
    let entitlements = #"{"keychain-access-groups": ["\#(group)"]}"#
    let findings = Self.rules([Self.settings("KeychainGroup: com.contoso.shared"), ("App.entitlements", entitlements)])
    #expect(findings.filter { $0 == "keychain-group-contradiction" } == expected)
  }

  @Test(arguments: ["true", "null", "false"])
  func requiresAPublicClientForTheDeviceCodeFlow(flag: String) {
    let workflow = "authflow: 1\nsettings: AuthSettings.yaml\nsteps:\n  - deviceCode: {}\n  - callGraph: /me\n"
    let findings = Self.rules([
      ("tv.yaml", workflow), Self.settings(), Self.manifest("\"isFallbackPublicClient\": \(flag)"),
    ])
    #expect(findings == (flag == "true" ? [] : ["device-code-not-allowed"]))
  }

  /// The scheme of MSAL's older redirect URI format contains the client ID.
  @Test(arguments: [
    ([id], [String]()), ([id, other], []), ([other], ["client-id-mismatch"]), ([String](), []),
  ])
  func comparesTheOlderSchemeWithTheRegistration(ids: [String], expected: [String]) {
    let uris = ids.map { "\"msal\($0)://auth\"" }.joined(separator: ", ")
    #expect(Self.rules([Self.manifest("\"publicClient\": {\"redirectUris\": [\(uris)]}")]) == expected)
  }

  /// An app that sets the client ID in its code does not have a settings file.
  @Test func comparesTheSchemeWithTheOnlyRegistration() {
    let plist = CrossFileLayoutTests.plist("com.contoso.app").replacing(
      "msauth.com.contoso.app", with: "msal\(Self.other)")
    let manifest = Self.manifest(Self.redirects("msal\(Self.id)://auth"))
    #expect(Self.rules([("App/Info.plist", plist), manifest]).contains("client-id-mismatch"))
    let right = plist.replacing(Self.other, with: Self.id)
    #expect(!Self.rules([("App/Info.plist", right), manifest]).contains("client-id-mismatch"))
  }

  /// An Xcode project has a bundle ID for each build configuration.
  @Test(arguments: [
    ("com.contoso.app.debug", [String]()), ("com.contoso.app", []), ("com.contoso.mail", ["redirect-not-in-app"]),
  ])
  func comparesTheBundleIDsOfAllConfigurations(registered: String, expected: [String]) {
    func configuration(_ name: String, _ bundleID: String) -> String {
      "\(name) = { isa = XCBuildConfiguration; buildSettings = { PRODUCT_BUNDLE_IDENTIFIER = \(bundleID); }; name = \(name); };"
    }
    let project = """
      // !$*UTF8*$!
      { archiveVersion = 1; objectVersion = 56; rootObject = P; objects = {
        P = { isa = PBXProject; buildConfigurationList = L; targets = (T); };
        T = { isa = PBXNativeTarget; name = App; productType = "com.apple.product-type.application"; buildConfigurationList = L; };
        L = { isa = XCConfigurationList; buildConfigurations = (Debug, Release); };
        \(configuration("Debug", "com.contoso.app.debug")) \(configuration("Release", "com.contoso.app"))
      }; }
      """
    let manifest = Self.manifest(Self.redirects("msauth.\(registered)://auth"))
    #expect(Self.rules([("App.xcodeproj/project.pbxproj", project), manifest]) == expected)
  }

  static func mail(schemes: [String]?, more: String = "\"LSRequiresIPhoneOS\": true") -> (name: String, text: String) {
    let list = schemes.map { $0.map { "\"\($0)\"" }.joined(separator: ", ") }
    let types = list.map { "\"CFBundleURLTypes\": [{\"CFBundleURLSchemes\": [\($0)]}], " } ?? ""
    return ("Info.plist", "{\"CFBundleIdentifier\": \"com.contoso.mail\", \(types)\(more)}")
  }

  @Test(arguments: [
    ("RedirectUri: msauth.com.contoso.mail://auth", mail(schemes: ["msauth.com.contoso.mail"]), [String]()),
    ("RedirectUri: msauth.com.contoso.mail://auth", mail(schemes: ["msauth.$(PRODUCT_BUNDLE_IDENTIFIER)"]), []),
    ("RedirectUri: msauth.com.contoso.other://auth", mail(schemes: ["contoso"]), ["redirect-scheme-not-in-app"]),
    ("RedirectUri: msauth.com.contoso.other://auth", mail(schemes: ["contoso", "$(SCHEME)"]), []),
    ("RedirectUri: msauth.com.contoso.other://auth", mail(schemes: nil), ["redirect-scheme-not-in-app"]),
    // Other libraries do not require registered schemes.
    ("RedirectUri: contoso://auth", mail(schemes: nil), []),
    ("RedirectUri: contoso://auth", mail(schemes: ["contoso"]), []),
    // MSAL uses its default redirect URI, which requires a registered scheme.
    ("", mail(schemes: nil), ["redirect-scheme-not-in-app"]), ("", mail(schemes: ["msauth.com.contoso.mail"]), []),
    // On macOS, MSAL does not check schemes.
    ("Platform: macOS", mail(schemes: nil), []),
    ("", mail(schemes: nil, more: "\"LSMinimumSystemVersion\": \"14.0\""), []),
  ])
  func comparesTheSchemeOfTheRedirectURIWithTheInfoPlist(
    more: String, plist: (name: String, text: String), expected: [String]
  ) {
    let findings = Self.rules([Self.settings(more), plist])
    #expect(findings.filter { $0.hasPrefix("redirect-scheme-not-in") } == expected)
  }

  /// If there are two apps, it is unknown which app the settings belong to.
  @Test func comparesOnlyWithASingleInfoPlist() {
    let settings = Self.settings("RedirectUri: msauth.com.contoso.other://auth")
    let other = #"{"CFBundleIdentifier": "com.contoso.other", "CFBundleURLTypes": [{"CFBundleURLSchemes": ["a"]}]}"#
    #expect(Self.rules([settings, Self.mail(schemes: ["b"]), ("Two/Info.plist", other)]) == [])
  }

  /// A registration in the top-level folder belongs to the settings in a subfolder if both are unique.
  @Test func comparesTheOnlyRegistrationWithTheOnlySettings() {
    let settings = (name: "App/AuthSettings.yaml", text: Self.settings().text)
    let plist = (name: "App/Info.plist", text: #"{"CFBundleIdentifier": "com.contoso.mail"}"#)
    let registered = Self.redirects("http://localhost")
    let wrong = Self.manifest(registered, id: Self.other)
    #expect(Self.rules([settings, plist, wrong]) == ["client-id-mismatch"])
    #expect(Self.rules([settings, plist, Self.manifest(registered)]).contains("client-id-mismatch") == false)
    // The registration belongs to a web page next to the app.
    #expect(Self.rules([settings, plist, ("page/manifest.json", wrong.text)]) == [])
    let page = Self.manifest(Self.redirects("https://contoso.com", "spa"), id: Self.other)
    #expect(Self.rules([settings, plist, page]) == [])
    #expect(Self.rules([settings, plist, wrong, ("Two/AuthSettings.yaml", "AppId: \(Self.other)\n")]) == [])
  }

  /// The redirect URI in a web page's JSON settings can be registered for `web` or `spa`.
  @Test(arguments: [("spa", [String]()), ("publicClient", [])])
  func acceptsTheRedirectURIOfAWebPage(platform: String, expected: [String]) {
    let settings = #"""
      {"AppId": "\#(Self.id)", "RedirectUri": "http://localhost:3000/", "GraphScopes": ["User.Read"]}
      """#
    let files = [("AuthSettings.json", settings), Self.manifest(Self.redirects("http://localhost:3000/", platform))]
    #expect(Self.rules(files) == expected)
  }

  /// The fix in a property list uses property list syntax.
  @Test func fixesAPropertyList() throws {
    let plist = """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.contoso.app</string><key>CFBundleURLTypes</key>\
      <array><dict><key>CFBundleURLSchemes</key><array><string>msal\(Self.other)</string></array></dict></array></dict></plist>
      """
    let validator = ProjectValidator { path, _ in
      ReadResult(document: nil, diagnostics: [Diagnostic(.error, rule: "unreadable-file", path, at: .file(path))])
    }
    let files = [Self.settings(), ("Info.plist", plist)].map {
      NamedFile(name: $0.0, bytes: Array($0.1.utf8), root: "")
    }
    let finding = try #require(validator.validate(files).diagnostics.first { $0.rule == "client-id-mismatch" })
    let edit = try #require(finding.fix?.edits.first)
    #expect(finding.place.source.text(in: edit.span) == "msal\(Self.other)")
    #expect(edit.replacement == "msal\(Self.id)")
  }

  /// Messages do not contain a bundle ID that is not in the files.
  @Test(arguments: ["msauth.com.contoso.app://auth/", "contoso://other", "http://localhost"])
  func doesNotInventABundleID(uri: String) {
    let validator = ProjectValidator { path, _ in
      ReadResult(document: nil, diagnostics: [Diagnostic(.error, rule: "unreadable-file", path, at: .file(path))])
    }
    let settings = Self.settings("RedirectUri: \(uri)")
    let findings = validator.validate([NamedFile(name: settings.name, bytes: Array(settings.text.utf8))]).diagnostics
    #expect(findings.contains { $0.rule == "invalid-redirect-uri" })
    #expect(!findings.contains { ($0.message + ($0.help ?? "")).contains("authflow") })
  }
}
