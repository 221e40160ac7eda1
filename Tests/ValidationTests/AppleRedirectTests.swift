import Diagnostics
import Documents
import Testing
import Validation

/// How much an Info.plist is asked for, by what the app's redirect is as far as its files show.
@Suite struct AppleRedirectTests {
  static let client = "msal\(AppleRuleTests.id)"
  static let mac = #""NSPrincipalClass": "NSApplication""#
  static let phone = #""LSRequiresIPhoneOS": true"#

  /// Each finding as `error rule: text`.
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

  /// MSAL demands the broker's schemes only where its redirect is one that a broker answers to.
  @Test(arguments: [
    (["msauth.com.contoso.mail"], "error"), (["msauth.$(PRODUCT_BUNDLE_IDENTIFIER)"], "error"),
    ([client, "msauth.com.contoso.mail"], "error"), (["msauth.$(OTHER)"], "warning"),
  ]) func theSchemesOfTheBroker(schemes: [String], severity: String) {
    let own = schemes.last ?? ""
    #expect(Self.app(schemes, Self.mail) == ["\(severity) query-schemes-missing: \(own)"])
  }

  @Test func withoutABundleIDTheDemandIsLikely() {
    #expect(
      Self.app(["msauth.com.contoso.mail"], Self.phone) == ["warning query-schemes-missing: msauth.com.contoso.mail"])
  }

  /// MSAL falls back on `msal<client id>`, so neither the stale scheme nor the missing ones keep it from starting.
  @Test func aStaleSchemeBesideTheFallback() {
    #expect(
      Self.app([Self.client, "msauth.com.other"], Self.mail)
        == ["warning query-schemes-missing: msauth.com.other", "warning url-scheme-bundle-mismatch: msauth.com.other"])
    #expect(
      Self.app(["msauth.com.other"], queries: AppleRuleTests.both, Self.mail)
        == ["error url-scheme-bundle-mismatch: msauth.com.other"])
  }

  @Test(arguments: [
    #""BypassRedirectURIValidation": true"#, #""RedirectUri": "\#(client)://auth""#,
    #""RedirectUri": "contoso://auth", "Authority": "https://login.microsoftonline.com/consumers""#,
  ]) func settingsWithAnotherRedirectNeedNoBroker(settings: String) {
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
  ]) func settingsWithTheBrokersRedirectNeedItsSchemes(settings: String) {
    #expect(
      Self.app(["msauth.com.contoso.mail", "contoso"], settings: settings, Self.mail)
        == ["error query-schemes-missing: msauth.com.contoso.mail"])
  }

  /// On a Mac no scheme is looked for.
  @Test func aMacsSchemesAreNeverLookedFor() {
    #expect(Self.app(["msauth.com.other"], Self.mail, Self.mac) == [])
    #expect(Self.app(["msauth.com.other"], queries: AppleRuleTests.both, Self.mail, Self.phone).count == 1)
    let placeholder = "msauth.YOUR_BUNDLE_ID"
    let both = AppleRuleTests.both
    #expect(Self.app([placeholder], queries: both, Self.mac) == ["warning url-scheme-placeholder: \(placeholder)"])
    #expect(Self.app([placeholder], queries: both, Self.phone) == ["error url-scheme-placeholder: \(placeholder)"])
  }

  /// What was typed twice in place of what is missing is one mistake; `msauth` twice is one of its own.
  @Test func aRepeatedSchemeForAMissingOneIsToldOnce() {
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

  /// A browser registers both, and has to.
  @Test func theWebsSchemesAreTheBrowsers() {
    #expect(Self.app([Self.client, "https"]) == ["warning url-scheme-generic: https"])
    #expect(Self.app([Self.client, "HTTP"]) == ["warning url-scheme-generic: HTTP"])
    #expect(Self.app([Self.client, "http", "https"]) == [])
    #expect(Self.app(["https"]) == [])
  }

  @Test func aPlaceholderIsToldWithTheWholeScheme() {
    let text = AppleRuleTests.plist(["msal<client>"])
    let validator = ProjectValidator { _, _ in ReadResult(document: nil, diagnostics: []) }
    let report = validator.validate([NamedFile(name: "Info.plist", bytes: Array(text.utf8))])
    #expect(report.diagnostics.map(\.message) == ["the scheme msal<client> is still a placeholder"])
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

  /// MSAL has one group on iOS and another on macOS; Mac Catalyst is iOS with a Mac's keys.
  @Test func theGroupIsTheSystemsOwn() {
    let found = ["warning keychain-group-missing: keychain-access-groups"]
    #expect(Self.groups([Self.shared.mac], nil, Self.phone) == found)
    #expect(Self.groups([Self.shared.phone], nil, Self.phone) == [])
    #expect(Self.groups([Self.shared.mac, Self.shared.phone], nil, Self.phone) == [])
    #expect(Self.groups([Self.shared.mac], nil, #""CFBundleVersion": "1""#) == [])
    #expect(Self.groups([Self.shared.mac], Self.sandbox, Self.phone) == [])
    #expect(Self.groups([Self.shared.phone], Self.sandbox, Self.mac) == found)
    #expect(Self.groups([Self.shared.phone], Self.sandbox, Self.phone) == [])
    #expect(Self.groups([Self.shared.mac], Self.sandbox, Self.mac) == [])
    #expect(Self.groups([Self.shared.phone], nil, Self.mac) == [])
  }

  @Test func anEmptyListOfGroupsHoldsNone() {
    #expect(Self.groups([], nil, Self.phone) == ["warning keychain-group-missing: keychain-access-groups"])
    let other = ["a/Mail.entitlements": AppleRuleTests.entitlements([]), "a/Info.plist": AppleRuleTests.plist(["x-a"])]
    #expect(Self.findings(other) == [])
    #expect(Self.findings(["a/Mail.entitlements": AppleRuleTests.entitlements([])]) == [])
  }

  /// Of what kind a broken file is, only its name can tell.
  @Test(arguments: [
    ("a/Info.plist", true), ("a/Mail-Info.plist", true), ("a/Mail.entitlements", true),
    ("a/iOS/Entitlements.plist", true), ("a/Localizable.plist", false), ("a/Information.plist", false),
  ]) func aBrokenFileInAFolderIsToldByItsName(name: String, isTold: Bool) {
    let text = #"<plist version="1.0"><dict><key>Subject</key><string>Mail</dict></plist>"#
    #expect(Self.findings([name: text]).contains { $0.hasPrefix("error plist-syntax") } == isTold)
  }
}
