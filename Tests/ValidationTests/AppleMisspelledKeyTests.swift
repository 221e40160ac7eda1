import Testing

/// Keys of an Info.plist that are nearly Apple's: what is told, and what is another key altogether.
@Suite struct AppleMisspelledKeyTests {
  static let scheme = "msal6731de76-14a6-49ae-97bc-6eba6914391e"

  static func plist(_ types: String, _ schemes: String, _ scheme: String = scheme, _ more: String = "") -> String {
    #"{"CFBundleName": "Mail", "\#(types)": [{"CFBundleURLName": "a", "\#(schemes)": ["\#(scheme)"]}]\#(more)}"#
  }

  static func found(_ text: String, notes: Bool = false) -> [String] {
    AppleRuleTests.findings(["Info.plist": text], notes: notes).filter { $0.hasPrefix("url-types-misspelled") }
      .map { String($0.trimmingPrefix("url-types-misspelled: ")) }
  }

  @Test(arguments: ["CFBundleURITypes", "CFBundleUrlTypes", "CFBundleURLType", "CFBundleURLTypess", "CFBundelURLTypes"])
  func theTypes(key: String) {
    #expect(Self.found(Self.plist(key, "CFBundleURLSchemes")) == [key])
    #expect(Self.found(Self.plist(key, "CFBundleURLScheme")) == [key, "CFBundleURLScheme"])
  }

  @Test(arguments: [
    "CFBundleURISchemes", "CFBundleURLScheme", "CFBundleUrlSchemes", "CFBundleURLSchemas", "CFBundleSchemes",
  ])
  func theSchemes(key: String) {
    #expect(Self.found(Self.plist("CFBundleURLTypes", key)) == [key])
  }

  @Test(arguments: [
    "LSApplicationQueriesScheme", "LSApplicationQuerySchemes", "LSApplicationQueryScheme",
    "LSApplicationQueriesURLSchemes", "LSApplicationsQueriesSchemes", "LsApplicationQueriesSchemes",
  ]) func theQuerySchemes(key: String) {
    let queries = #", "\#(key)": ["msauthv2", "msauthv3"]"#
    let text = Self.plist("CFBundleURLTypes", "CFBundleURLSchemes", "msauth.com.contoso.mail", queries)
    // They are not missing too: the fix of that would make the list twice.
    #expect(AppleRuleTests.findings(text) == ["url-types-misspelled: \(key)"])
  }

  @Test func theSchemeForTheAnswerIsNotMissingToo() {
    let queries = #", "LSApplicationQueriesSchemes": ["msauthv2", "msauthv3"]"#
    let text = Self.plist("CFBundleURITypes", "CFBundleURLSchemes", "msauth.com.contoso.mail", queries)
    #expect(AppleRuleTests.findings(text) == ["url-types-misspelled: CFBundleURITypes"])
  }

  @Test(arguments: [
    "CFBundleURLTypes~ipad", "CFBundleURLTypes-iphoneos", "CFBundleDocumentTypes", "UTExportedTypeDeclarations",
    "CFBundleLocalizations",
  ]) func anotherKey(key: String) {
    #expect(Self.found(Self.plist(key, "CFBundleURLSchemes"), notes: true) == [])
  }

  @Test func whereTheRightKeyStandsTooNothingIsLost() {
    let more = #", "CFBundleURITypes": [{"CFBundleURLSchemes": ["contoso"]}]"#
    #expect(Self.found(Self.plist("CFBundleURLTypes", "CFBundleURLSchemes", Self.scheme, more), notes: true) == [])
  }

  @Test func otherAppsAreToldInANote() {
    let text = Self.plist("CFBundleURITypes", "CFBundleURLSchemes", "contoso")
    #expect(Self.found(text) == [])
    #expect(Self.found(text, notes: true) == ["CFBundleURITypes"])
  }

  /// What merely sounds alike and holds something else.
  @Test(arguments: [
    #""CFBundleURLType": "a""#, #""CFBundleURLType": ["a"]"#, #""CFBundleURLType": {"a": "b"}"#,
    #""CFBundleURLSchemes": ["a"]"#,
  ])
  func whatHoldsSomethingElse(member: String) {
    #expect(Self.found(#"{"CFBundleName": "Mail", \#(member)}"#, notes: true) == [])
  }
}
