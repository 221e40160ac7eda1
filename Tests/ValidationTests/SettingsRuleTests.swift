import AppRegistration
import Diagnostics
import Documents
import Testing
import Validation

/// Tests findings and fixes of the settings rules that the rules' examples do not cover.
@Suite struct SettingsRuleTests {
  static let id = "6731de76-14a6-49ae-97bc-6eba6914391e"

  static let zero = "00000000-0000-0000-0000-000000000000"

  static func findings(_ text: String, named name: String = "s.json") -> [Diagnostic] {
    RuleTests.validate(RuleExample(name, text)).diagnostics
  }

  static func rules(_ text: String, named name: String = "s.json") -> [String] {
    findings(text, named: name).filter { $0.severity != .note }.map(\.rule)
  }

  /// Returns the text after applying all fixes.
  static func fixed(_ text: String, named name: String = "s.json") throws -> String {
    let edits = findings(text, named: name).compactMap(\.fix).flatMap(\.edits)
    return String(decoding: try SpanEdits.apply(edits, to: SourceText(name: name, text: text)), as: UTF8.self)
  }

  static func json(_ members: String...) -> String {
    "{\(([#""AppId": "\#(id)""#] + members).joined(separator: ", "))}"
  }

  // MARK: Findings

  static let invalid: [(String, [String])] = [
    (#"{"AppId": "\#(id) ", "GraphScopes": ["User.Read"]}"#, ["app-id-white-space"]),
    (#"{"AppId": "{\#(id)}", "GraphScopes": ["User.Read"]}"#, ["app-id-not-guid"]),
    (#"{"AppId": "6731de7614a649ae97bc6eba6914391e", "GraphScopes": ["User.Read"]}"#, ["app-id-not-guid"]),
    (#"{"AppId": "a6731de76-14a6-49ae-97bc-6eba6914391e", "GraphScopes": ["User.Read"]}"#, ["app-id-not-guid"]),
    (json(#""Authority": "https://login.microsoftonline.com/contoso""#), ["tenant-malformed"]),
    (
      json(#""Authority": "https://login.microsoftonline.com/xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx""#),
      ["authority-placeholder"]
    ),
    (json(#""Authority": "https://login.microsoftonline.com/TENANT_ID""#), ["authority-placeholder"]),
    (json(#""Authority": "https://login.microsoftonline.com/[Enter tenant]""#), ["authority-placeholder"]),
    (json(#""Authority": "https://yourtenant.ciamlogin.com""#), ["authority-placeholder"]),
    (json(#""Authority": "https://login.microsoftonline.com/common", "AuthorityType": "ciam""#), ["ciam-authority"]),
    (json(#""Authority": "https://contoso.ciamlogin.com/organizations""#), ["ciam-authority"]),
    (json(#""Cloud": "germany""#), ["authority-retired-host"]),
    (
      json(
        #""Authority": "https://login.microsoftonline.com/7bcd2220-f576-41b0-b47a-de4b6f2ebac1""#,
        #""TenantId": "72f988bf-86f1-41af-91ab-2d7cd011db47""#), ["authority-contradiction"]
    ),
    (json(#""RedirectUri": "msauth.<bundle id>://auth""#), ["redirect-uri-malformed"]),
    (json(#""RedirectUri": "msauth.BUNDLE_ID://auth""#), ["redirect-uri-malformed"]),
    (
      json(#""RedirectUri": "msauth.com.contoso.App://auth""#, #""BundleId": "com.contoso.app""#),
      ["invalid-redirect-uri"]
    ),
    (json(#""Authority": "https://login.microsoftonline.com/contoso.ciamlogin.com""#), ["ciam-authority"]),
    (json(#""Authority": "https://login.microsoftonline.com/\#(zero)""#), ["tenant-malformed"]),
    (json(#""TenantId": "\#(zero)""#), ["tenant-malformed"]),
    (json(#""GraphScopes": ["User.Read,Mail.Read"]"#), ["scope-malformed"]),
    // A value of the wrong type is not reported as missing.
    (json(#""GraphScopes": [User.Read]"#), ["json-syntax"]),
    // Validation reports all defects together, even though the first one alone would prevent a run.
    (
      #"{"AppId": "YOUR_APP_ID", "BundleId": "com.contoso.app", "RedirectUri": "http://localhost", "GraphScopes": ["openid"]}"#,
      ["app-id-placeholder", "invalid-redirect-uri", "scope-reserved"]
    ),
  ]

  @Test(arguments: invalid) func reportsInvalidSettings(text: String, expected: [String]) {
    #expect(Self.rules(text) == expected)
  }

  @Test func doesNotRepeatALongValueInMessages() {
    let long = String(repeating: "a", count: 100_000)
    for text in [
      #"{"AppId": "\#(long)"}"#, Self.json(#""TenantId": "\#(long)""#), Self.json(#""GraphScopes": ["\#(long) b"]"#),
    ] {
      let findings = Self.findings(text)
      #expect(!findings.isEmpty && findings.allSatisfy { $0.message.count + ($0.help?.count ?? 0) < 1000 })
    }
  }

  // MARK: Valid settings

  static let passing: [String] = [
    #"{"AppId": "6731DE76-14A6-49AE-97BC-6EBA6914391E", "GraphScopes": ["User.Read"]}"#,
    json(#""Authority": "https://login.windows.net/common""#),
    json(#""Authority": "https://sts.windows.net/7bcd2220-f576-41b0-b47a-de4b6f2ebac1""#),
    json(#""Authority": "https://login.microsoftonline.com/contoso.onmicrosoft.com/v2.0""#),
    json(#""Authority": "https://contoso.ciamlogin.com/""#),
    json(#""Authority": "https://contoso.ciamlogin.com/7bcd2220-f576-41b0-b47a-de4b6f2ebac1""#),
    json(#""Authority": "https://login.contoso.com/7bcd2220-f576-41b0-b47a-de4b6f2ebac1", "AuthorityType": "ciam""#),
    json(#""BundleId": "com.yourcompany.App", "RedirectUri": "msauth.com.yourcompany.App://auth""#),
    json(#""RedirectUri": "contosotasks://com.contoso.tasks""#),
    // The build or release process replaces these values.
    #"{"AppId": "$(CLIENT_ID)", "GraphScopes": ["User.Read"], "Authority": "https://login.microsoftonline.com/${TENANT}"}"#,
    ##"{"AppId": "#{ClientId}#", "GraphScopes": ["User.Read"], "TenantId": "__TenantId__"}"##,
    #"{"AppId": "%CLIENT_ID%", "GraphScopes": ["User.Read"], "RedirectUri": "msauth.{{bundle}}://auth"}"#,
    // The settings disable sign-in.
    #"{"isAADAuthEnabled": false, "aadClientId": "", "aadTenantId": "", "aadRedirectURI": "", "aadScopes": []}"#,
    // These settings are for a web page or a console app.
    #"{"client_id": "\#(id)", "authority": "https://login.microsoftonline.com/common", "redirectUri": "http://localhost:3000", "scope": ["User.Read"]}"#,
  ]

  @Test(arguments: passing) func acceptsValidSettings(text: String) { #expect(Self.rules(text) == []) }

  /// Files of other products that contain an app ID or client ID.
  static let others: [(String, String)] = [
    ("capacitor.config.json", #"{"appId": "com.contoso.app", "appName": "Contoso", "webDir": "www"}"#),
    (
      "GoogleService-Info.plist",
      #"<?xml version="1.0"?><plist version="1.0"><dict><key>CLIENT_ID</key><string>1-x.apps.googleusercontent.com</string><key>REVERSED_CLIENT_ID</key><string>com.googleusercontent.apps.1-x</string><key>BUNDLE_ID</key><string>com.contoso.app</string></dict></plist>"#
    ),
    (
      "Okta.json",
      #"{"issuer": "https://contoso.okta.com/oauth2/default", "clientId": "{clientId}", "redirectUri": "{redirectUri}", "scopes": "openid profile offline_access"}"#
    ),
    ("Auth0.json", #"{"ClientId": "Zm9vYmFyYmF6cXV1eDEyMzQ1Njc4", "Domain": "contoso.auth0.com"}"#),
    ("SpotifyCredentials.json", #"{"redirectUri": "YOUR-REDIRECT-URI", "clientId": "YOUR-CLIENT-ID"}"#),
    ("config.json", #"{"apiKey": "k", "appId": "1:123:ios:456", "projectId": "contoso", "storageBucket": "b"}"#),
  ]

  @Test(arguments: others) func ignoresFilesOfOtherProducts(name: String, text: String) {
    let report = RuleTests.validate(RuleExample(name, text))
    #expect(report.files.map(\.kind) == [.unknown])
    #expect(report.diagnostics.allSatisfy { $0.rule == "unknown-kind" })
  }

  // MARK: Examples

  @Test func reportsPlaceholdersInExamplesAsWarnings() {
    let text = #"{"AppId": "YOUR_APP_ID_HERE", "GraphScopes": ["User.Read"]}"#
    #expect(Self.findings(text, named: "AuthSettings.example.json").map(\.severity) == [.warning])
    #expect(Self.findings(text, named: "AuthSettings.json.template").map(\.severity) == [.warning])
    #expect(Self.findings(text, named: "AuthSettings.json").map(\.severity) == [.error])
  }

  @Test func reportsOtherDefectsInExamplesAsErrors() {
    #expect(
      Self.findings(Self.json(#""GraphScopes": ["openid"]"#), named: "a.example.json").contains {
        $0.rule == "scope-reserved" && $0.severity == .error
      })
  }

  // MARK: Fixes

  static let fixes: [(String, String)] = [
    (#"{"AppId": " \#(id)\n", "GraphScopes": ["User.Read"]}"#, #"{"AppId": "\#(id)", "GraphScopes": ["User.Read"]}"#),
    (#"{"AppId": "{\#(id)}", "GraphScopes": ["User.Read"]}"#, #"{"AppId": "\#(id)", "GraphScopes": ["User.Read"]}"#),
    (
      json(#""Authority": "http://login.microsoftonline.com/common""#),
      json(#""Authority": "https://login.microsoftonline.com/common""#)
    ),
    (
      json(#""GraphEndpoint": "https://graph.microsoft.com/v1.0/""#),
      json(#""GraphEndpoint": "https://graph.microsoft.com""#)
    ),
    (json(#""GraphScopes": ["openid", "User.Read", "profile"]"#), json(#""GraphScopes": ["User.Read"]"#)),
    (json(#""GraphScopes": "openid User.Read profile""#), json(#""GraphScopes": "User.Read""#)),
    (json(#""GraphScopes": ["User.Raed"]"#), json(#""GraphScopes": ["User.Read"]"#)),
    (
      json(#""BundleId": "com.contoso.app", "RedirectUri": "msauth.com.contoso.App://auth/""#),
      json(#""BundleId": "com.contoso.app", "RedirectUri": "msauth.com.contoso.app://auth""#)
    ),
    (
      json(#""Authorty": "https://login.microsoftonline.com/common""#),
      json(#""Authority": "https://login.microsoftonline.com/common""#)
    ),
    (
      json(#""GraphScopes": ["User.Read,Mail.Read", "Files.Read"]"#),
      json(#""GraphScopes": ["User.Read", "Files.Read", "Mail.Read"]"#)
    ),
    (
      json(#""Authority": "https://Login.Windows.net/common""#),
      json(#""Authority": "https://login.microsoftonline.com/common""#)
    ),
    (
      json(#""Authority": "https://login.microsoftonline.com/contoso.ciamlogin.com""#),
      json(#""Authority": "https://contoso.ciamlogin.com""#)
    ),
    // The URI might be registered exactly as written.
    (
      json(#""BundleId": "com.contoso.app", "RedirectUri": "http://localhost""#),
      json(#""BundleId": "com.contoso.app", "RedirectUri": "http://localhost""#)
    ),
    // Only the owner knows the correct value.
    (json(#""GraphScopes": ["openid"]"#), json(#""GraphScopes": ["openid"]"#)),
    (#"{"AppId": "", "GraphScopes": ["User.Read"]}"#, #"{"AppId": "", "GraphScopes": ["User.Read"]}"#),
  ]

  @Test(arguments: fixes) func changesOnlyInvalidValues(text: String, expected: String) throws {
    #expect(try Self.fixed(text) == expected)
  }

  @Test func leavesTheOtherLinesOfAPropertyListUnchanged() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0">
      <dict>
      \t<!-- from the portal -->
      \t<key>AppId</key>
      \t<string>\(Self.id)
      \t</string>
      \t<key>GraphScopes</key>
      \t<array>
      \t\t<string>User.Read</string>
      \t\t<string>offline_access</string>
      \t</array>
      </dict>
      </plist>

      """
    let expected = text.replacing("\(Self.id)\n\t", with: Self.id).replacing(
      "\t\t<string>offline_access</string>\n", with: "")
    #expect(try Self.fixed(text, named: "s.plist") == expected)
  }
}
