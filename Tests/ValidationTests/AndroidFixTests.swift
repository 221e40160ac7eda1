import AppRegistration
import Diagnostics
import Documents
import Testing
import Validation

/// Fixes in Android's and the web's files write what the syntax around them can hold, and are offered where their meaning is certain.
@Suite struct AndroidFixTests {
  static let id = AndroidRuleTests.id

  static func findings(_ text: String, named name: String) -> [Diagnostic] {
    let validator = ProjectValidator { path, options in DocumentReader.read([], named: path, options: options) }
    return validator.validate([NamedFile(name: name, bytes: Array(text.utf8), root: "")]).diagnostics
  }

  /// The text with the fixes of one rule; nil where it offers none.
  static func mended(_ text: String, named name: String, by rule: String) throws -> String? {
    let edits = findings(text, named: name).filter { $0.rule == rule }.compactMap(\.fix).flatMap(\.edits)
    guard !edits.isEmpty else { return nil }
    return String(decoding: try SpanEdits.apply(edits, to: SourceText(name: name, text: text)), as: UTF8.self)
  }

  @Test(arguments: [
    ("callback", "/callback"), ("a&quot;b&amp;c", "/a&quot;b&amp;c"),
    ("/Qk9%2FSHFmcTFzT3BtT2FkT3JzYVk%3D", "/Qk9/SHFmcTFzT3BtT2FkT3JzYVk="),
    // Whether a percent sign is meant as one is not known.
    ("a%22b%26c", nil), ("a%41", nil), ("/a%26c%3D", nil),
  ])
  func pathsAreMended(path: String, meant: String?) throws {
    let text = AndroidRuleTests.manifest(#"android:scheme="msauth" android:host="a.b" android:path="\#(path)""#)
    let mended = try Self.mended(text, named: "AndroidManifest.xml", by: "android-path-encoded")
    #expect(mended == meant.map { text.replacing("\"\(path)\"", with: "\"\($0)\"") })
  }

  @Test func anEscapedValueIsMendedAsAWhole() throws {
    let text = AndroidRuleTests.config(#"msauth:\/\/com.contoso.app\/Qk9\/SHFmcTFzT3BtT2FkT3JzYVk="#)
    let mended = try Self.mended(text, named: "a.json", by: "android-hash-unescaped")
    #expect(mended == AndroidRuleTests.config("msauth://com.contoso.app/\(AndroidRuleTests.hash)"))
  }

  @Test func aFlagIsMendedOnlyWhereItIsNoText() throws {
    let text = AndroidRuleTests.config("msal\(Self.id)://auth", #""broker_redirect_uri_registered": true"#)
    let mended = try Self.mended(text, named: "a.json", by: "android-broker-flag")
    #expect(mended == text.replacing(": true", with: ": false"))
  }

  @Test(arguments: ["\r\n", "\n"]) func categoriesAreAddedLikeTheirNeighbors(lineEnd: String) throws {
    let whole = AndroidRuleTests.manifest(#"android:scheme="msauth" android:host="a.b""#)
      .replacing("\n", with: lineEnd)
    let line = #"        <category android:name="android.intent.category.BROWSABLE" />"# + lineEnd
    let text = whole.replacing(line, with: "")
    #expect(text != whole)
    #expect(try Self.mended(text, named: "AndroidManifest.xml", by: "android-filter-incomplete") == whole)
  }

  @Test func hostsAreEscapedWhereTheyAreAdded() throws {
    let text =
      #"{"auth": {"clientId": "\#(Self.id)", "authority": "https:\/\/login.contoso.com/x", "redirectUri": "/"}}"#
    let mended = try #require(try Self.mended(text, named: "msal.json", by: "msal-js-known-authorities"))
    let root = try #require(DocumentReader.read(mended, named: "msal.json").document?.root)
    #expect(root["auth"]?["knownAuthorities"]?[0]?.string == "login.contoso.com")
    #expect(root["auth"]?["authority"]?.string == "https://login.contoso.com/x")
  }

  // MARK: What is more than any app has

  @Test func theFirstAuthoritiesAreJudged() {
    let entries = Array(
      repeating: #"{"type": "AAF", "authority_url": "https://login.microsoftonline.com/common"}"#, count: 400)
    let text = AndroidRuleTests.config(
      "msauth://com.contoso.app/\(AndroidRuleTests.hash)", #""authorities": [\#(entries.joined(separator: ","))]"#)
    let messages = Self.findings(text, named: "a.json").filter { $0.rule == "android-authority-kind" }.map(\.message)
    #expect(messages.contains { $0.hasPrefix("100 more") })
  }

  @Test func theFirstDataOfAFilterAreRead() throws {
    let data = Array(repeating: #"<data android:scheme="msauth" android:host="a.b"/>"#, count: 700).joined()
    let text = AndroidRuleTests.manifest(#"android:scheme="msauth""#).replacing(
      "</intent-filter>", with: data + "</intent-filter>")
    let manifest = try #require(AndroidManifest.read(Array(text.utf8), named: "AndroidManifest.xml").manifest)
    #expect(manifest.activities.first?.filters.first?.data.count == 500)
  }
}
