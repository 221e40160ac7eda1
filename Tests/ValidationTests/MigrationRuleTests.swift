import Diagnostics
import Testing
import Validation

/// Tests the migration of settings from ADAL to MSAL.
@Suite struct MigrationRuleTests {
  @Test func migratesACompleteFile() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0">
      <dict>
      \t<key>authority</key>
      \t<string>https://login.microsoftonline.com/common/oauth2/token</string>
      \t<key>clientId</key>
      \t<string>\(SettingsRuleTests.id)</string>
      \t<key>resourceString</key>
      \t<string>https://contoso.com/TodoListService</string>
      \t<key>redirectUri</key>
      \t<string>contosotodo://com.contoso.tasks</string>
      \t<key>promptBehavior</key>
      \t<string>AD_PROMPT_AUTO</string>
      \t<key>fullScreen</key>
      \t<true/>
      </dict>
      </plist>

      """
    let expected = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0">
      <dict>
      \t<key>authority</key>
      \t<string>https://login.microsoftonline.com/common</string>
      \t<key>clientId</key>
      \t<string>\(SettingsRuleTests.id)</string>
      \t<key>scopes</key>
      \t<array>
      \t\t<string>https://contoso.com/TodoListService/.default</string>
      \t</array>
      \t<key>redirectUri</key>
      \t<string>msauth.com.contoso.tasks://auth</string>
      \t<key>fullScreen</key>
      \t<true/>
      </dict>
      </plist>

      """
    #expect(SettingsRuleTests.rules(text, named: "settings.plist") == ["adal-resource", "adal-prompt"])
    let fixed = try SettingsRuleTests.fixed(text, named: "settings.plist")
    #expect(fixed == expected)
    #expect(SettingsRuleTests.rules(fixed, named: "settings.plist") == [])
  }

  static let resources: [(String, String?)] = [
    ("https://api.contoso.com", "https://api.contoso.com/.default"),
    ("https://api.contoso.com/", "https://api.contoso.com//.default"),
    ("https://graph.microsoft.com/", "https://graph.microsoft.com/.default"),
    ("00000003-0000-0000-c000-000000000000", "00000003-0000-0000-c000-000000000000/.default"),
    ("https://graph.windows.net", nil), ("https://graph.windows.net/", nil), ("[YOUR RESOURCE]", nil), ("", nil),
  ]

  @Test(arguments: resources) func replacesAResourceWithAScope(resource: String, scope: String?) throws {
    let text = SettingsRuleTests.json(#""ResourceId": "\#(resource)""#)
    let fixed = try SettingsRuleTests.fixed(text)
    #expect(fixed.contains(".default") == (scope != nil))
    if let scope {
      #expect(fixed.contains(#""Scopes": ["#) && fixed.contains("\"\(scope)\""))
      #expect(SettingsRuleTests.rules(fixed) == [])
    } else {
      #expect(fixed == text)
    }
  }

  @Test func reportsAzureADGraph() {
    for text in [#""ResourceId": "https://graph.windows.net/""#, #""GraphEndpoint": "https://graph.windows.net""#] {
      #expect(SettingsRuleTests.rules(SettingsRuleTests.json(text)) == ["azure-ad-graph-retired"])
    }
  }

  @Test func keepsScopesNextToAResource() throws {
    let text = SettingsRuleTests.json(#""resource": "https://api.contoso.com""#, #""scopes": ["User.Read"]"#)
    #expect(SettingsRuleTests.rules(text) == ["adal-resource"])
    #expect(try SettingsRuleTests.fixed(text) == text)
  }

  static let current: [String] = [
    // The names of Intune keys still contain ADAL.
    #"{"CFBundleIdentifier": "com.contoso.app", "IntuneMAMSettings": {"ADALClientId": "\#(SettingsRuleTests.id)"}}"#,
    SettingsRuleTests.json(#""Platform": "iOS", "KeychainGroup": "com.microsoft.adalcache""#),
    SettingsRuleTests.json(#""userId": "megan@contoso.com""#),
    SettingsRuleTests.json(#""Authority": "https://login.microsoftonline.com/common""#),
  ]

  @Test(arguments: current) func acceptsCurrentSettings(text: String) {
    #expect(
      SettingsRuleTests.findings(text).allSatisfy { !$0.rule.hasPrefix("adal") && $0.rule != "authority-endpoint" })
  }

  @Test func suggestsALookupForAUserID() {
    let text = SettingsRuleTests.json(#""resource": "https://api.contoso.com""#, #""userId": "megan@contoso.com""#)
    let finding = SettingsRuleTests.findings(text).first { $0.rule == "adal-key" }
    #expect(finding?.help?.contains("accountForUsername") == true)
  }

  // MARK: Settings of other libraries

  static let otherLibraries: [(members: [String], rules: [String])] = [
    ([#""resourceString": "https://contoso.com/tasks""#, #""redirectUri": "\#(oob)""#], ["adal-resource"]),
    ([#""tokenURL": "https://login.microsoftonline.com/common/oauth2/v2.0/token""#, #""redirectUri": "\#(oob)""#], []),
    ([#""api-version": "v1.0""#, #""scopes": "openid offline_access User.Read""#, #""redirectUri": "\#(oob)""#], []),
    ([#""additionalScopes": []"#, #""scopes": ["\#(SettingsRuleTests.id)"]"#, #""redirectUri": "\#(oob)""#], []),
    ([#""keyChain": "com.contoso.tasks""#, #""responseType": "code""#, #""redirectUri": "\#(oob)""#], []),
    // Every library has an authority setting.
    ([#""responseType": "code""#, #""authority": "http://login.microsoftonline.com/common""#], ["authority-http"]),
    // These settings are for MSAL, despite the other keys.
    ([#""redirectUri": "\#(oob)""#], ["invalid-redirect-uri"]),
    ([#""showClaims": true"#, #""GraphScopes": ["openid"]"#], ["scope-reserved"]),
    (
      [#""fullScreen": true"#, #""scopes": ["openid"]"#, #""redirectUri": "msauth.com.contoso.app://auth""#],
      ["scope-reserved"]
    ),
  ]

  private static let oob = "urn:ietf:wg:oauth:2.0:oob"

  @Test(arguments: otherLibraries) func relaxesRulesForOtherLibraries(members: [String], rules: [String]) {
    let text = "{\((["\"clientId\": \"\(SettingsRuleTests.id)\""] + members).joined(separator: ", "))}"
    #expect(SettingsRuleTests.rules(text, named: "settings.json") == rules)
    #expect(SettingsRuleTests.findings(text).contains { $0.rule == "invalid-redirect-uri" } == text.contains(Self.oob))
  }

  @Test func ignoresFilesOfOtherLibrariesWithoutAClientID() {
    let common = #""authority": "https://login.microsoftonline.com/common", "redirectUri": "\#(Self.oob)""#
    #expect(SettingsRuleTests.rules(#"{"grantType": "authorization_code", \#(common)}"#) == [])
    #expect(SettingsRuleTests.rules("{\(common)}").contains("app-id-missing"))
  }

  // MARK: Settings without fixes

  /// There is no scope that corresponds to Azure AD Graph, so the file remains in ADAL's format. A partly migrated file
  /// would not work with either library.
  @Test(arguments: ["https://graph.windows.net", "[YOUR RESOURCE]"])
  func doesNotMigrateSettingsPartially(resource: String) throws {
    let text = """
      {"ida:ClientId": "\(SettingsRuleTests.id)", "ida:Authority": "https://login.microsoftonline.com/common/oauth2/token",
       "ResourceId": "\(resource)", "ida:RedirectUri": "contosotasks://com.contoso.tasks", "promptBehavior": "AD_PROMPT_AUTO"}
      """
    #expect(SettingsRuleTests.rules(text).contains("adal-prompt"))
    #expect(try SettingsRuleTests.fixed(text) == text)
  }

  private static func plist(_ scheme: String) -> (name: String, text: String) {
    (
      "Info.plist",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>com.contoso.tasks</string>
      <key>CFBundleURLTypes</key><array><dict><key>CFBundleURLSchemes</key><array><string>\(scheme)</string></array></dict></array>
      </dict></plist>
      """
    )
  }

  private static func manifest(_ uri: String) -> (name: String, text: String) {
    (
      "manifest.json",
      #"{"appId": "\#(SettingsRuleTests.id)", "replyUrlsWithType": [{"url": "\#(uri)", "type": "InstalledClient"}]}"#
    )
  }

  /// ADAL's redirect URI works, so a fix replaces it only if all files support the new URI.
  static let redirects: [(files: [(name: String, text: String)], isOffered: Bool)] = [
    ([], true), ([plist("contosotasks")], false), ([plist("msauth.com.contoso.tasks")], true),
    ([plist("msauth.$(PRODUCT_BUNDLE_IDENTIFIER)")], true),
    ([manifest("contosotasks://com.contoso.tasks")], false), ([manifest("msauth.com.contoso.tasks://auth")], true),
    ([plist("msauth.com.contoso.tasks"), manifest("contosotasks://com.contoso.tasks")], false),
  ]

  @Test(arguments: redirects.indices) func changesARedirectURIOnlyIfTheNewURIIsRegistered(index: Int) throws {
    let (files, isOffered) = Self.redirects[index]
    let settings = SettingsRuleTests.json(#""RedirectUri": "contosotasks://com.contoso.tasks""#)
    let report = RuleTests.validate(RuleExample([("s.json", settings)] + files))
    let finding = try #require(report.diagnostics.first { $0.rule == "adal-redirect-uri" })
    #expect((finding.fix != nil) == isOffered)
  }

  /// Only reported findings get a fix, because each fix requires a search of the entire file.
  @Test func fixesOnlyReportedFindings() {
    let prompts = (0..<400).map { "\"k\($0)\": \"AD_PROMPT_AUTO\"" }.joined(separator: ", ")
    let findings = SettingsRuleTests.findings(SettingsRuleTests.json(prompts)).filter { $0.rule == "adal-prompt" }
    #expect(findings.filter { $0.fix != nil }.count == 100)
  }
}
