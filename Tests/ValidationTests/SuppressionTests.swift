import Diagnostics
import Documents
import Testing
import Validation

/// Tests that suppressions with a reason hide findings, and that ineffective suppressions are reported.
@Suite struct SuppressionTests {
  static let zero = "00000000-0000-0000-0000-000000000000"
  /// The start of an MSAL Android configuration, a JSON format that allows comments.
  static let android = #"{"account_mode": "SINGLE", "redirect_uri": "msauth://com.contoso.app/aGFzaA%3D%3D","#

  static let plist = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>

    """
  static let plistEnd = """

    <key>AppId</key>
    <string>\(zero)</string>
    <key>GraphScopes</key>
    <array><string>User.Read</string></array>
    </dict>
    </plist>
    """

  static func validate(_ text: String, named name: String? = nil, _ configuration: String? = nil) -> FilteredReport {
    // Only the file name distinguishes JSON from YAML in braces.
    let name =
      name ?? (text.contains(" = ") ? "app/Auth.plist" : text.hasPrefix("{") ? "app/auth.json" : "app/Auth.yaml")
    let validator = ProjectValidator { path, options in
      ReadResult(document: nil, diagnostics: [Diagnostic(.error, rule: "unreadable-file", path, at: .file(path))])
    }
    let all = configuration.map { [read($0).0] } ?? []
    let configured = ConfiguredValidator(validator: validator, all: all, workingDirectory: "/srv")
    return configured.check([NamedFile(name: name, bytes: Array(text.utf8))])
  }

  static func read(_ text: String) -> (ValidationConfiguration, [Diagnostic]) {
    ValidationConfiguration.read(DocumentReader.read(text, named: ".authflow.yaml"), folder: "/srv")
  }

  static func findings(_ report: FilteredReport) -> [String] {
    report.diagnostics.filter { $0.severity != .note || $0.rule.hasPrefix("suppression") }.map(\.rule)
  }

  @Test(arguments: [
    "# authflow:ignore app-id-zero -- a sample\nAppId: \(zero)\n",
    "AppId: \(zero) # authflow:ignore app-id-zero -- a sample\n",
    "# authflow:ignore app-id-zero: a sample\nAppId: \(zero)\n",
    "# authflow:ignore app-id-not-guid, app-id-zero : a sample\nAppId: \(zero)\n",
    "# authflow:ignore app-id-zero \u{2014} a sample\nAppId: \(zero)\n",
    "# authflow:ignore app-id-not-guid, app-id-zero -- a sample\nAppId: \(zero)\n",
    "GraphScopes: [User.Read]\n\n# authflow:ignore-file app-id-zero -- a sample\n\nAppId: \(zero)\n",
    "# authflow:ignore app-id-zero -- a sample\n# and another comment\nAppId:\n  \(zero)\n",
    "\(android)\n  // authflow:ignore app-id-zero -- a sample\n  \"client_id\": \"\(zero)\"\n}",
    "\(android) \"client_id\": \"\(zero)\" /* authflow:ignore app-id-zero -- a sample */ }",
    "\(android) \"client_id\": \"\(zero)\" /* authflow:ignore app-id-zero: a sample*/ }",
    "{\n  /* authflow:ignore app-id-zero: a sample */\n  AppId = \"\(zero)\";\n  GraphScopes = (\"User.Read\");\n}\n",
    "{\n  // authflow:ignore app-id-zero: a sample\n  AppId = \"\(zero)\";\n  GraphScopes = (\"User.Read\");\n}\n",
    "<plist><dict>\n<!-- authflow:ignore app-id-zero \u{2014} a sample-->\n<key>AppId</key>\n<string>\(zero)</string>\n</dict></plist>",
    "<plist><dict>\n<!-- authflow:ignore app-id-zero: a sample -->\n<key>AppId</key>\n<string>\(zero)</string>\n</dict></plist>",
    "<plist><dict>\n<key>AppId</key>\n<string>\(zero)</string> <!-- authflow:ignore app-id-zero: a sample -->\n</dict></plist>",
  ])
  func suppressesAFindingWithAReason(text: String) {
    let report = Self.validate(text)
    #expect(!report.diagnostics.contains { $0.rule == "app-id-zero" }, "\(report.diagnostics.map(\.message))")
    #expect(report.suppressed.map(\.diagnostic.rule) == ["app-id-zero"])
    #expect(report.suppressed.map(\.reason) == ["a sample"])
    #expect(report.suppressed.map(\.origin) == [.inSource])
  }

  @Test(arguments: [
    ("# authflow:ignore app-id-zero\nAppId: \(zero)\n", ["suppression-without-reason", "app-id-zero"]),
    ("# authflow:ignore app-id-zero --\nAppId: \(zero)\n", ["suppression-without-reason", "app-id-zero"]),
    ("# authflow:ignore app-id-zreo -- a sample\nAppId: \(zero)\n", ["suppression-unknown-rule", "app-id-zero"]),
    ("# authflow:ignore -- a sample\nAppId: \(zero)\n", ["suppression-unknown-rule", "app-id-zero"]),
    ("# authflow:ignore app-id-dummy -- a sample\nAppId: \(zero)\n", ["suppression-unused", "app-id-zero"]),
    ("# authflow:ignore app-id-zero -- too far\n\nAppId: \(zero)\n", ["suppression-unused", "app-id-zero"]),
    ("# authflow:ignore app-id-zero:\nAppId: \(zero)\n", ["suppression-without-reason", "app-id-zero"]),
    ("# authflow:ignore app-id-zero - a sample\nAppId: \(zero)\n", ["suppression-without-reason", "app-id-zero"]),
    ("\(plist)<!-- authflow:ignore app-id-zero -->\(plistEnd)", ["suppression-without-reason", "app-id-zero"]),
    ("\(plist)<!-- authflow:ignore app-id-zero: -->\(plistEnd)", ["suppression-without-reason", "app-id-zero"]),
    (
      "\(android)\n  /* authflow:ignore app-id-zero */\n  \"client_id\": \"\(zero)\"\n}",
      ["android-hash-malformed", "suppression-without-reason", "app-id-zero"]
    ),
    ("# authflow:ignored app-id-zero -- something else\nAppId: \(zero)\n", ["app-id-zero"]),
    ("AppId: \"\(zero) # authflow:ignore app-id-zero -- no comment\"\n", ["app-id-not-guid"]),
  ])
  func reportsIneffectiveSuppressions(text: String, rules: [String]) {
    let report = Self.validate(text)
    #expect(Self.findings(report) == rules)
    #expect(report.suppressed.isEmpty)
  }

  @Test func acceptsACommentWithAColonInXML() {
    let report = Self.validate(
      Self.plist + "<!-- authflow:ignore app-id-zero: a sample -->" + Self.plistEnd, named: "A.plist")
    #expect(report.diagnostics.filter { $0.severity != .note }.map(\.rule) == [])
    #expect(report.suppressed.map(\.reason) == ["a sample"])
  }

  @Test func suppressesFindingsInAnAndroidManifest() {
    func manifest(_ comment: String) -> String {
      """
      <?xml version="1.0" encoding="utf-8"?>
      <manifest xmlns:android="http://schemas.android.com/apk/res/android" package="com.contoso.app">
        <application>
          <activity android:name="com.microsoft.identity.client.BrowserTabActivity" android:exported="true">
            <intent-filter>
              <action android:name="android.intent.action.VIEW" />
              <category android:name="android.intent.category.DEFAULT" />
              <category android:name="android.intent.category.BROWSABLE" />
              \(comment)
              <data android:scheme="msauth" android:host="com.contoso.app" android:path="aGFzaGFzaGFzaGFzaGFzaGFzaGE=" />
            </intent-filter>
          </activity>
        </application>
      </manifest>
      """
    }
    let plain = Self.validate(manifest(""), named: "AndroidManifest.xml").diagnostics.filter { $0.severity != .note }
    #expect(!plain.isEmpty)
    let rules = Set(plain.map(\.rule)).sorted().joined(separator: ", ")
    let accepted = Self.validate(manifest("<!-- authflow:ignore \(rules): a sample -->"), named: "AndroidManifest.xml")
    #expect(accepted.diagnostics.filter { $0.severity != .note }.map(\.rule) == [])
    let rejected = Self.validate(manifest("<!-- authflow:ignore \(plain[0].rule) -->"), named: "AndroidManifest.xml")
    let finding = rejected.diagnostics.first { $0.rule == "suppression-without-reason" }
    #expect(
      finding?.help?.contains("`authflow:ignore \(plain[0].rule): reason`") == true)
    #expect(rejected.suppressed.isEmpty)
  }

  @Test func suggestsTheRuleForAMisspelledID() throws {
    let report = Self.validate("# authflow:ignore app-id-zreo -- a sample\nAppId: \(Self.zero)\n")
    let finding = try #require(report.diagnostics.first { $0.rule == "suppression-unknown-rule" })
    #expect(finding.help == "did you mean `app-id-zero`?")
    #expect(finding.place.source.text(in: finding.place.span ?? .at(0)) == "app-id-zreo")
  }

  @Test func limitsFindingsAboutSuppressions() {
    let text = (0..<1000).map { "# authflow:ignore no-rule-\($0) -- why not\n" }.joined() + "AppId: \(Self.zero)\n"
    let findings = Self.validate(text).diagnostics.filter { $0.rule == "suppression-unknown-rule" }
    #expect(findings.count == 101)
    #expect(findings.contains { $0.message.hasPrefix("900 more findings") })
  }

  @Test func reportsSyntaxErrorsDespiteSuppressionComments() {
    let text = "# authflow:ignore-file duplicate-key -- I know\nAppId: \(Self.zero)\nAppId: \(Self.zero)\n"
    let report = Self.validate(text)
    #expect(report.diagnostics.contains { $0.rule == "duplicate-key" })
    #expect(report.diagnostics.contains { $0.rule == "suppression-unused" && $0.severity == .warning })
    #expect(
      !Self.validate(text, named: nil, "rules: {duplicate-key: off}").diagnostics.contains {
        $0.rule == "duplicate-key"
      })
  }

  // MARK: Configuration

  @Test func changesTheSeverityOfARule() {
    let text = "AppId: \(Self.zero)\n"
    #expect(Self.findings(Self.validate(text, named: nil, "rules:\n  app-id-zero: off\n")) == [])
    let warned = Self.validate(text, named: nil, "rules:\n  app-id-zero: warning\n").diagnostics.filter {
      $0.rule == "app-id-zero"
    }
    #expect(warned.map(\.severity) == [.warning])
  }

  @Test func suppressesFindingsByPath() {
    let entry = "ignore:\n  - rule: app-id-zero\n    path: \"samples/**\"\n    reason: samples have no app\n"
    let accepted = Self.validate("AppId: \(Self.zero)\n", named: "samples/a/Auth.yaml", entry)
    #expect(accepted.suppressed.map(\.origin) == [.external])
    #expect(accepted.suppressed.map(\.reason) == ["samples have no app"])
    #expect(Self.findings(Self.validate("AppId: \(Self.zero)\n", named: "app/samples.yaml", entry)) == ["app-id-zero"])
  }

  @Test func reportsAnUnusedEntryOnlyIfItsFolderWasSearched() {
    let text = """
      ignore:
        - {rule: app-id-zero, reason: a sample}
        - {rule: app-id-zero, path: "old/**", reason: gone}
        - {rule: app-id-dummy, reason: never was}
      """
    func unusedLines(_ searched: Set<String>) -> [Int] {
      let validator = ProjectValidator { path, _ in
        ReadResult(document: nil, diagnostics: [Diagnostic(.error, rule: "unreadable-file", path, at: .file(path))])
      }
      var configured = ConfiguredValidator(validator: validator, all: [Self.read(text).0], workingDirectory: "/srv")
      configured.searched = searched
      let report = configured.check([NamedFile(name: "app/Auth.yaml", bytes: Array("AppId: \(Self.zero)\n".utf8))])
      return report.diagnostics.filter { $0.rule == "suppression-unused" }.map {
        $0.place.start.line
      }
    }
    let both = [3, 4]
    #expect(unusedLines(["/srv"]) == both)
    #expect(unusedLines(["/"]) == both)
    #expect(unusedLines(["/srv/app"]) == [])
    #expect(unusedLines([]) == [])
  }

  @Test(arguments: [
    ("rules: {app-id-zreo: off}", "suppression-unknown-rule"), ("rules: {app-id-zero: of}", "unknown-value"),
    ("ignore: [{rule: app-id-zero}]", "missing-key"), ("exlude: [a]", "unknown-key"), ("- a", "wrong-type"),
    ("ignore: [{rule: nothing-at-all, reason: x}]", "suppression-unknown-rule"),
  ])
  func reportsInvalidConfigurationsWithTheirPlace(text: String, rule: String) {
    let findings = Self.read(text).1
    #expect(findings.map(\.rule) == [rule])
    #expect(findings.allSatisfy { $0.place.span != nil && $0.severity == .error })
  }

  @Test func acceptsAnEmptyConfiguration() {
    #expect(Self.read("# nothing yet\n").1.isEmpty)
    #expect(Self.read("").1.isEmpty)
  }

  @Test(arguments: [
    ("*.json", "a/b/c.json", true), ("*.json", "a/b/c.yaml", false), ("build", "a/build/x.json", true),
    ("/build", "a/build/x.json", false), ("/build/", "build/x.json", true), ("a/*.json", "a/b.json", true),
    ("a/*.json", "a/b/c.json", false), ("a/**/c.json", "a/c.json", true), ("a/**/c.json", "a/b/b/c.json", true),
    ("**/c.json", "c.json", true), ("a/**", "a/b/c", true), ("a/**", "b/a/c", false), ("?.json", "a.json", true),
    ("?.json", "ab.json", false), ("*a*b*", "xxaxxbxx", true), ("*a*b*", "xxbxxaxx", false), ("é*", "éa", true),
    ("**/a/**/b", "x/a/y/a/b/c", true), ("**/a/**/b", "b/a/x", false), ("**/a/b", "a/a/b", true),
    ("**/a/b", "a/a", false), ("a/**/**/b", "a/b", true), ("**/a/**", "x/a", false), ("**/a/**", "x/a/y", true),
  ])
  func matchesPatternsLikeGit(pattern: String, path: String, isMatch: Bool) {
    #expect(PathGlob(pattern).matches(path) == isMatch)
  }

  /// Backtracking at every `**` would take exponential time.
  @Test func matchesPatternsWithManyStarsQuickly() {
    let path = Array(repeating: "a", count: 400).joined(separator: "/")
    #expect(!PathGlob(String(repeating: "**/a/", count: 100) + "b").matches(path))
    #expect(PathGlob(String(repeating: "**/a/", count: 100) + "**").matches(path))
  }

  @Test func acceptsTheIDsOfAllFindings() throws {
    // A configuration can turn off any rule.
    let source = RuleNames.reading.union(["unknown-key", "wrong-type", "missing-key", "unreachable-step"])
    for name in source { #expect(RuleNames.contains(name), "\(name)") }
    for rule in RuleSet.all.rules { #expect(RuleNames.contains(rule.id)) }
    #expect(!RuleNames.contains("app-id"))
  }
}
