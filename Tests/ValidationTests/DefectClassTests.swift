import Diagnostics
import Documents
import Testing
import Validation

/// Tests classes of defects that occur in real files. Each class includes similar, valid files.
@Suite("Defect classes") struct DefectClassTests {
  static let id = "6731de76-14a6-49ae-97bc-6eba6914391e"

  /// Returns all findings in the files of one folder as `severity rule: text`.
  static func findings(_ files: [(name: String, text: String)]) -> [String] {
    let texts = Dictionary(files.map { ($0.name, $0.text) }) { first, _ in first }
    let validator = ProjectValidator { path, options in
      DocumentReader.read(Array((texts[path] ?? "").utf8), named: path, options: options)
    }
    let report = validator.validate(files.map { NamedFile(name: $0.name, bytes: Array($0.text.utf8), root: "") })
    return report.diagnostics.map { diagnostic in
      let text = diagnostic.place.source.text(in: diagnostic.place.span ?? .at(0))
      return "\(diagnostic.severity) \(diagnostic.rule): \(text)"
    }
  }

  static func plist(_ entries: String) -> String {
    "<plist version=\"1.0\"><dict><key>LSRequiresIPhoneOS</key><true/>\(entries)</dict></plist>"
  }

  static func schemes(_ schemes: String...) -> String {
    let list = schemes.map { "<string>\($0)</string>" }.joined()
    return "<key>CFBundleURLTypes</key><array><dict><key>CFBundleURLSchemes</key><array>\(list)</array></dict></array>"
  }

  // MARK: Keys of Android configurations

  @Test(
    "warns about keys that MSAL for Android ignores",
    arguments: [
      (#""use_browser": true"#, "warning"), (#""broker_enabled": true"#, "warning"),
      (#""browser_safe_list_enabled": true"#, "warning"), (#""redirect_scheme": "x""#, "warning"),
      (#""tenant_id": "contoso.com""#, "warning"), (#""pii_enabled": true"#, "warning"),
      (#""logging": {"enable_pii": true}"#, "warning"), (#""scopes": []"#, "note"), (#""theme": 1"#, "note"),
    ])
  func reportsIgnoredKeys(member: String, severity: String) {
    let findings = Self.findings([("a.json", AndroidRuleTests.config(Self.redirect, member))])
    #expect(findings.count == 1)
    #expect(findings.first?.hasPrefix("\(severity) android-key-unknown: ") == true, "\(findings)")
  }

  private static let redirect = "msauth://com.contoso.app/\(AndroidRuleTests.hash)"

  @Test(
    "accepts comments and keys that MSAL for Android reads",
    arguments: [
      #""_comment": "x""#, #""//": "x""#, #""$schema": "x""#, #""http": {"read_timeout": 1}"#,
      #""logging": {"pii_enabled": false, "logcat_enabled": true}"#, #""handle_null_taskaffinity": true"#,
      #""shared_device_mode_supported": true"#, #""challenge_types": []"#,
    ])
  func acceptsKnownKeys(member: String) {
    #expect(Self.findings([("a.json", AndroidRuleTests.config(Self.redirect, member))]) == [])
  }

  @Test("warns about a key at the wrong level")
  func misplacedKey() {
    let entry = #"{"type": "AAD", "redirect_uri": "x", "audience": {"type": "AzureADMultipleOrgs", "default": true}}"#
    let findings = Self.findings([("a.json", AndroidRuleTests.authorities(entry))])
    #expect(
      findings == [#"warning android-key-unknown: "redirect_uri""#, #"warning android-key-unknown: "default""#])
  }

  @Test("suggests the intended key")
  func suggestion() {
    let text = AndroidRuleTests.config(Self.redirect, #""broker_enabled": true"#)
    let validator = ProjectValidator { path, options in
      DocumentReader.read([], named: path, options: options)
    }
    let findings = validator.validate([NamedFile(name: "a.json", bytes: Array(text.utf8))]).diagnostics
    #expect(findings.map(\.help) == ["did you mean `broker_redirect_uri_registered`?"])
  }

  @Test("reports a configuration without a client ID or redirect URI only once")
  func incomplete() {
    let findings = Self.findings([
      ("a.json", #"{"authorities": [{"type": "AAD", "audience": {"type": "PersonalMicrosoftAccount"}}]}"#)
    ])
    #expect(findings.filter { $0.contains("android-config-incomplete") }.count == 1)
  }

  @Test(
    "rejects the redirect URI of an iOS app in an Android configuration",
    arguments: [("true", "error"), ("false", "warning")])
  func appleRedirect(flag: String, severity: String) {
    let text = AndroidRuleTests.config("msauth.com.contoso.app://auth", #""broker_redirect_uri_registered": \#(flag)"#)
    #expect(
      Self.findings([("a.json", text)]) == ["\(severity) android-redirect-malformed: msauth.com.contoso.app://auth"])
  }

  @Test(
    "rejects the redirect scheme of an iOS app as the only scheme of an Android manifest",
    arguments: ["com.microsoft.identity.client.BrowserTabActivity", ".AuthActivity"])
  func appleSchemeInManifest(activity: String) {
    let apple = #"android:scheme="msauth.com.contoso.app" android:host="auth""#
    #expect(
      Self.findings([("AndroidManifest.xml", Self.manifest(activity, apple))])
        == ["warning android-redirect-malformed: msauth.com.contoso.app"])
    let good = [
      #"android:scheme="msal6731de76-14a6-49ae-97bc-6eba6914391e" android:host="auth""#,
      #"android:scheme="msauth.com.contoso.app" android:host="callback""#,
      #"android:scheme="msauth.${applicationId}" android:host="auth""#,
    ]
    for data in good { #expect(Self.findings([("AndroidManifest.xml", Self.manifest(activity, data))]) == []) }
  }

  private static func manifest(_ activity: String, _ data: String) -> String {
    """
    <manifest xmlns:android="http://schemas.android.com/apk/res/android">
      <application>
        <activity android:name="\(activity)" android:exported="true">
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

  // MARK: URLs

  static let doubled = [
    "https://contoso.b2clogin.com.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_a",
    "https://contoso.b2clogin.com/contoso.b2clogin.com/B2C_1_a",
    "https://contoso.b2clogin.com/tfp/contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_a",
    "https://contoso.onmicrosoft.com.b2clogin.com/contoso.onmicrosoft.com/B2C_1_a",
    "https://contoso.b2clogin.com/contoso.onmicrosoft.com.onmicrosoft.com/B2C_1_a",
  ]

  @Test("rejects a repeated host or domain", arguments: doubled)
  func doubledHost(url: String) {
    let entry = #"{"type": "B2C", "authority_url": "\#(url)"}"#
    #expect(
      Self.findings([("a.json", AndroidRuleTests.authorities(entry))]) == ["error android-authority-url: \(url)"])
    let settings = Self.findings([("s.yaml", "AppId: \(Self.id)\nGraphScopes: [User.Read]\nAuthority: \(url)\n")])
    #expect(settings == ["error authority-malformed: \(url)"])
    let js = #"{"auth": {"clientId": "\#(Self.id)", "authority": "\#(url)"}}"#
    #expect(Self.findings([("m.json", js)]) == ["error msal-js-authority: \(url)"])
  }

  @Test("rejects a repeated host in `Instance`")
  func doubledInstance() {
    let text = """
      {"AzureAdB2C": {"Instance": "https://contoso.b2clogin.com.b2clogin.com/", "Domain": "contoso.onmicrosoft.com",
       "ClientId": "\(Self.id)", "SignUpSignInPolicyId": "B2C_1_a"}}
      """
    #expect(
      Self.findings([("appsettings.json", text)])
        == ["error azure-ad-instance: https://contoso.b2clogin.com.b2clogin.com/"])
  }

  @Test("reports an outdated host in Intune settings")
  func aliasHost() {
    let settings = """
      <key>IntuneMAMSettings</key><dict><key>ADALAuthority</key><string>https://login.windows.net/common</string>\
      <key>ADALClientId</key><string>\(Self.id)</string></dict>
      """
    #expect(
      Self.findings([("Info.plist", Self.plist(settings))])
        == ["note authority-alias-host: <string>https://login.windows.net/common</string>"])
  }

  // MARK: Placeholders

  @Test(
    "warns about a placeholder under an unknown key",
    arguments: [
      ("Backend", "YOUR_CLIENT_ID_HERE"), ("ClientSecret", "Enter_the_Client_Secret_Here"),
      ("ClientSecret", "Enter the secret here"), ("Backend", "<your API scope>"),
    ])
  func placeholder(key: String, value: String) {
    let findings = Self.findings([("s.yaml", "AppId: \(Self.id)\nGraphScopes: [User.Read]\n\(key): \(value)\n")])
    #expect(findings == ["warning value-placeholder: \(value)"])
  }

  @Test(
    "accepts user interface text and templates under unknown keys",
    arguments: ["Enter your name here", "Loading...", "/users/{id}/photo", "com.yourcompany.app", "your-choice"])
  func text(value: String) {
    let text = "AppId: \(Self.id)\nGraphScopes: [User.Read]\nSomething: \"\(value)\"\n"
    #expect(Self.findings([("s.yaml", text)]) == [])
  }

  @Test("reports a placeholder only once if another rule checks its key")
  func placeholderOnce() {
    let findings = Self.findings([("s.yaml", "AppId: YOUR_CLIENT_ID_HERE\nGraphScopes: [User.Read]\n")])
    #expect(findings == ["error app-id-placeholder: YOUR_CLIENT_ID_HERE"])
  }

  @Test(
    "shows the complete placeholder if it contains a URL, and omits the colon of a scheme",
    arguments: [
      ("Enter the client ID from https://portal.azure.com", "Enter the client ID from https://portal.azure.com"),
      ("YOUR_SCHEME_HERE://auth", "YOUR_SCHEME_HERE"),
    ])
  func showsPlaceholder(value: String, displayed: String) {
    let validator = ProjectValidator { path, options in DocumentReader.read([], named: path, options: options) }
    let text = "AppId: \"\(value)\"\nGraphScopes: [User.Read]\n"
    let findings = validator.validate([NamedFile(name: "s.yaml", bytes: Array(text.utf8))]).diagnostics
    #expect(findings.map(\.rule) == ["app-id-placeholder"])
    #expect(findings.first?.message.contains(displayed) == true)
    #expect(value == displayed || findings.first?.message.contains("\(displayed):") == false)
  }

  // MARK: Info.plist and entitlements

  @Test("rejects a scheme that consists of `msal` and the bundle ID if it is the only scheme")
  func bundleIDAfterMSAL() {
    let reference = "msal$(PRODUCT_BUNDLE_IDENTIFIER)"
    #expect(
      Self.findings([("Info.plist", Self.plist(Self.schemes(reference)))])
        == ["error url-scheme-client-id: <string>\(reference)</string>"])
    #expect(
      Self.findings([("Info.plist", Self.plist(Self.schemes(reference, "msal\(Self.id)")))])
        == ["warning url-scheme-client-id: <string>\(reference)</string>"])
    #expect(Self.findings([("Info.plist", Self.plist(Self.schemes("msal$(CLIENT_ID)")))]) == [])
  }

  @Test("reports a note for a bundle ID that cannot be compared because it has no value")
  func notCompared() {
    let bundleID = "<key>CFBundleIdentifier</key><string>$(PRODUCT_BUNDLE_IDENTIFIER)</string>"
    let queries = """
      <key>LSApplicationQueriesSchemes</key><array><string>msauthv2</string><string>msauthv3</string></array>
      """
    let text = Self.plist(bundleID + Self.schemes("msauth.com.contoso.app") + queries)
    #expect(
      Self.findings([("Info.plist", text)])
        == ["note url-scheme-bundle-mismatch: <string>msauth.com.contoso.app</string>"])
    let validator = ProjectValidator(definitions: ["PRODUCT_BUNDLE_IDENTIFIER": "com.contoso.app"]) { path, options in
      DocumentReader.read([], named: path, options: options)
    }
    #expect(validator.validate([NamedFile(name: "Info.plist", bytes: Array(text.utf8))]).diagnostics.isEmpty)
  }

  @Test("warns about entitlements without keychain groups only if the iOS app signs in with MSAL")
  func absentGroups() {
    let entitlements = """
      <plist version="1.0"><dict><key>aps-environment</key><string>development</string></dict></plist>
      """
    let files = [("ios/App.entitlements", entitlements)]
    let signsIn = [("ios/Info.plist", Self.plist(Self.schemes("msal\(Self.id)")))]
    #expect(Self.findings(files + signsIn).map { $0.prefix { $0 != ":" } } == ["warning keychain-group-absent"])
    #expect(Self.findings(files + [("ios/Info.plist", Self.plist(Self.schemes("contoso")))]) == [])
    #expect(Self.findings(files) == [])
  }

  // MARK: Tutorial settings

  static func settings(_ key: String, _ scopes: String) -> String {
    "<plist version=\"1.0\"><dict><key>\(key)</key><string>\(id)</string><key>GraphScopes</key>\(scopes)</dict></plist>"
  }

  @Test("rejects settings that the tutorial app cannot find")
  func tutorial() {
    let list = "<array><string>User.Read</string></array>"
    func errors(_ name: String, _ text: String) -> [String] {
      Self.findings([(name, text)]).filter { $0.hasPrefix("error") }
    }
    #expect(errors("Settings.plist", Self.settings("AppID", list)) == ["error tutorial-settings: <key>AppID</key>"])
    #expect(
      errors("AuthSettings.plist", Self.settings("AppId", "<string>User.Read</string>"))
        == ["error tutorial-settings: <string>User.Read</string>"])
    #expect(errors("AuthSettings.plist", Self.settings("AppId", list)) == [])
    #expect(errors("AuthSettings.yaml", "AppID: \(Self.id)\nGraphScopes: User.Read\n") == [])
  }
}
