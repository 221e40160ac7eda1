import Diagnostics
import Documents
import Synchronization
import Testing
import Validation

@Suite struct ProjectValidatorTests {
  static let good = #"{"AppId": "6731de76-14a6-49ae-97bc-6eba6914391e"}"#
  static let workflow = """
    {"authflow": 1, "settings": "app/Auth.json", "steps": ["loadAccount", "silent", "interactive-fallback", {"callGraph": "/me"}]}
    """

  static func validate(_ files: [String: String], referenced others: [String: String] = [:]) -> ValidationReport {
    let all = files.merging(others) { $1 }
    let validator = ProjectValidator { path, options in
      guard let text = all[path] else {
        return ReadResult(
          document: nil,
          diagnostics: [Diagnostic(.error, rule: "unreadable-file", "no such file: \(path)", at: .file(path))])
      }
      return DocumentReader.read(Array(text.utf8), named: path, options: options)
    }
    return validator.validate(
      files.sorted { $0.key < $1.key }.map { NamedFile(name: $0.key, bytes: Array($0.value.utf8)) })
  }

  @Test func reportsProgressForEachFile() {
    let events = Mutex<[ProjectValidator.Progress]>([])
    var validator = ProjectValidator { path, _ in
      ReadResult(document: nil, diagnostics: [Diagnostic(.error, rule: "unreadable-file", "none", at: .file(path))])
    }
    validator.onProgress = { event in events.withLock { $0.append(event) } }
    _ = validator.validate(["a.json", "b.json"].map { NamedFile(name: $0, bytes: Array(Self.good.utf8)) })
    #expect(events.withLock { $0 } == [.started(files: 2), .read, .read, .checked, .checked])
  }

  @Test("reports findings in order even if several threads check files") func manyFiles() {
    let texts = Dictionary(
      uniqueKeysWithValues: (0..<2500).map { number in
        ("\(number).json", #"{"AppId": "no-guid-\#(number)", "GraphScopes": ["User.Read"]}"#)
      })
    let report = Self.validate(texts)
    #expect(report.files.map(\.name) == texts.keys.sorted())
    let findings = report.diagnostics.filter { $0.rule == "app-id-not-guid" }
    #expect(findings.map(\.place.source.name) == texts.keys.sorted())
    for finding in findings.prefix(3) {
      let name = finding.place.source.name
      let alone = Self.validate([name: texts[name] ?? ""]).diagnostics.filter { $0.rule == finding.rule }
      #expect(alone.map(\.message) == [finding.message])
      #expect(alone.map(\.place.span) == [finding.place.span])
    }
  }

  @Test func readsAFileThatManyScenariosUseOnce() {
    let reads = Mutex(0)
    let scenarios = (0..<20).map { "\"s\($0)\": {\"directory\": \"d.json\"}" }.joined(separator: ", ")
    let validator = ProjectValidator { path, options in
      if path == "d.json" { reads.withLock { $0 += 1 } }
      return DocumentReader.read(Array(#"{"directory": 1}"#.utf8), named: path, options: options)
    }
    let workflow =
      #"{"authflow": 1, "settings": {"AppId": "6731de76-14a6-49ae-97bc-6eba6914391e"}, "steps": ["listAccounts"], "#
    _ = validator.validate([NamedFile(name: "w.json", bytes: Array((workflow + "\"scenarios\": {\(scenarios)}}").utf8))]
    )
    #expect(reads.withLock { $0 } == 1)
  }

  @Test func stopsWhenCanceled() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return Self.validate(["w/app/Auth.json": #"{"AppID": 5}"#])
    }
    #expect(await task.value.files.isEmpty)
  }

  @Test func reportsNothingForValidFiles() {
    let report = Self.validate(["w/me.json": Self.workflow, "w/app/Auth.json": Self.good])
    #expect(report.diagnostics.map(\.message) == [])
    #expect(report.files.map { "\($0.kind)" } == ["authSettings", "workflow"])
  }

  @Test func checksSettingsOfAnEnvironmentMergedWithTheirBase() {
    let partial = #"{"Authority": "https://login.microsoftonline.com/organizations"}"#
    let files = ["Auth.json": Self.good, "Auth.dev.json": partial]
    #expect(Self.validate(files).diagnostics.map(\.message) == [])
    #expect(Self.validate(files).files.map { "\($0.kind)" } == ["authSettings", "authSettings"])
    // Without its base file, this file is incomplete. A defect in the file itself is reported once, at its location.
    let wrong = Self.validate(["Auth.json": Self.good, "Auth.dev.json": #"{"Authority": "http://example.com"}"#])
    #expect(wrong.hasErrors && wrong.diagnostics.allSatisfy { $0.place.source.name == "Auth.dev.json" })
    let base = #"{"GraphScopes": ["User.Read"]}"#
    #expect(!Self.validate(["Auth.json": base, "Auth.dev.json": Self.good]).hasErrors)
  }

  @Test func checksSettingsFilesOfAWorkflow() {
    let bad = #"{"AppId": "YOUR_APP_ID_HERE"}"#
    let report = Self.validate(["w/me.json": Self.workflow], referenced: ["w/app/Auth.json": bad])
    #expect(report.diagnostics.map(\.rule) == ["app-id-placeholder"])
    #expect(report.diagnostics.first?.place.source.name == "w/app/Auth.json")
    #expect(report.hasErrors)
  }

  @Test func reportsMissingSettingsWithTheReferringWorkflow() throws {
    let report = Self.validate(["w/me.json": Self.workflow])
    let problem = try #require(report.diagnostics.first)
    #expect(problem.rule == "unreadable-file")
    #expect(problem.related.first?.place.source.name == "w/me.json")
  }

  @Test func reportsFindingsInSharedSettingsOnce() {
    let bad = #"{"AppId": ""}"#
    let report = Self.validate(["a.json": Self.workflow, "b.json": Self.workflow, "app/Auth.json": bad])
    #expect(report.diagnostics.map(\.rule) == ["app-id-missing"])
  }

  @Test func reportsFindingsInAWorkflowAndItsSettings() {
    let text = """
      {"authflow": 1, "settings": {"AppId": "x"}, "steps": [{"silnet": {}}]}
      """
    let rules = Self.validate(["w.json": text]).diagnostics.map(\.rule)
    #expect(rules.contains("app-id-not-guid"))
    #expect(rules.count >= 2)
  }

  @Test func decodesADirectory() {
    #expect(
      Self.validate(["d.json": #"{"directory": 1, "tenannts": []}"#]).diagnostics.map(\.rule).contains("unknown-key"))
  }

  @Test func reportsANoteForAFileOfUnknownType() {
    let report = Self.validate(["x.json": #"{"name": "x"}"#])
    #expect(report.diagnostics.map(\.rule) == ["unknown-kind"])
    #expect(!report.hasErrors)
  }

  @Test(arguments: ["", "{", "[", "{\"AppId\": }", "\u{0}", "{\"AppId\": [1]}", "{\"AppId\": null}", "7"])
  func reportsMalformedFilesWithoutCrashing(text: String) {
    let report = Self.validate(["x.json": text])
    #expect(!report.diagnostics.isEmpty)
  }

  @Test func reportsANoteForABuildSettingWithoutAValue() {
    let report = Self.validate(["s.json": #"{"AppId": "$(CLIENT_ID)", "BundleId": "$(B)"}"#])
    #expect(report.diagnostics.map(\.severity) == [.note, .note])
    #expect(report.diagnostics.map(\.rule) == ["unresolved-variable", "unresolved-variable"])
  }

  @Test func findsSecretsInAnySection() {
    let report = Self.validate([
      "appsettings.json": """
      {"AzureAd": {"ClientId": "6731de76-14a6-49ae-97bc-6eba6914391e", "ClientSecret": "abc~1234def"},
       "Function": {"Url": "https://x.azurewebsites.net/api/Auth?code=DUMMYDUMMYDUMMYDUMMY=="},
       "Other": {"ClientSecret": "<secret>", "Url": "https://x/?code=1"}}
      """
    ])
    #expect(report.diagnostics.map(\.rule) == ["secret-committed", "secret-committed"])
  }

  @Test func comparesStepsWithTheSettingsOfTheirApp() {
    let id = "6731de76-14a6-49ae-97bc-6eba6914391e"
    let text = """
      {"authflow": 1, "settings": "s.json", "steps": [
        {"interactive": {"scopes": ["\(id)"], "extraScopesToConsent": ["Calendars.Raed"]}}, {"silent": {"scopes": ["${x}"]}}],
       "inputs": {"x": {"type": "string"}}}
      """
    let report = Self.validate(["w.json": text], referenced: ["s.json": Self.good])
    let rules = report.diagnostics.filter { $0.severity != .note }.map(\.rule)
    #expect(rules.contains("step-scope-reserved"))
    #expect(rules.contains("permission-unknown"))
  }

  /// If there are 10,000 findings, the report contains 100 findings and the number of omitted findings.
  @Test func limitsFindingsInOneFile() throws {
    let scopes = (0..<10_000).map { _ in #""openid""# }.joined(separator: ",")
    let report = Self.validate([
      "s.json": #"{"AppId": "6731de76-14a6-49ae-97bc-6eba6914391e", "GraphScopes": [\#(scopes)]}"#
    ])
    #expect(report.diagnostics.count == 101)
    #expect(report.diagnostics.contains { $0.message.contains("more findings of this rule") })
  }

  /// Findings from reading a file are limited in the same way as findings from rules. If errors are omitted, the last
  /// finding is an error.
  @Test func limitsFindingsFromReading() throws {
    let keys = (0..<400).map { #""k\#($0 % 2)": 1"# }.joined(separator: ",")
    let report = Self.validate(["s.json": #"{"AppId": "6731de76-14a6-49ae-97bc-6eba6914391e", \#(keys)}"#])
    #expect(report.diagnostics.count { $0.rule == "duplicate-key" } == 101)
    let more = try #require(report.diagnostics.first { $0.message.contains("more findings of this rule") })
    #expect(more.rule == "duplicate-key" && more.severity == .error)
  }
}
