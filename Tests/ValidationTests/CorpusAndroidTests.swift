import Diagnostics
import Documents
import Foundation
import TestSupport
import Testing
import Validation

/// MSAL for Android's configurations of public projects: each problem is found at its place by its rule, and nothing else is.
@Suite struct CorpusAndroidTests {
  /// What a file's errors and warnings are: the rule, and the text that it points at.
  static let problems: [String: [(rule: String, text: String)]] = [
    "CMCORPUSG__CHETO-AUTENTICATOR__app__src__main__res__raw__auth_config_single_account.json": [
      ("app-id-zero", "\"00000000-0000-0000-0000-000000000000\""), ("android-hash-placeholder", "placeholder"),
    ],
    "Keeftalk__Android__app__src__main__res__raw__msal_config.json": [
      ("app-id-zero", "\"00000000-0000-0000-0000-000000000000\""),
      ("android-hash-dummy", "000000000000000000000000000"),
    ],
    "epostvvf-gif__THE-VVF-AI-FILE-MANAGER-__app__src__main__res__raw__msal_config.json": [
      ("app-id-zero", "\"00000000-0000-0000-0000-000000000000\""), ("android-hash-dummy", "1234567890abcdef"),
    ],
    "aryanthakor37__TeamsHub__android__app__src__main__res__raw__msal_config.json": [
      ("android-hash-dummy", "000000000000000000000000000="),
      ("android-hash-unescaped", "000000000000000000000000000="),
    ],
    "v-po__msal-sample__app__src__main__res__raw__msal_config.json": [
      ("app-id-placeholder", "\"<YOUR_CLIENT_ID>\""),
      ("android-hash-placeholder", "<YOUR_BASE64_ENCODED_PACKAGE_SIGNATURE>"),
    ],
    "minetwice__Fpsapp__app__src__main__res__raw__msal_config.json": [
      ("app-id-placeholder", "\"YOUR_AZURE_CLIENT_ID\""), ("android-hash-placeholder", "..."),
      ("android-authority-kind", "\"CIAM\""),
    ],
    "larsniet__HSL-Collegekaart__android__app__src__main__res__raw__msal_config.json": [
      ("android-hash-empty", "2jmj7l5rSw0yVb%2FvlWAYkK%2FYBwk%3D")
    ],
    "abnegate__android-filemanager2__app__src__main__res__raw__msal_config.json": [("android-broker-flag", "true")],
    "macedorm__teste__app__src__main__res__raw__msal_config.json": [
      ("android-redirect-form", "https://dansaleswebdev.danone.com.br/homolog/LoginbySSO")
    ],
    "RRHammam__RMApplicationDemo__app__src__main__res__raw__msal_config.json": [
      ("android-audience-contradiction", "organizations")
    ],
    "nimabk82__msalRnNew__android__app__src__main__assets__msal_config.json": [
      ("android-audience-contradiction", "bf475492-067f-4d6e-989f-776b97a19cd9")
    ],
    "dgbarreto__b2cloginfacebook__app__src__main__res__raw__auth_config_b2c.json": [
      ("android-authority-placeholder", "<B2C_POLICY_NAME>")
    ],
    "Klasmart-Engineering__nextgen-android-app__app__src__main__res__raw__auth_config_b2c.json": [
      // Not among the problems that are listed, but true: it is the SHA-1 of keytool's words, "keystore password was incorrect",
      // and a broker is asked for.
      ("android-hash-empty", "VzSiQcXRmi2kyjzcA%2BmYLEtbGVs%3D"),
      (
        "android-left-over-authority",
        "https://fabrikamb2c.b2clogin.com/tfp/fabrikamb2c.onmicrosoft.com/b2c_1_edit_profile/"
      ),
      ("android-left-over-authority", "https://fabrikamb2c.b2clogin.com/tfp/fabrikamb2c.onmicrosoft.com/b2c_1_reset/"),
    ],
    "microsoftgraph__msgraph-training-android__demo__GraphTutorial__msal_config.json@f24b9c09.example": [
      ("app-id-placeholder", "\"YOUR_APP_ID_HERE\"")
    ],
    "nayanAubie__msal_auth__example__assets__msal_config@f6faa18a.json": [
      ("android-hash-placeholder", "<BASE64_ENCODED_PACKAGE_SIGNATURE>")
    ],
  ]

  static func told(_ diagnostics: [Diagnostic]) -> [String] {
    diagnostics.filter { $0.severity != .note }.map { diagnostic in
      "\(diagnostic.rule): \(diagnostic.place.source.text(in: diagnostic.place.span ?? .at(0)))"
    }.sorted()
  }

  @Test(.enabled(if: Corpus.isPresent), arguments: Corpus.files(in: "android").map(\.lastPathComponent))
  func problemsAreFoundAtTheirPlaces(name: String) throws {
    let report = try CorpusTests.validate("android/\(name)")
    let wanted = Self.problems[name, default: []].map { "\($0.rule): \($0.text)" }.sorted()
    #expect(Self.told(report.diagnostics) == wanted)
  }

  @Test(.enabled(if: Corpus.isPresent)) func everyNamedFileIsThere() {
    let names = Set(Corpus.files(in: "android").map(\.lastPathComponent))
    for name in Self.problems.keys { #expect(names.contains(name)) }
  }

  @Test(.enabled(if: Corpus.isPresent)) func whatIsAppAuthsIsLeftAlone() throws {
    let name = try #require(Corpus.files(in: "android").map(\.lastPathComponent).first { $0.hasPrefix("Chukwuemeka") })
    #expect(try CorpusTests.validate("android/\(name)").diagnostics.map(\.message) == [])
  }
}
