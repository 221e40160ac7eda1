import Diagnostics
import Documents
import Testing
import Validation

/// Tests property lists that Xcode preprocesses, and JSON with comments.
@Suite("Preprocessed files") struct PreprocessedFileTests {
  static func validate(_ text: String, named name: String) -> [Diagnostic] {
    let validator = ProjectValidator { path, options in
      DocumentReader.read(Array(text.utf8), named: path, options: options)
    }
    let file = NamedFile(name: name, bytes: Array(text.utf8), root: ".")
    return validator.validate([file]).diagnostics.filter { $0.rule != "unknown-kind" }
  }

  /// Returns an Info.plist with preprocessor directives around and between its entries.
  static func plist(_ entries: String, before: String = "") -> String {
    """
    \(before)<?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
    <key>LSApplicationQueriesSchemes</key>
    <array><string>msauthv2</string><string>msauthv3</string></array>
    \(entries)
    </dict>
    </plist>
    """
  }

  static let branches = """
    <key>CFBundleIdentifier</key>
    #ifdef BETA
    <string>com.contoso.beta</string>
    #elif defined(ALPHA)
    <string>com.contoso.alpha</string>
    #else
    <string>com.contoso.app</string>
    #endif
    <key>CFBundleURLTypes</key>
    <array><dict><key>CFBundleURLSchemes</key><array><string>msauth.com.contoso.app</string></array></dict></array>
    """

  @Test(
    "reports one note for a preprocessed Info.plist",
    arguments: [
      plist("#if DEBUG\n<key>CFBundleName</key><string>a</string>\n#endif"), plist(branches),
      plist("COMMON_KEYS", before: "#include \"Common.h\"\n#define A \\\n  <string>b</string>\n"),
      plist("<key>CFBundleIdentifier</key><string>APP_ID</string>", before: "#define APP_ID com.contoso.app\n"),
      plist("  # ifndef RELEASE\n<key>A</key><true/>\n  # endif").replacing("\n", with: "\r\n"),
    ])
  func oneNote(text: String) {
    let findings = Self.validate(text, named: "App/Info.plist")
    #expect(findings.map(\.rule) == ["preprocessed-plist"])
    #expect(findings.allSatisfy { $0.severity == .note && $0.place.start.line > 0 })
  }

  @Test("checks the content of a preprocessed Info.plist but offers no fixes") func contentIsChecked() {
    let text = Self.plist(
      """
      #if DEBUG
      <key>CFBundleName</key><string>a</string>
      #endif
      <key>CFBundleURLTypes</key>
      <array><dict><key>CFBundleURLSchemes</key><array>
      <string>msauth.com.contoso.app</string><string>msal[client id]</string>
      </array></dict></array>
      """)
    let findings = Self.validate(text, named: "App/Info.plist")
    #expect(findings.map(\.rule) == ["preprocessed-plist", "url-scheme-placeholder"])
    #expect(findings.last?.place.start.line == 11)
    #expect(findings.allSatisfy { $0.fix == nil && $0.severity < .error })
  }

  @Test("reports a malformed property list without directives") func brokenPlist() {
    let text = Self.plist("<string>no key</string>")
    #expect(Self.validate(text, named: "Info.plist").map(\.rule) == ["plist-syntax"])
    #expect(Self.validate("#include \"a\"\nkey: [", named: "Info.plist").contains { $0.rule != "preprocessed-plist" })
  }

  @Test(
    "ignores comments in JSON files of other programs",
    arguments: [
      #"{"AADApps": [{"Id": "client", "Name": "a", "Kind": "Mobile"}]}"#,
      #"{"AppId": "6731de76-14a6-49ae-97bc-6eba6914391e", "GraphScopes": ["User.Read"]}"#,
      #"{"auth": {"clientId": "6731de76-14a6-49ae-97bc-6eba6914391e"}, "cache": {"cacheLocation": "localStorage"}}"#,
      #"{"appId": "6731de76-14a6-49ae-97bc-6eba6914391e", "displayName": "a", "signInAudience": "AzureADMyOrg"}"#,
      #"{"compilerOptions": {"target": "es5"}}"#,
    ], ["AppCreationScripts/sample.json", "sample.json", "a.jsonc"])
  func comments(text: String, name: String) {
    let commented = "// first\n" + text.replacing(", ", with: " /* all */, ") + "\n// last"
    #expect(!Self.validate(commented, named: name).contains { $0.rule.contains("json") })
    #expect(Self.validate(commented, named: name).map(\.rule) == Self.validate(text, named: name).map(\.rule))
  }

  @Test("reports other errors in JSON with comments") func otherErrorsInJSONWithComments() {
    let text = "{ // the app\n\"AppId\": \"6731de76-14a6-49ae-97bc-6eba6914391e\" \"GraphScopes\": [\"User.Read\"]}"
    #expect(Self.validate(text, named: "a.json").map(\.rule) == ["json-syntax"])
  }
}
