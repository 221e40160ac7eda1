import Testing

/// Tests that the rules distinguish misspelled keys from other keys in an Info.plist.
@Suite struct AppleMisspelledKeyTests {
  static let scheme = "msal6731de76-14a6-49ae-97bc-6eba6914391e"

  static func plist(_ types: String, _ schemes: String, _ scheme: String = scheme, _ more: String = "") -> String {
    #"{"CFBundleName": "Mail", "\#(types)": [{"CFBundleURLName": "a", "\#(schemes)": ["\#(scheme)"]}]\#(more)}"#
  }

  static func findings(_ text: String, notes: Bool = false) -> [String] {
    AppleRuleTests.findings(["Info.plist": text], notes: notes).filter { $0.hasPrefix("url-types-misspelled") }
      .map { String($0.trimmingPrefix("url-types-misspelled: ")) }
  }

  @Test(arguments: ["CFBundleURITypes", "CFBundleUrlTypes", "CFBundleURLType", "CFBundleURLTypess", "CFBundelURLTypes"])
  func reportsMisspelledURLTypes(key: String) {
    #expect(Self.findings(Self.plist(key, "CFBundleURLSchemes")) == [key])
    #expect(Self.findings(Self.plist(key, "CFBundleURLScheme")) == [key, "CFBundleURLScheme"])
  }

  @Test(arguments: [
    "CFBundleURISchemes", "CFBundleURLScheme", "CFBundleUrlSchemes", "CFBundleURLSchemas", "CFBundleSchemes",
  ])
  func reportsMisspelledURLSchemes(key: String) {
    #expect(Self.findings(Self.plist("CFBundleURLTypes", key)) == [key])
  }

  @Test(arguments: [
    "LSApplicationQueriesScheme", "LSApplicationQuerySchemes", "LSApplicationQueryScheme",
    "LSApplicationQueriesURLSchemes", "LSApplicationsQueriesSchemes", "LsApplicationQueriesSchemes",
  ]) func reportsMisspelledQuerySchemes(key: String) {
    let queries = #", "\#(key)": ["msauthv2", "msauthv3"]"#
    let text = Self.plist("CFBundleURLTypes", "CFBundleURLSchemes", "msauth.com.contoso.mail", queries)
    // The schemes must not be reported as missing too, because both fixes would add the list.
    #expect(AppleRuleTests.findings(text) == ["url-types-misspelled: \(key)"])
  }

  @Test func doesNotReportSchemesUnderAMisspelledKeyAsMissing() {
    let queries = #", "LSApplicationQueriesSchemes": ["msauthv2", "msauthv3"]"#
    let text = Self.plist("CFBundleURITypes", "CFBundleURLSchemes", "msauth.com.contoso.mail", queries)
    #expect(AppleRuleTests.findings(text) == ["url-types-misspelled: CFBundleURITypes"])
  }

  @Test(arguments: [
    "CFBundleURLTypes~ipad", "CFBundleURLTypes-iphoneos", "CFBundleDocumentTypes", "UTExportedTypeDeclarations",
    "CFBundleLocalizations",
  ]) func ignoresOtherKeys(key: String) {
    #expect(Self.findings(Self.plist(key, "CFBundleURLSchemes"), notes: true) == [])
  }

  @Test func ignoresAMisspelledKeyNextToTheCorrectKey() {
    let more = #", "CFBundleURITypes": [{"CFBundleURLSchemes": ["contoso"]}]"#
    #expect(Self.findings(Self.plist("CFBundleURLTypes", "CFBundleURLSchemes", Self.scheme, more), notes: true) == [])
  }

  @Test func reportsANoteForAppsWithoutMSAL() {
    let text = Self.plist("CFBundleURITypes", "CFBundleURLSchemes", "contoso")
    #expect(Self.findings(text) == [])
    #expect(Self.findings(text, notes: true) == ["CFBundleURITypes"])
  }

  /// Keys with similar names but different content.
  @Test(arguments: [
    #""CFBundleURLType": "a""#, #""CFBundleURLType": ["a"]"#, #""CFBundleURLType": {"a": "b"}"#,
    #""CFBundleURLSchemes": ["a"]"#,
  ])
  func ignoresSimilarKeysWithOtherContent(member: String) {
    #expect(Self.findings(#"{"CFBundleName": "Mail", \#(member)}"#, notes: true) == [])
  }
}
