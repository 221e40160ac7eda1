import Diagnostics
import Documents
import Testing
import Validation

/// Tests Android rule findings that the rules' examples do not cover.
@Suite struct AndroidRuleTests {
  static let id = "6731de76-14a6-49ae-97bc-6eba6914391e"
  static let hash = "Qk9%2FSHFmcTFzT3BtT2FkT3JzYVk%3D"

  /// Returns all findings except notes as `rule: text`.
  static func findings(_ files: [(name: String, text: String)]) -> [String] {
    let texts = Dictionary(files.map { ($0.name, $0.text) }) { first, _ in first }
    let validator = ProjectValidator { path, options in
      DocumentReader.read(Array((texts[path] ?? "").utf8), named: path, options: options)
    }
    let report = validator.validate(
      files.map { NamedFile(name: $0.name, bytes: Array($0.text.utf8), root: "") })
    return report.diagnostics.filter { $0.severity != .note }.map { diagnostic in
      "\(diagnostic.rule): \(diagnostic.place.source.text(in: diagnostic.place.span ?? .at(0)))"
    }
  }

  static func config(_ redirect: String, _ others: String...) -> String {
    let members =
      [#""client_id": "\#(id)""#, #""redirect_uri": "\#(redirect)""#, #""account_mode": "SINGLE""#] + others
    return "{\(members.joined(separator: ", "))}"
  }

  static func authorities(_ entries: String...) -> String {
    config("msauth://com.contoso.app/\(hash)", #""authorities": [\#(entries.joined(separator: ", "))]"#)
  }

  @Test(arguments: [
    "msauth://com.contoso.app/Qk9%2fSHFmcTFzT3BtT2FkT3JzYVk%3d", "msauth://com.contoso.app/\(hash)",
    "msauth://${applicationId}/\(hash)", "#{redirectUri}#",
  ])
  func acceptsValidRedirectURIs(redirect: String) {
    #expect(Self.findings([("a.json", Self.config(redirect))]) == [])
  }

  @Test(arguments: [
    "msauth://com.contoso.app/callback", "msauth://com.contoso.app", "msal\(id)://auth", "com.contoso.app://oauth",
    "msauth://com.contoso.app/auth", "msauth://com.contoso.app/Aah1OaccgJScKbbTTSm3CW3H87I",
  ])
  func acceptsCustomRedirectURIsWithoutABroker(redirect: String) {
    let text = Self.config(redirect, #""broker_redirect_uri_registered": false"#)
    #expect(Self.findings([("a.json", text)]) == [])
  }

  @Test(arguments: [
    ("msauth://com.contoso.app/callback", "android-hash-malformed: callback"),
    ("msauth://com.contoso.app/AAAAAAAAAAAAAAAAAAAAAAAAAAA%3D", "android-hash-dummy: AAAAAAAAAAAAAAAAAAAAAAAAAAA%3D"),
    ("msauth://com.contoso.app/YOUR_SIGNATURE_HASH", "android-hash-placeholder: YOUR_SIGNATURE_HASH"),
    ("msauth://com.contoso.app/%3CHASH%3E", "android-hash-placeholder: %3CHASH%3E"),
    ("msauth://com.contoso.app/signature_hash", "android-hash-placeholder: signature_hash"),
    ("msauth://com.contoso.app/\(hash)/", "android-hash-malformed: \(hash)/"),
    (
      "msauth://com.contoso.app/Qk9_SHFmcTFzT3BtT2FkT3JzYVk%3D",
      "android-hash-malformed: Qk9_SHFmcTFzT3BtT2FkT3JzYVk%3D"
    ),
    ("msauth://com.contoso.app", #"android-broker-flag: "msauth://com.contoso.app""#),
    ("MSAUTH://com.contoso.app/x", #"android-broker-flag: "MSAUTH://com.contoso.app/x""#),
    ("<your_redirect_uri_here>", "android-redirect-placeholder: <your_redirect_uri_here>"),
    ("msauth:com.contoso.app", "android-redirect-malformed: msauth:com.contoso.app"),
    ("msauth:///x", "android-redirect-malformed: msauth:///x"),
    ("Redirect URI of https://portal", "android-redirect-malformed: Redirect URI of https://portal"),
    ("", "android-config-incomplete: \"\""),
    (
      #"msauth:\/\/com.contoso.app\/1234567890"#,
      #"android-hash-dummy: "msauth:\/\/com.contoso.app\/1234567890""#
    ),
  ])
  func reportsInvalidRedirectURIs(redirect: String, finding: String) {
    #expect(Self.findings([("a.json", Self.config(redirect))]) == [finding])
  }

  /// The hashes of keytool's error message for a wrong password and of empty output.
  @Test(arguments: [
    ("w5G662mc4o81BUzLaFO2xjZlnHw%3D", #""broker_redirect_uri_registered": true"#, true),
    ("w5G662mc4o81BUzLaFO2xjZlnHw%3D", #""broker_redirect_uri_registered": false"#, false),
    ("w5G662mc4o81BUzLaFO2xjZlnHw%3D", #""authorization_user_agent": "DEFAULT""#, false),
    ("2jmj7l5rSw0yVb%2FvlWAYkK%2FYBwk%3D", #""broker_redirect_uri_registered": false"#, true),
    ("2jmj7l5rSw0yVb%2FvlWAYkK%2FYBwk%3D", #""authorization_user_agent": "DEFAULT""#, true),
  ])
  func reportsHashesOfKeytoolErrors(hash: String, other: String, isReported: Bool) {
    let findings = Self.findings([("a.json", Self.config("msauth://com.contoso.app/\(hash)", other))])
    #expect(findings == (isReported ? ["android-hash-empty: \(hash)"] : []))
  }

  @Test func reportsOnlyTheStartOfALongPath() {
    let path = String(repeating: "Qk9x", count: 10_000)
    let findings = Self.findings([("a.json", Self.config("msauth://com.contoso.app/\(path)"))])
    #expect(findings == ["android-hash-malformed: \(path.prefix(500))"])
  }

  @Test(arguments: [
    #"{"type": "AAD", "authority_url": "https://login.microsoftonline.com/common"}"#,
    #"{"type": "AAD", "authority_url": "https://login.microsoftonline.us/contoso.onmicrosoft.us"}"#,
    #"{"type": "AAD", "audience": {"type": "AzureADMultipleOrgs", "tenant_id": "organizations"}}"#,
    #"{"type": "AAD", "audience": {"type": "AzureADMultipleOrgs", "tenant_id": "common"}}"#,
    #"{"type": "AAD", "audience": {"type": "AzureADandPersonalMicrosoftAccount", "tenant_id": "organizations"}}"#,
    #"{"type": "AAD", "audience": {"type": "PersonalMicrosoftAccount", "tenant_id": "consumers"}}"#,
    #"{"type": "AAD", "audience": {"type": "AzureADMyOrg", "tenant_id": "contoso.com"}}"#,
    // The URL takes precedence over the audience.
    #"{"type": "AAD", "authority_url": "https://login.microsoftonline.com/organizations", "audience": {"type": "AzureADandPersonalMicrosoftAccount", "tenant_id": "7bcd2220-f576-41b0-b47a-de4b6f2ebac1"}}"#,
    #"{"type": "B2C", "authority_url": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_signin/"}"#,
    #"{"type": "B2C", "authority_url": "https://login.contoso.com/010eb29e-d42b-4ca3-9c16-1961a528ce77"}"#,
    #"{"type": "B2C", "authority_url": "https://login.microsoftonline.com/tfp/contoso.onmicrosoft.com/B2C_1_signin"}"#,
    #"{"type": "CIAM", "authority_url": "https://contoso.ciamlogin.com/"}"#,
    #"{"type": "CIAM", "authority_url": "https://login.contoso.com/contoso.onmicrosoft.com/"}"#,
    #"{"type": "ADFS", "authority_url": "https://fs.contoso.com/adfs"}"#,
    #"{"type": "AAD", "authority_url": "https://login.microsoftonline.com/${TENANT}"}"#,
  ])
  func acceptsValidAuthorities(entry: String) {
    #expect(Self.findings([("a.json", Self.authorities(entry))]) == [])
  }

  @Test(arguments: [
    (
      #"{"type": "aad", "authority_url": "https://login.microsoftonline.com/common"}"#,
      #"android-authority-kind: "aad""#
    ),
    (#"{"type": "B2C"}"#, #"android-authority-kind: "B2C""#),
    (
      #"{"type": "AAD", "authority_url": "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_x"}"#,
      #"android-authority-kind: "AAD""#
    ),
    (
      #"{"type": "B2C", "authority_url": "https://contoso.b2clogin.com/contoso.onmicrosoft.com"}"#,
      "android-authority-url: https://contoso.b2clogin.com/contoso.onmicrosoft.com"
    ),
    (
      #"{"type": "AAD", "authority_url": "https://login.microsoftonlin.com/common"}"#,
      "android-authority-url: https://login.microsoftonlin.com/common"
    ),
    (#"{"type": "AAD", "authority_url": ""}"#, "android-authority-url: "),
    (
      #"{"type": "AAD", "authority_url": "login.microsoftonline.com"}"#,
      "android-authority-url: login.microsoftonline.com"
    ),
    (
      #"{"type": "AAD", "authority_url": "https://login.microsoftonline.com/YOUR_TENANT_ID"}"#,
      "android-authority-placeholder: YOUR_TENANT_ID"
    ),
    (
      #"{"type": "AAD", "authority_url": "https://login.microsoftonline.com/11111111-1111-1111-1111-111111111111"}"#,
      "android-tenant-malformed: 11111111-1111-1111-1111-111111111111"
    ),
    (#"{"type": "AAD", "audience": {"type": "AzureADMyOrg"}}"#, #"android-audience-contradiction: "AzureADMyOrg""#),
    (
      #"{"type": "AAD", "audience": {"type": "AzureADMultipleOrgs", "tenant_id": "consumers"}}"#,
      "android-audience-contradiction: consumers"
    ),
    (
      #"{"type": "AAD", "audience": {"type": "PersonalMicrosoftAccount", "tenant_id": "organizations"}}"#,
      "android-audience-contradiction: organizations"
    ),
    (
      #"{"type": "AAD", "audience": {"type": "AzureADMultipleOrgs", "tenant_id": "contoso.com"}}"#,
      "android-audience-contradiction: contoso.com"
    ),
    (
      #"{"type": "AAD", "audience": {"type": "AzureADMyOrg", "tenantId": "contoso.com"}}"#,
      #"android-key-case: "tenantId""#
    ),
    (
      #"{"type": "AAD", "audience": {"type": "AzureADMyOrg", "tenant_id": "<tenant>"}}"#,
      "android-authority-placeholder: <tenant>"
    ),
  ])
  func reportsInvalidAuthorities(entry: String, finding: String) {
    let findings = Self.findings([("a.json", Self.authorities(entry))]).filter { !$0.hasPrefix("unknown-key") }
    #expect(findings == [finding])
  }

  @Test func requiresADefaultForSeveralAuthorities() {
    let entry = #"{"type": "AAD", "authority_url": "https://login.microsoftonline.com/common"}"#
    #expect(
      Self.findings([("a.json", Self.authorities(entry, entry))]) == [#"android-authorities-default: "authorities""#])
    #expect(Self.findings([("a.json", Self.authorities(entry))]) == [])
  }

  @Test func lowersTheSeverityForAppsWithoutWorkAccounts() {
    let b2c = #"{"type": "B2C", "authority_url": "https://adatum.b2clogin.com/adatum.onmicrosoft.com/B2C_1_signin"}"#
    let text = Self.config("com.contoso.app://oauth/redirect", #""authorities": [\#(b2c)]"#)
    #expect(Self.findings([("a.json", text)]) == [])
  }

  @Test(arguments: [("com.contoso.app", 1), ("com.azuresamples.msalandroidapp", 0)])
  func reportsSampleTenantsForOtherApps(package: String, count: Int) {
    let url = "https://fabrikamb2c.b2clogin.com/tfp/fabrikamb2c.onmicrosoft.com/b2c_1_susi/"
    let text = Self.config(
      "msauth://\(package)/\(Self.hash)", #""authorities": [{"type": "B2C", "authority_url": "\#(url)"}]"#)
    #expect(Self.findings([("a.json", text)]) == Array(repeating: "android-sample-authority: \(url)", count: count))
  }

  @Test func acceptsQuotedValuesThatGsonConverts() {
    let text = Self.config("msal\(Self.id)://auth", #""broker_redirect_uri_registered": "false""#)
    #expect(Self.findings([("a.json", text)]) == [])
  }

  @Test func reportsMissingRequiredKeysAsNotes() {
    let text = #"{"authorities": [{"type": "AAD", "audience": {"type": "AzureADMyOrg", "tenant_id": "contoso.com"}}]}"#
    #expect(Self.findings([("a.json", text)]) == [])
  }

  // MARK: The manifest

  static func manifest(_ data: String, attributes: String = #"android:exported="true""#) -> String {
    """
    <manifest xmlns:android="http://schemas.android.com/apk/res/android">
      <application>
        <activity android:name="com.microsoft.identity.client.BrowserTabActivity" \(attributes)>
          <intent-filter>
            <action android:name="android.intent.action.VIEW" />
            <category android:name="android.intent.category.DEFAULT" />
            <category android:name="android.intent.category.BROWSABLE" />
            <data \(data) />
          </intent-filter>
        </activity>
      </application>
    </manifest>
    """
  }

  @Test(arguments: [
    #"android:scheme="msauth" android:host="${applicationId}" android:path="@string/redirect_path""#,
    #"android:scheme="msauth" android:host="com.contoso.app" android:path="/Qk9/SHFmcTFzT3BtT2FkT3JzYVk=""#,
    #"android:scheme="msauth" android:host="com.contoso.app""#, #"android:scheme="msal\#(id)" android:host="auth""#,
    #"android:scheme="msauth" android:host="com.contoso.app" android:path="/callback""#,
    #"android:scheme="msauth" android:host="com.contoso.app" android:path="/${hash}""#,
    #"android:scheme="msauth" android:host="com.contoso.app" android:path="/ab+/cd=""#,
  ])
  func acceptsValidManifests(data: String) {
    #expect(Self.findings([("AndroidManifest.xml", Self.manifest(data))]) == [])
  }

  @Test(arguments: [
    (
      #"android:scheme="msauth" android:host="a.b" android:path="Qk9/SHFmcTFzT3BtT2FkT3JzYVk=""#,
      "android-path-encoded: Qk9/SHFmcTFzT3BtT2FkT3JzYVk="
    ),
    (
      #"android:scheme="msauth" android:host="a.b" android:path="/YOUR_BASE64_SIGNATURE_HASH""#,
      "android-hash-placeholder: YOUR_BASE64_SIGNATURE_HASH"
    ),
    (
      #"android:scheme="msauth" android:host="Enter_the_Package_Name" android:path="/ab=""#,
      "android-redirect-placeholder: Enter_the_Package_Name"
    ),
    (
      #"android:scheme="msal[Enter the application Id here]" android:host="auth""#,
      "android-redirect-placeholder: msal[Enter the application Id here]"
    ),
    (
      #"android:scheme="msauth" android:host="a.b" android:path="/0000000000000000000000000000""#,
      "android-hash-dummy: 0000000000000000000000000000"
    ),
  ])
  func reportsInvalidManifests(data: String, finding: String) {
    #expect(Self.findings([("AndroidManifest.xml", Self.manifest(data))]) == [finding])
  }

  @Test(arguments: [
    #"android:scheme="msauth" android:host="com.contoso.app" android:path="/Qk9/SHFmcTFzT3BtT2FkT3JzYVk=""#,
    #"android:scheme="msauth" android:host="${applicationId}" android:path="/Qk9/SHFmcTFzT3BtT2FkT3JzYVk=""#,
    #"android:scheme="msauth" android:host="com.contoso.app""#,
    #"android:scheme="@string/scheme" android:host="com.contoso.app" android:path="/Qk9/SHFmcTFzT3BtT2FkT3JzYVk=""#,
    #"android:scheme="msauth" android:host="com.contoso.app" android:pathPrefix="/Q""#,
  ])
  func acceptsAMatchingFilter(data: String) {
    let files = [
      ("app/src/main/res/raw/auth_config.json", Self.config("msauth://com.contoso.app/\(Self.hash)")),
      ("app/src/main/AndroidManifest.xml", Self.manifest(data)),
    ]
    #expect(Self.findings(files) == [])
  }

  @Test func reportsARedirectURIWithoutAMatchingFilter() {
    let redirect = "msauth://com.contoso.app/\(Self.hash)"
    let other = Self.manifest(#"android:scheme="msauth" android:host="com.adatum.app""#)
    let adjacent = [
      ("app/src/main/res/raw/a.json", Self.config(redirect)), ("app/src/main/AndroidManifest.xml", other),
    ]
    #expect(Self.findings(adjacent) == ["android-redirect-unhandled: \"\(redirect)\""])
    // In a web view, MSAL receives the response directly.
    let webView = Self.config(redirect, #""authorization_user_agent": "WEBVIEW""#)
    #expect(Self.findings([("app/src/main/res/raw/a.json", webView), adjacent[1]]) == [])
    // If there is no filter for MSAL, it may be in another manifest.
    let bare = #"<manifest xmlns:android="http://schemas.android.com/apk/res/android"><application/></manifest>"#
    #expect(Self.findings([adjacent[0], ("app/src/main/AndroidManifest.xml", bare)]) == [])
  }

  @Test(arguments: [
    #"<manifest><project name="x"/></manifest>"#, #"<resources xmlns:android="http://schemas.android.com/x"/>"#, "<a/>",
    "<!-- <manifest -->",
  ])
  func ignoresOtherXMLFiles(text: String) {
    #expect(Self.findings([("AndroidManifest.xml", text), ("b.json", "{}")]).allSatisfy { !$0.hasPrefix("android-") })
  }

  @Test func ignoresActivitiesThatTheMergerRemoves() {
    let text = Self.manifest(
      #"android:scheme="msauth" android:host="a.b" android:path="%3D""#,
      attributes: #"xmlns:tools="http://schemas.android.com/tools" tools:node="remove""#)
    #expect(Self.findings([("AndroidManifest.xml", text)]) == [])
  }
}
