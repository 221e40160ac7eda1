import AppRegistration
import Diagnostics
import Documents
import Testing
import Validation

/// Tests that fixes in Android and web files produce valid syntax and are offered only if the correction is certain.
@Suite struct AndroidFixTests {
  static let id = AndroidRuleTests.id

  static func findings(_ text: String, named name: String) -> [Diagnostic] {
    let validator = ProjectValidator { path, options in DocumentReader.read([], named: path, options: options) }
    return validator.validate([NamedFile(name: name, bytes: Array(text.utf8), root: "")]).diagnostics
  }

  /// Returns the text after applying one rule's fixes, or nil if there are no fixes.
  static func fixed(_ text: String, named name: String, by rule: String) throws -> String? {
    let edits = findings(text, named: name).filter { $0.rule == rule }.compactMap(\.fix).flatMap(\.edits)
    guard !edits.isEmpty else { return nil }
    return String(decoding: try SpanEdits.apply(edits, to: SourceText(name: name, text: text)), as: UTF8.self)
  }

  @Test(arguments: [
    ("callback", "/callback"), ("a&quot;b&amp;c", "/a&quot;b&amp;c"),
    ("/Qk9%2FSHFmcTFzT3BtT2FkT3JzYVk%3D", "/Qk9/SHFmcTFzT3BtT2FkT3JzYVk="),
    // The percent sign might be intentional.
    ("a%22b%26c", nil), ("a%41", nil), ("/a%26c%3D", nil),
  ])
  func fixesMalformedPaths(path: String, expected: String?) throws {
    let text = AndroidRuleTests.manifest(#"android:scheme="msauth" android:host="a.b" android:path="\#(path)""#)
    let fixed = try Self.fixed(text, named: "AndroidManifest.xml", by: "android-path-encoded")
    #expect(fixed == expected.map { text.replacing("\"\(path)\"", with: "\"\($0)\"") })
  }

  @Test func fixesAnEscapedValueCompletely() throws {
    let text = AndroidRuleTests.config(#"msauth:\/\/com.contoso.app\/Qk9\/SHFmcTFzT3BtT2FkT3JzYVk="#)
    let fixed = try Self.fixed(text, named: "a.json", by: "android-hash-unescaped")
    #expect(fixed == AndroidRuleTests.config("msauth://com.contoso.app/\(AndroidRuleTests.hash)"))
  }

  @Test func fixesAFlagOnlyIfItIsABoolean() throws {
    let text = AndroidRuleTests.config("msal\(Self.id)://auth", #""broker_redirect_uri_registered": true"#)
    let fixed = try Self.fixed(text, named: "a.json", by: "android-broker-flag")
    #expect(fixed == text.replacing(": true", with: ": false"))
  }

  @Test(arguments: ["\r\n", "\n"]) func addsCategoriesInTheStyleOfNeighboringElements(lineEnd: String) throws {
    let complete = AndroidRuleTests.manifest(#"android:scheme="msauth" android:host="a.b""#)
      .replacing("\n", with: lineEnd)
    let line = #"        <category android:name="android.intent.category.BROWSABLE" />"# + lineEnd
    let text = complete.replacing(line, with: "")
    #expect(text != complete)
    #expect(try Self.fixed(text, named: "AndroidManifest.xml", by: "android-filter-incomplete") == complete)
  }

  @Test func escapesInsertedHosts() throws {
    let text =
      #"{"auth": {"clientId": "\#(Self.id)", "authority": "https:\/\/login.contoso.com/x", "redirectUri": "/"}}"#
    let fixed = try #require(try Self.fixed(text, named: "msal.json", by: "msal-js-known-authorities"))
    let root = try #require(DocumentReader.read(fixed, named: "msal.json").document?.root)
    #expect(root["auth"]?["knownAuthorities"]?[0]?.string == "login.contoso.com")
    #expect(root["auth"]?["authority"]?.string == "https://login.contoso.com/x")
  }

  // MARK: Limits

  @Test func checksOnlyTheFirst300Authorities() {
    let entries = Array(
      repeating: #"{"type": "AAF", "authority_url": "https://login.microsoftonline.com/common"}"#, count: 400)
    let text = AndroidRuleTests.config(
      "msauth://com.contoso.app/\(AndroidRuleTests.hash)", #""authorities": [\#(entries.joined(separator: ","))]"#)
    let messages = Self.findings(text, named: "a.json").filter { $0.rule == "android-authority-kind" }.map(\.message)
    #expect(messages.contains { $0.hasPrefix("100 more") })
  }

  @Test func readsOnlyTheFirst500DataElementsOfAFilter() throws {
    let data = Array(repeating: #"<data android:scheme="msauth" android:host="a.b"/>"#, count: 700).joined()
    let text = AndroidRuleTests.manifest(#"android:scheme="msauth""#).replacing(
      "</intent-filter>", with: data + "</intent-filter>")
    let manifest = try #require(AndroidManifest.read(Array(text.utf8), named: "AndroidManifest.xml").manifest)
    #expect(manifest.activities.first?.filters.first?.data.count == 500)
  }
}
