import Diagnostics
import Documents
import Testing
import Validation

/// Tests findings in realistic app manifests, without notes.
@Suite struct ManifestRuleTests {
  static let id = "6731de76-14a6-49ae-97bc-6eba6914391e"
  static let graph = "00000003-0000-0000-c000-000000000000"

  static func validate(_ text: String, named name: String = "app.json") -> ValidationReport {
    ProjectValidator(now: 1_767_225_600) { path, _ in
      ReadResult(document: nil, diagnostics: [Diagnostic(.error, rule: "unreadable-file", path, at: .file(path))])
    }.validate([NamedFile(name: name, bytes: Array(text.utf8), root: "")])
  }

  static func rules(_ text: String, named name: String = "app.json", notes: Bool = false) -> [String] {
    validate(text, named: name).diagnostics.filter { notes || $0.severity != .note }.map(\.rule)
  }

  static func portal(_ members: String) -> String {
    "{\"appId\": \"\(id)\", \"signInAudience\": \"AzureADMyOrg\", \(members)}"
  }

  static func reply(_ uri: String, _ type: String = "InstalledClient") -> String {
    portal("\"replyUrlsWithType\": [{\"url\": \"\(uri)\", \"type\": \"\(type)\"}]")
  }

  /// Returns the manifest with a template variable instead of the client ID.
  static func template(_ text: String) -> String { text.replacing(id, with: "${{AAD_APP_CLIENT_ID}}") }

  static func permission(_ id: String, _ type: String, of resource: String = graph) -> String {
    portal(
      "\"requiredResourceAccess\": [{\"resourceAppId\": \"\(resource)\", \"resourceAccess\": [{\"id\": \"\(id)\", \"type\": \"\(type)\"}]}]"
    )
  }

  @Test(arguments: [
    (reply("msauth.com.contoso.app://auth"), [String]()),
    (reply("msal6731de76-14a6-49ae-97bc-6eba6914391e://auth"), []),
    (reply("msauth://com.contoso.app/Aah1OaccgJScKbbTTSm3CW3H87I%3D"), []),
    (reply("msauth://code/msauth.com.contoso.app%3A%2F%2Fauth"), []),
    (reply("urn:ietf:wg:oauth:2.0:oob"), []), (reply("ms-appx-web://Microsoft.AAD.BrokerPlugin/\(id)"), []),
    (reply("http://localhost"), []), (reply("http://localhost:8400/callback"), []),
    (reply("http://127.0.0.1:53682/"), []),
    (reply("https://login.microsoftonline.com/common/oauth2/nativeclient"), []),
    (reply("https://app.contoso.com/"), []), (reply("https://app.contoso.com?site=1", "Web"), []),
    (reply("https://*.contoso.com/signin", "Web"), []), (reply("https://${{TAB_DOMAIN}}/auth-end.html", "Web"), []),
    (reply("{{state.fx-resource-frontend-hosting.endpoint}}/auth-end.html", "Web"), []),
    (reply("msauth.<bundleId>://auth"), []), (reply("https://token.botframework.com/.auth/web/redirect", "Web"), []),
    (reply("http://contoso.com", "Web"), ["manifest-redirect-malformed"]),
    (reply("https://contoso.com/a;b", "Web"), ["manifest-redirect-malformed"]),
    (reply("https://contoso.com/it's", "Web"), ["manifest-redirect-malformed"]),
    (reply("msauth://com.contoso.app/Aah1OaccgJScKbbTTSm3CW3H87I%253D"), ["manifest-broker-redirect"]),
    // Only a signature hash must be percent-encoded, and this value is not a signature hash.
    (reply("msauth://com.contoso.app/a-path_of-twenty-eight-char="), []),
    (reply("http://localhost.contoso.com", "Spa"), ["manifest-redirect-malformed"]),
    (reply("http://[::1]:3000"), ["manifest-redirect-malformed"]),
    (reply("localhost:3000", "Spa"), ["manifest-redirect-malformed"]),
    (reply("app.contoso.com/signin", "Web"), ["manifest-redirect-malformed"]),
    (reply("", "Web"), ["manifest-redirect-malformed"]),
    (reply("https:///signin", "Web"), ["manifest-redirect-malformed"]),
    (reply("https://contoso.com:port/", "Web"), ["manifest-redirect-malformed"]),
    (reply("https://contoso.com/sign in", "Web"), ["manifest-redirect-malformed"]),
    (reply("https://contoso.com/\(String(repeating: "a", count: 300))", "Web"), ["manifest-redirect-malformed"]),
    (reply("https://contoso.com", "web"), ["manifest-redirect-type"]),
    (reply("https://contoso.com", "SPA"), ["manifest-redirect-type"]),
    (reply("https://contoso.com", "Native"), ["manifest-redirect-type"]),
    (reply("msal\(id)://auth", "Web"), ["manifest-redirect-type"]),
    (reply("contoso://auth", "Spa"), ["manifest-redirect-type"]),
    (reply("msauth.com.contoso.app://auth", "Spa"), ["manifest-redirect-type"]),
    (reply("msauth.com.contoso.app://"), ["manifest-broker-redirect"]),
    (reply("msauth://code/msauth.com.contoso.app%3a%2f%2fauth"), ["manifest-broker-redirect"]),
    (reply("msauth://com.contoso.app/ga0RGNYHvNM5d0SLGQfpQWAPGJ8="), ["manifest-broker-redirect"]),
  ])
  func checksRedirectURIs(text: String, expected: [String]) {
    #expect(Self.rules(text) == expected)
  }

  @Test(arguments: [
    (permission("e1fe6dd8-ba31-4d61-89e7-88639da4683d", "Scope"), [String]()),
    (permission("df021288-bdef-4463-88db-98f22de89214", "Role"), []),
    // Microsoft Graph can have permissions that authflow does not list.
    (permission("0b5d694c-a244-4bde-86e6-eb5cd07730fe", "Scope"), []),
    (permission("${{BACKEND_SCOPE_ID}}", "Scope", of: "${{BACKEND_APP_ID}}"), []),
    (template(permission("User.Read", "Scope", of: "Microsoft Graph")), []),
    (template(permission("Sites.Selected", "Role", of: "Office 365 SharePoint Online")), []),
    // Only templates can contain names.
    (permission("e1fe6dd8-ba31-4d61-89e7-88639da4683d", "Scope", of: "Microsoft Graph"), ["manifest-id-malformed"]),
    (permission("e1fe6dd8-ba31-4d61-89e7-88639da4683d", "Role"), ["manifest-permission-type"]),
    (permission("df021288-bdef-4463-88db-98f22de89214", "Scope"), ["manifest-permission-type"]),
    (permission("e1fe6dd8-ba31-4d61-89e7-88639da4683d", "scope"), ["manifest-permission-type"]),
    (permission("e1fe6dd8-ba31-4d61-89e7-88639da4683d", "Delegated"), ["manifest-permission-type"]),
    // In another API, the same ID identifies a different permission.
    (permission("e1fe6dd8-ba31-4d61-89e7-88639da4683d", "Role", of: "00000002-0000-0000-c000-000000000000"), []),
    (permission("e1fe6dd8-ba31-4d61-89e7-88639da46830", "Scope"), ["manifest-permission-unknown"]),
    (template(permission("User.Raed", "Scope", of: "Microsoft Graph")), ["manifest-permission-unknown"]),
    (permission("User.Read", "Scope"), ["manifest-id-malformed"]),
    (permission("", "Scope"), ["manifest-id-empty"]),
    (permission("<permission id>", "Scope"), ["manifest-id-placeholder"]),
  ])
  func checksPermissions(text: String, expected: [String]) {
    #expect(Self.rules(text) == expected)
  }

  static func named(_ name: String, _ type: String = "Scope", key: String = "x-ms-name") -> String {
    let id = type == "Role" ? "df021288-bdef-4463-88db-98f22de89214" : "e1fe6dd8-ba31-4d61-89e7-88639da4683d"
    return portal(
      "\"requiredResourceAccess\": [{\"resourceAppId\": \"\(graph)\", \"resourceAccess\": [{\"id\": \"\(id)\", \"type\": \"\(type)\", \"\(key)\": \"\(name)\"}]}]"
    )
  }

  @Test(arguments: [
    (named("User.Read"), [String]()), (named("user.read"), []), (named("MSGraph.User.Read"), []),
    (named("User.Read.All", "Role"), []), (named("Sign in and read user profile"), []), (named("Contoso.Web"), []),
    (named(""), []), (named("Calendars.Read", key: "_name"), []), (named("Calendars.Read", key: "comment"), []),
    (named("Calendars.Read"), ["manifest-permission-name"]), (named("openid"), ["manifest-permission-name"]),
    (named("Mail.Send", key: "name"), ["manifest-permission-name"]),
    // The name looks like a permission but is not a known one.
    (named("Contosos.ReadWrite.All"), ["manifest-permission-name"]),
    (named("User.Read", "Role"), ["manifest-permission-name"]),
  ])
  func comparesPermissionNamesWithIDs(text: String, expected: [String]) {
    #expect(Self.rules(text) == expected)
  }

  @Test(arguments: [
    (#"{"id": null, "appId": "\#(id)", "signInAudience": "AzureADMyOrg", "identifierUris": []}"#, [String]()),
    (#"{"displayName": "x", "signInAudience": "AzureADandPersonalMicrosoftAccount"}"#, []),
    (#"{"displayName": "x", "signInAudience": "${{AUDIENCE}}"}"#, []),
    (#"{"displayName": "x", "signInAudience": "Everybody"}"#, ["manifest-audience-unknown"]),
    (#"{"displayName": "x", "signInAudience": ""}"#, ["manifest-audience-unknown"]),
    (
      #"{"displayName": "x", "signInAudience": "PersonalMicrosoftAccount", "api": {"requestedAccessTokenVersion": 1}}"#,
      ["manifest-token-version"]
    ),
    (portal(#""accessTokenAcceptedVersion": null"#), []), (portal(#""accessTokenAcceptedVersion": 1"#), []),
    (portal(#""accessTokenAcceptedVersion": 3"#), ["manifest-token-version"]),
    (portal(#""accessTokenAcceptedVersion": "2""#), ["manifest-token-version"]),
    (portal(#""accessTokenAcceptedVersion": "${{VERSION}}""#), []),
    (portal("\"x\": 1").replacing(id, with: "00000000-0000-0000-0000-000000000000"), ["manifest-id-placeholder"]),
    (portal(#""identifierUris": ["api://\#(id)", "https://contoso.com/api", "urn:contoso:api"]"#), []),
    (portal(#""identifierUris": ["api://botid-${{BOT_ID}}", "${{URI}}"]"#), []),
    (portal(#""identifierUris": [""]"#), ["manifest-id-empty"]),
    (portal(#""identifierUris": ["contoso"]"#), ["manifest-identifier-uri"]),
    (portal(#""oauth2AllowImplicitFlow": true"#), []),
    (
      portal(#""oauth2AllowImplicitFlow": true, "replyUrlsWithType": [{"url": "https://contoso.com", "type": "Web"}]"#),
      []
    ),
    (portal(#""oauth2AllowImplicitFlow": false, "replyUrlsWithType": []"#), []),
    (
      #"{"displayName": "x", "web": {"redirectUris": [], "implicitGrantSettings": {"enableIdTokenIssuance": true}}}"#,
      ["manifest-implicit-flow"]
    ),
    (
      portal(#""passwordCredentials": [{"endDate": "/Date(1728043896707)/"}]"#), ["credential-expired"]
    ),
    (
      portal(#""passwordCredentials": [{"startDate": "2025-01-01T00:00:00", "endDate": "2027-01-01T00:00:00Z"}]"#), []
    ),
    (portal(#""keyCredentials": [{"endDateTime": "2020-02-29T10:00:00.123Z"}]"#), ["credential-expired"]),
    (portal(#""keyCredentials": [{"endDateTime": "2299-12-31T00:00:00Z"}]"#), []),
    (
      portal(#""passwordCredentials": [{"startDate": "2020-01-01", "endDate": "2060-01-01"}]"#),
      ["credential-no-expiry"]
    ),
    (portal(#""appRoles": [{"id": "1", "value": "Reader"}]"#), ["manifest-id-malformed"]),
  ])
  func checksRegistrations(text: String, expected: [String]) {
    #expect(Self.rules(text) == expected)
  }

  @Test func reportsExceededLimits() {
    let uris = (0..<101).map { #""https://contoso.com/\#($0)""# }.joined(separator: ", ")
    func text(_ audience: String) -> String {
      #"{"displayName": "x", "signInAudience": "\#(audience)", "spa": {"redirectUris": [\#(uris)]}}"#
    }
    #expect(Self.rules(text("AzureADMyOrg")) == [])
    #expect(Self.rules(text("PersonalMicrosoftAccount")) == ["manifest-limits"])
    let name = String(repeating: "n", count: 100)
    #expect(Self.rules(#"{"displayName": "\#(name)", "signInAudience": "AzureADMyOrg"}"#) == [])
    #expect(
      Self.rules(#"{"displayName": "\#(name)", "signInAudience": "PersonalMicrosoftAccount"}"#) == ["manifest-limits"])
    let secrets = Array(repeating: "{}", count: 3).joined(separator: ", ")
    #expect(
      Self.rules(#"{"signInAudience": "PersonalMicrosoftAccount", "name": "x", "passwordCredentials": [\#(secrets)]}"#)
        == ["manifest-limits"])
  }

  /// The location of the finding is the longest list, not the first list.
  @Test func reportsTheLongestList() throws {
    let uris = (0..<300).map { #""https://contoso.com/\#($0)""# }.joined(separator: ", ")
    let text = #"{"displayName": "x", "publicClient": {"redirectUris": []}, "web": {"redirectUris": [\#(uris)]}}"#
    let findings = try #require(Self.validate(text).diagnostics.first { $0.rule == "manifest-limits" })
    let span = try #require(findings.place.span)
    #expect(findings.place.source.text(in: span).hasPrefix(#"["https://contoso.com/0""#))
  }

  @Test func countsTheEntriesOfAllListsTogether() {
    func text(_ roles: Int) -> String {
      let roles = (0..<roles).map { #"{"value": "r\#($0)"}"# }.joined(separator: ", ")
      return #"{"displayName": "x", "signInAudience": "AzureADMyOrg", "appRoles": [\#(roles)]}"#
    }
    #expect(Self.rules(text(1200)) == [])
    #expect(Self.rules(text(1201)) == ["manifest-limits"])
  }

  /// The wrong type is the only finding. A note about administrator consent would be redundant.
  @Test func reportsAWrongTypeOnce() {
    let text = Self.permission("e1fe6dd8-ba31-4d61-89e7-88639da4683d", "Role")
    #expect(Self.rules(text, notes: true) == ["manifest-permission-type"])
  }

  /// A script completes the template of a sample, so its placeholders are valid. Placeholders in other manifests are
  /// findings.
  @Test func acceptsTemplatesThatScriptsComplete() {
    let template =
      #"{"appId": "<your app id>", "replyUrlsWithType": [{"url": "msauth.<bundleId>://auth", "type": "InstalledClient"}]}"#
    #expect(Self.rules(template) == ["manifest-id-placeholder"])
    #expect(Self.rules(#"{"Sample": {}, "AppRegistrations": [\#(template)]}"#) == [])
    let sample = #"""
      {"Sample": {"Title": "x"}, "AADApps": [
        {"Id": "spa", "Name": "contoso-spa", "Kind": "SinglePageApplication", "Audience": "AzureADMyOrg",
         "ReplyUrls": "http://localhost:3000/, http://localhost:3000/redirect",
         "RequiredResourcesAccess": [{"Resource": "Microsoft Graph", "DelegatedPermissions": ["User.Read", "Contacts.Raed"]},
           {"Resource": "service", "DelegatedPermissions": ["ToDoList.Read"]}]}]}
      """#
    #expect(Self.rules(sample) == ["manifest-permission-unknown"])
  }

  @Test(arguments: [
    ("\"appRoles\": [],", ["manifest-fragment"]),
    ("\n\"replyUrlsWithType\": [], \"id\": \"x\"\n", ["manifest-fragment"]),
    ("\"appRoles\": []", ["manifest-fragment"]), ("\"contoso\": [],", nil), ("\"appRoles\": [,", nil),
    ("{\"appRoles\": [],", nil),
  ])
  func reportsPartsOfManifests(text: String, expected: [String]?) {
    let rules = Self.rules(text)
    if let expected { #expect(rules == expected) } else { #expect(!rules.contains("manifest-fragment")) }
  }

  /// In YAML, the same text is a complete document.
  @Test func acceptsYAMLWithoutBraces() {
    #expect(Self.rules("\"appRoles\": []", named: "app.yaml") == [])
  }

  @Test func readsListsOfRegistrations() {
    let one = Self.reply("https://contoso.com", "spa")
    #expect(Self.rules("[\(one), \(one)]") == ["manifest-redirect-type", "manifest-redirect-type"])
    #expect(Self.rules("{\"value\": [\(one)]}") == ["manifest-redirect-type"])
    #expect(
      Self.rules("{\"AppId\": \"\(Self.id)\", \"SignInAudience\": \"azureadmyorg\", \"Web\": {}}") == [
        "manifest-audience-unknown"
      ])
  }

  @Test func reportsNotes() {
    let notes = Self.rules(Self.reply("msal\(Self.id)://auth"), notes: true)
    #expect(notes == ["manifest-broker-redirect"])
    #expect(Self.rules(Self.reply("msauth.com.contoso.app://auth"), notes: true) == ["manifest-broker-redirect"])
    #expect(Self.rules(Self.reply("https://*.contoso.com/", "Web"), notes: true) == ["manifest-redirect-personal"])
    #expect(Self.rules(Self.reply("https://contoso.com/"), notes: true) == ["manifest-redirect-type"])
    let personal = #"{"displayName": "x", "signInAudience": "PersonalMicrosoftAccount", "api": {}}"#
    #expect(Self.rules(personal, notes: true) == ["manifest-token-version"])
    let both =
      #"{"displayName": "x", "web": {"redirectUris": ["https://a.b/c"]}, "spa": {"redirectUris": ["https://a.b/c"]}}"#
    #expect(Self.rules(both, notes: true) == ["manifest-redirect-duplicate"])
  }

  /// authflow stops reading entries at a limit far above the service's limit. In this case, the message contains only a
  /// minimum count.
  @Test func checksOnlyTheFirst2000EntriesOfAList() {
    let urls = (0..<3000).map { "{\"url\": \"https://contoso.com/\($0)\", \"type\": \"Web\"}" }.joined(separator: ",")
    let findings = Self.validate(Self.portal("\"replyUrlsWithType\": [\(urls)]")).diagnostics
    #expect(findings.contains { $0.rule == "manifest-limits" && $0.message.hasPrefix("2000 or more redirect URIs") })
  }
}
