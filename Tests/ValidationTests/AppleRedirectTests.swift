import Diagnostics
import Documents
import Testing
import Validation

/// Tests that an Info.plist contains the entries that the app's redirect URI requires.
@Suite struct AppleRedirectTests {
  static let client = "msal\(AppleRuleTests.id)"
  static let mac = #""NSPrincipalClass": "NSApplication""#
  static let phone = #""LSRequiresIPhoneOS": true"#

  /// Returns each finding as `error rule: text`.
  static func findings(_ files: [String: String], _ definitions: [String: String] = [:]) -> [String] {
    let validator = ProjectValidator(definitions: definitions) { _, _ in ReadResult(document: nil, diagnostics: []) }
    let named = files.sorted { $0.key < $1.key }.map {
      NamedFile(name: $0.key, bytes: Array($0.value.utf8), root: "a")
    }
    return validator.validate(named).diagnostics.filter { $0.severity != .note }.map { diagnostic in
      let text = diagnostic.place.span.map(diagnostic.place.source.text) ?? ""
      return "\(diagnostic.severity) \(diagnostic.rule): \(text.trimmingPrefix("\"").prefix { $0 != "\"" })"
    }
  }

  static func app(_ schemes: [String], queries: [String]? = nil, settings: String? = nil, _ more: String...) -> [String]
  {
    let plist = AppleRuleTests.plist(schemes, queries: queries, more.joined(separator: ", "))
    var files = ["a/Info.plist": plist]
    if let settings { files["a/AuthSettings.json"] = #"{"AppId": "\#(AppleRuleTests.id)", \#(settings)}"# }
    return findings(files).filter { $0.contains("quer") || $0.contains("url-") }
  }

  static let mail = #""CFBundleIdentifier": "com.contoso.mail""#

  /// MSAL requires the broker schemes only if the redirect URI supports brokers.
  @Test(arguments: [
    (["msauth.com.contoso.mail"], "error"), (["msauth.$(PRODUCT_BUNDLE_IDENTIFIER)"], "error"),
    ([client, "msauth.com.contoso.mail"], "error"), (["msauth.$(OTHER)"], "warning"),
  ]) func requiresBrokerSchemesForBrokerRedirects(schemes: [String], severity: String) {
    let own = schemes.last ?? ""
    #expect(Self.app(schemes, Self.mail) == ["\(severity) query-schemes-missing: \(own)"])
  }

  @Test func warnsIfTheBundleIDIsUnknown() {
    #expect(
      Self.app(["msauth.com.contoso.mail"], Self.phone) == ["warning query-schemes-missing: msauth.com.contoso.mail"])
  }

  /// MSAL falls back to `msal<client id>`, so sign-in works despite the outdated and missing schemes.
  @Test func warnsAboutAStaleSchemeNextToTheFallback() {
    #expect(
      Self.app([Self.client, "msauth.com.other"], Self.mail)
        == ["warning url-scheme-bundle-mismatch: msauth.com.other", "warning query-schemes-missing: msauth.com.other"])
    #expect(
      Self.app(["msauth.com.other"], queries: AppleRuleTests.both, Self.mail)
        == ["error url-scheme-bundle-mismatch: msauth.com.other"])
  }

  @Test(arguments: [
    #""BypassRedirectURIValidation": true"#, #""RedirectUri": "\#(client)://auth""#,
    #""RedirectUri": "contoso://auth", "Authority": "https://login.microsoftonline.com/consumers""#,
  ]) func doesNotRequireBrokerSchemesForOtherRedirects(settings: String) {
    let schemes = ["msauth.com.contoso.mail", "contoso", Self.client]
    #expect(Self.app(schemes, settings: settings, Self.mail) == [])
    #expect(
      Self.app(schemes, queries: ["msauthv2"], settings: settings, Self.mail)
        == ["warning query-schemes-missing: LSApplicationQueriesSchemes"])
    let other = Self.app(["msauth.com.other", "contoso"], queries: AppleRuleTests.both, settings: settings, Self.mail)
    #expect(other == ["warning url-scheme-bundle-mismatch: msauth.com.other"])
  }

  @Test(arguments: [
    #""TenantId": "contoso.com""#, #""RedirectUri": "msauth.com.contoso.mail://auth""#,
    #""RedirectScheme": "msauth.com.contoso.mail""#, #""RedirectUri": "contoso://com.contoso.mail""#,
    #""RedirectUri": "contoso://auth", "Platform": "macOS""#,
  ]) func requiresBrokerSchemesForBrokerRedirectsInSettings(settings: String) {
    #expect(
      Self.app(["msauth.com.contoso.mail", "contoso"], settings: settings, Self.mail)
        == ["error query-schemes-missing: msauth.com.contoso.mail"])
  }

  /// On macOS, MSAL does not check schemes.
  @Test func doesNotRequireBrokerSchemesOnMacOS() {
    #expect(Self.app(["msauth.com.other"], Self.mail, Self.mac) == [])
    #expect(Self.app(["msauth.com.other"], queries: AppleRuleTests.both, Self.mail, Self.phone).count == 1)
    let placeholder = "msauth.YOUR_BUNDLE_ID"
    let both = AppleRuleTests.both
    #expect(Self.app([placeholder], queries: both, Self.mac) == ["warning url-scheme-placeholder: \(placeholder)"])
    #expect(Self.app([placeholder], queries: both, Self.phone) == ["error url-scheme-placeholder: \(placeholder)"])
  }

  /// If one scheme is listed twice and another is missing, this is a single defect. A duplicate `msauth` is a separate
  /// defect.
  @Test func reportsADuplicateInsteadOfAMissingSchemeOnlyOnce() {
    func rules(_ schemes: [String], _ queries: [String]) -> [String] {
      Self.app(schemes, queries: queries, Self.mail).map { String($0.prefix { $0 != ":" }) }
    }
    let own = ["msauth.com.contoso.mail"]
    #expect(rules(own, ["msauthv2", "msauthv2"]) == ["error query-schemes-missing"])
    #expect(
      rules(own, ["msauthv2", "msauth", "msauth"]) == [
        "error query-schemes-missing", "warning query-schemes-duplicate",
      ])
    #expect(rules(own, ["msauthv2", "msauthv3", "msauthv2"]) == ["warning query-schemes-duplicate"])
    #expect(rules(["contoso"], ["msauthv2", "msauthv2"]) == ["warning query-schemes-duplicate"])
  }

  /// A browser app must register both `http` and `https`.
  @Test func acceptsWebSchemesInABrowserApp() {
    #expect(Self.app([Self.client, "https"]) == ["warning url-scheme-generic: https"])
    #expect(Self.app([Self.client, "HTTP"]) == ["warning url-scheme-generic: HTTP"])
    #expect(Self.app([Self.client, "http", "https"]) == [])
    #expect(Self.app(["https"]) == [])
  }

  @Test func reportsThePlaceholderWithItsScheme() {
    let text = AppleRuleTests.plist(["msal<client>"])
    let validator = ProjectValidator { _, _ in ReadResult(document: nil, diagnostics: []) }
    let report = validator.validate([NamedFile(name: "Info.plist", bytes: Array(text.utf8))])
    #expect(report.diagnostics.map(\.message) == ["scheme contains a placeholder: `msal<client>`"])
  }

  static let shared = (
    phone: "$(AppIdentifierPrefix)com.microsoft.adalcache",
    mac: "$(AppIdentifierPrefix)com.microsoft.identity.universalstorage"
  )
  static let sandbox = #""com.apple.security.app-sandbox": true, "com.apple.security.network.client": true"#

  static func groups(_ groups: [String], _ more: String?, _ plist: String) -> [String] {
    let entitlements =
      more.map { AppleRuleTests.entitlements(groups, $0) } ?? AppleRuleTests.entitlements(groups)
    return findings(["a/Mail.entitlements": entitlements, "a/Info.plist": AppleRuleTests.plist([client], plist)])
  }

  /// MSAL uses different groups on iOS and macOS. Mac Catalyst uses the iOS group with macOS entitlements.
  @Test func requiresTheKeychainGroupForThePlatform() {
    let findings = ["warning keychain-group-missing: keychain-access-groups"]
    #expect(Self.groups([Self.shared.mac], nil, Self.phone) == findings)
    #expect(Self.groups([Self.shared.phone], nil, Self.phone) == [])
    #expect(Self.groups([Self.shared.mac, Self.shared.phone], nil, Self.phone) == [])
    #expect(Self.groups([Self.shared.mac], nil, #""CFBundleVersion": "1""#) == [])
    #expect(Self.groups([Self.shared.mac], Self.sandbox, Self.phone) == [])
    #expect(Self.groups([Self.shared.phone], Self.sandbox, Self.mac) == findings)
    #expect(Self.groups([Self.shared.phone], Self.sandbox, Self.phone) == [])
    #expect(Self.groups([Self.shared.mac], Self.sandbox, Self.mac) == [])
    #expect(Self.groups([Self.shared.phone], nil, Self.mac) == [])
  }

  @Test func reportsAnEmptyKeychainGroupList() {
    #expect(Self.groups([], nil, Self.phone) == ["warning keychain-group-missing: keychain-access-groups"])
    let other = ["a/Mail.entitlements": AppleRuleTests.entitlements([]), "a/Info.plist": AppleRuleTests.plist(["x-a"])]
    #expect(Self.findings(other) == [])
    #expect(Self.findings(["a/Mail.entitlements": AppleRuleTests.entitlements([])]) == [])
  }

  /// The type of a malformed file is recognizable only by the file name.
  @Test(arguments: [
    ("a/Info.plist", true), ("a/Mail-Info.plist", true), ("a/Mail.entitlements", true),
    ("a/iOS/Entitlements.plist", true), ("a/Localizable.plist", false), ("a/Information.plist", false),
  ]) func reportsMalformedFilesByTheirNames(name: String, isReported: Bool) {
    let text = #"<plist version="1.0"><dict><key>Subject</key><string>Mail</dict></plist>"#
    #expect(Self.findings([name: text]).contains { $0.hasPrefix("error plist-syntax") } == isReported)
  }
}
