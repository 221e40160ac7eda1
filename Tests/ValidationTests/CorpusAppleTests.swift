import Diagnostics
import Documents
import Foundation
import TestSupport
import Testing
import Validation

/// Info.plists and entitlements of public projects: each mistake is found at its place, and nothing else is said.
@Suite struct CorpusAppleTests {
  /// What each file is wrong in: the rule, and the text that its finding points at.
  static let problems: [(file: String, findings: [(rule: String, text: String)])] = [
    (
      "infoplist/RyuseiHanado__MSConnector__MSALiOS__Info.plist",
      [("url-scheme-bundle-mismatch", "<string>msauth.com.microsoft.identitysample.MSALiOS</string>")]
    ),
    (
      "infoplist/mw8er__active-directory-ios-swift-native-v2__MSALiOS__Info.plist",
      [("query-schemes-missing", "<key>LSApplicationQueriesSchemes</key>")]
    ),
    (
      "infoplist/ChismanRaheem__Intune-RegisterandEnrollAccount__MSALiOS__Info.plist",
      [
        ("intune-placeholder", "<string>&lt;Clientid&gt;</string>"),
        ("url-scheme-empty", "<string></string>"),
      ]
    ),
    (
      "infoplist/jthake__OneDrive-iOS-Swift-LargeFileUploader__MSALiOS__Info.plist",
      [("url-scheme-generic", "<string>auth</string>")]
    ),
    (
      "infoplist/microsoftgraph__msgraph-training-ios-objectivec__Demos__03-add-aad-auth__NativeO365CalendarEvents__Info@30f7f263.plist",
      [
        ("url-scheme-placeholder", "<string>msalENTER_YOUR_CLIENT_ID</string>"),
        ("url-scheme-generic", "<string>auth</string>"),
      ]
    ),
    (
      "infoplist/Azure-Samples__active-directory-ios-swift-native-v2__MSALiOS__Info@5912ff8c.plist",
      [("url-scheme-generic", "<string>auth</string>")]
    ),
    (
      "infoplist/Azure-Samples__active-directory-xamarin-native-v2__1-Basic__UserDetailsClient__UserDetailsClient.iOS__Info@728beb94.plist",
      [("url-scheme-placeholder", "<string>msal[ClientID]</string>")]
    ),
    (
      "infoplist/Azure-Samples__active-directory-xamarin-native-v2__UserDetailsClient__UserDetailsClient.iOS__Info@7a9f6608.plist",
      [
        (
          "url-scheme-placeholder",
          "<string>msal[Enter client ID as obtained from apps.dev.microsoft.com, e.g. a7d8cef0-4145-49b2-a91d-95c54051fa3f]</string>"
        )
      ]
    ),
    (
      "infoplist/Azure-Samples__active-directory-xamarin-native-v2__UserDetailsClient__UserDetailsClient.iOS__Info@28e15006.plist",
      [("url-scheme-client-id", "<string>msal7d8cef0-4145-49b2-a91d-95c54051fa3f</string>")]
    ),
    (
      "infoplist/Azure-Samples__active-directory-xamarin-native-v2__UserDetailsClient__UserDetailsClient.iOS__Info@3897ec02.plist",
      [("url-scheme-client-id", "<string>msala62d5f0e4-6a6f-4786-847c-f86cbea1654a</string>")]
    ),
    (
      "infoplist/Azure-Samples__active-directory-xamarin-native-v2__3-With-Intune MAM__IntuneClient__active-directory-xamarin-intune.iOS__Info.plist",
      [("intune-placeholder", "<string>TODO - Your Client Id</string>")]
    ),
    (
      "infoplist/Azure-Samples__active-directory-xamarin-native-v2__3-With-Intune MAM__IntuneClient__active-directory-xamarin-intune.iOS__Info@06c98947.plist",
      [
        ("intune-placeholder", "<string>https://login.microsoftonline.com/TODO -tenantId</string>"),
        ("intune-placeholder", "<string>TODO - Your Client Id</string>"),
      ]
    ),
    (
      "infoplist/Azure-Samples__active-directory-xamarin-native-v2__3-With-Intune MAM__IntuneClient__active-directory-xamarin-intune.iOS__Info@7d6c5255.plist",
      [
        ("intune-placeholder", "<string>TODO - Your Client Id</string>"),
        ("url-scheme-not-registered", "<string>msauth.com.yourcompany.XamarinIntuneApp://auth</string>"),
      ]
    ),
    (
      "infoplist/Azure-Samples__active-directory-xamarin-native-v2__XamarinBroker__UserDetailsClientBroker__UserDetailsClientBroker.iOS__Info@690a191b.plist",
      [("url-scheme-not-registered", "<string>msauthv2</string>")]
    ),
    (
      "infoplist/AzureAD__microsoft-authentication-library-for-dotnet__tests__devapps__XForms__XForms.iOS__Info@f83d2fa9.plist",
      [
        ("url-scheme-bundle-mismatch", "<string>msauth.com.yourcompany.xforms</string>"),
        ("query-schemes-missing", "<key>LSApplicationQueriesSchemes</key>"),
      ]
    ),
    (
      "infoplist/AzureAD__microsoft-authentication-library-for-dotnet__tests__devapps__XForms__XForms.iOS__Info@90efe966.plist",
      [("query-schemes-missing", "<key>LSApplicationQueriesSchemes</key>")]
    ),
    (
      "infoplist/AzureAD__microsoft-authentication-library-for-dotnet__tests__devapps__XamarinDev__XamarinDev.iOS__Info@74b12627.plist",
      [
        ("url-scheme-bundle-mismatch", "<string>msauth.com.yourcompany.XamarinDev</string>"),
        ("query-schemes-missing", "<key>LSApplicationQueriesSchemes</key>"),
      ]
    ),
    (
      "infoplist/AzureAD__microsoft-authentication-library-for-dotnet__tests__devapps__XamarinDev__XamarinDev.iOS__Info@feabf9fb.plist",
      [("query-schemes-missing", "<key>LSApplicationQueriesSchemes</key>")]
    ),
    (
      "infoplist/AzureAD__microsoft-authentication-library-for-dotnet__tests__devapps__Intune-xamarin-ios__Info@2d175fa5.plist",
      // No schemes of MSAL's, but whole URLs are schemes of nobody's, and the app that holds them is not accepted.
      [
        ("url-scheme-form", "<string>ms-onedrive-auth://com.microsoft.skydrive</string>"),
        ("url-scheme-form", "<string>ms-onedrive-auth://com.microsoft.skydrive-intunemam</string>"),
      ]
    ),
    (
      "infoplist/AzureAD__microsoft-authentication-library-for-objc__MSAL__test__app__ios__resources__Info@1fd799b7.plist",
      [
        ("url-scheme-client-id", "<string>msalb6c69a37df96-4db0-9088-2ab96e1d8215</string>"),
        ("query-schemes-misspelt", "<string>msauthv2f6aaf03b</string>"),
        ("query-schemes-missing", "<key>LSApplicationQueriesSchemes</key>"),
      ]
    ),
    // The scheme without its hyphen is the same mistake as in the version above, where it is listed.
    (
      "infoplist/AzureAD__microsoft-authentication-library-for-objc__MSAL__test__app__ios__resources__Info@c135b683.plist",
      [
        ("url-scheme-client-id", "<string>msalb6c69a37df96-4db0-9088-2ab96e1d8215</string>"),
        ("query-schemes-missing", "<key>LSApplicationQueriesSchemes</key>"),
      ]
    ),
    // The scheme without its hyphen is the same mistake as in the version above, where it is listed.
    (
      "infoplist/AzureAD__microsoft-authentication-library-for-objc__MSAL__test__app__ios__resources__Info@ae8d5b69.plist",
      [
        ("url-scheme-client-id", "<string>msalb6c69a37df96-4db0-9088-2ab96e1d8215</string>"),
        ("query-schemes-missing", "<string>msauth.com.microsoft.MSALTestApp</string>"),
      ]
    ),
    (
      "infoplist/Azure-Samples__active-directory-ios-swift-native-v2__MSALiOS__Info@087ed1d7.plist",
      [("query-schemes-missing", "<key>LSApplicationQueriesSchemes</key>")]
    ),
    (
      "infoplist/Azure-Samples__active-directory-ios-swift-native-v2__MSALiOS__Info@87293af6.plist",
      [("query-schemes-missing", "<key>LSApplicationQueriesSchemes</key>")]
    ),
    (
      "infoplist/Azure-Samples__active-directory-ios-swift-native-v2__MSALiOS__Info@8bc5a642.plist",
      [
        ("query-schemes-missing", "<key>LSApplicationQueriesSchemes</key>"),
        ("query-schemes-repeated", "<string>msauth</string>"),
      ]
    ),
    (
      "infoplist/Azure-Samples__active-directory-ios-swift-native-v2__iOS-swift__MSALiOS__Info@1d2528e2.plist",
      [("query-schemes-missing", "<key>LSApplicationQueriesSchemes</key>")]
    ),
    (
      "infoplist/Azure-Samples__active-directory-ios-swift-native-v2__MSALiOS__Info@f289d3ee.plist",
      [("query-schemes-missing", "<string>msauth.com.microsoft.identitysample.MSALiOS</string>")]
    ),
    (
      "infoplist/microsoftgraph__msgraph-training-ios-swift__demos__02-add-aad-auth__GraphTutorial__GraphTutorial__Info@78458e06.plist",
      [("query-schemes-missing", "<string>msauth.$(PRODUCT_BUNDLE_IDENTIFIER)</string>")]
    ),
    (
      "infoplist/microsoftgraph__msgraph-training-ios-swift__demos__02-add-aad-auth__GraphTutorial__GraphTutorial__Info@cd065561.plist",
      [("plist-syntax", "<")]
    ),
    (
      "infoplist/mashort__XamarinSpike__UserDetailsClient__UserDetailsClient.iOS__Info.plist",
      [("url-scheme-placeholder", "<string>msal HERE</string>")]
    ),
    (
      "entitlements/nayanAubie__msal_auth__example__macos__Runner__Release.entitlements",
      [("sandbox-network-client", "<key>com.apple.security.app-sandbox</key>")]
    ),
    (
      "entitlements/AzureAD__microsoft-authentication-library-for-objc__MSAL__test__app__mac__MSALMacTestApp@94f3eb9c.entitlements",
      [("keychain-group-missing", "<key>keychain-access-groups</key>")]
    ),
    (
      "entitlements/Azure-Samples__active-directory-ios-swift-native-v2__MSALiOS__MSALiOS@e3575527.entitlements",
      [("keychain-group-missing", "<key>keychain-access-groups</key>")]
    ),
    (
      "entitlements/AzureAD__microsoft-authentication-library-for-objc__MSAL__test__automation__ios__MSALAutomation@a7a3a976.entitlements",
      [("keychain-group-missing", "<key>keychain-access-groups</key>")]
    ),
    (
      "entitlements/Azure-Samples__active-directory-xamarin-native-v2__UserDetailsClient__UserDetailsClient.iOS__Entitlements@6d5226c0.plist",
      [("keychain-group-prefix", "<string>com.yourcompany.UserDetailsClient</string>")]
    ),
    (
      "entitlements/AzureAD__microsoft-authentication-library-for-dotnet__tests__devapps__XForms__XForms.iOS__Entitlements@835f171c.plist",
      [("keychain-group-prefix-dot", "<string>$(AppIdentifierPrefix).com.microsoft.adalcache</string>")]
    ),
    (
      "entitlements/AzureAD__microsoft-authentication-library-for-dotnet__tests__devapps__XForms__XForms.iOS__Entitlements@db85d73f.plist",
      // MSAL's group, which is missing too, is a note: nothing in the file shows that it is asked for.
      [("keychain-group-prefix-dot", "<string>$(AppIdentifierPrefix).com.xamarin.xtcapp3</string>")]
    ),
    (
      "entitlements/AzureAD__microsoft-authentication-library-for-dotnet__tests__devapps__XForms__XForms.iOS__Entitlements@33dcda73.plist",
      // As in the file above.
      [("keychain-group-app-group", "<string>group.com.xamarin.xtcapp3.group1</string>")]
    ),
    (
      "entitlements/AzureAD__microsoft-authentication-library-for-dotnet__tests__devapps__XForms__XForms.iOS__Entitlements@76362806.plist",
      [("keychain-group-wildcard", "<string>$(AppIdentifierPrefix)*</string>")]
    ),
    (
      "entitlements/AzureAD__microsoft-authentication-library-for-dotnet__tests__AutomationApp__XamarinAutomationApp__XamarinAutomationApp.iOS__Entitlements@8930a484.plist",
      [("plist-syntax", "<")]
    ),
  ]

  static let clean = Expectations.files(of: ["infoplist", "entitlements"], expecting: "clean")

  /// The findings that are errors or warnings, as `rule: text`.
  static func findings(in file: String, _ definitions: [String: String]) throws -> [String] {
    let url = try #require(Corpus.directory).appending(path: file)
    let validator = ProjectValidator(definitions: definitions) { path, _ in
      Reading(document: nil, diagnostics: [Diagnostic(.error, rule: "unreadable-file", path, at: .file(path))])
    }
    let report = validator.validate([NamedFile(name: file, bytes: try Corpus.bytes(url))])
    return report.diagnostics.filter { $0.severity != .note }.map { diagnostic in
      "\(diagnostic.rule): \(diagnostic.place.span.map(diagnostic.place.source.text) ?? "")"
    }
  }

  @Test(.enabled(if: Corpus.isPresent), arguments: problems.map(\.file))
  func everyMistakeIsFoundAtItsPlace(file: String) throws {
    let expected = try #require(Self.problems.first { $0.file == file }).findings.map { "\($0.rule): \($0.text)" }
    let found = try Self.findings(in: file, Expectations.definitions(of: file))
    #expect(found.sorted() == expected.sorted())
  }

  @Test(.enabled(if: Corpus.isPresent), arguments: clean)
  func whatIsCleanIsLetPass(file: String) throws {
    #expect(try Self.findings(in: file, Expectations.definitions(of: file)) == [])
    #expect(try Self.findings(in: file, [:]) == [])
  }

  @Test(.enabled(if: Corpus.isPresent)) func everyFileWithAMistakeIsInTheTable() {
    let wrong = Expectations.files(of: ["infoplist", "entitlements"], expecting: "problem")
    #expect(Set(wrong) == Set(Self.problems.map(\.file)))
  }

  /// Property lists of every kind that have nothing to do with signing in.
  @Test(.enabled(if: Corpus.isPresent)) func otherPropertyListsAreNoneOfOurs() throws {
    let rules = Set(RuleSet.all.rules.map(\.id))
    for url in Corpus.files(in: "plist-generic") {
      let found = try Self.findings(in: "plist-generic/\(url.lastPathComponent)", [:])
      #expect(found.filter { rules.contains(String($0.prefix { $0 != ":" })) } == [], "\(url.lastPathComponent)")
    }
  }

  /// What the corpus says of its files.
  enum Expectations {
    private struct Entry: Decodable {
      struct Context: Decodable { var bundleId: String? }
      var file: String
      var kind: String
      var expect: String
      var context: Context?
    }

    private static let all: [Entry] = {
      guard let directory = Corpus.directory,
        let data = try? Data(contentsOf: directory.appending(path: "expected.json"))
      else { return [] }
      return (try? JSONDecoder().decode([Entry].self, from: data)) ?? []
    }()

    static func files(of kinds: Set<String>, expecting expectation: String) -> [String] {
      all.filter { kinds.contains($0.kind) && $0.expect == expectation }.map(\.file)
    }

    static func definitions(of file: String) -> [String: String] {
      let bundleID = all.first { $0.file == file }?.context?.bundleId
      return bundleID.map { ["PRODUCT_BUNDLE_IDENTIFIER": $0] } ?? [:]
    }
  }
}
