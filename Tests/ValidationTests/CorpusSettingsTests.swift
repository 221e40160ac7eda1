import Diagnostics
import TestSupport
import Testing
import Validation

/// Settings files of public projects: every mistake is found at its place by its rule, and nothing else is said aloud.
@Suite struct CorpusSettingsTests {
  /// By the end of the file's name: the rules, and the text that each points at.
  static let problems: [(suffix: String, findings: [(String, String)])] = [
    (
      "ios-swift__demo__GraphTutorial__GraphTutorial__AuthSettings.example.plist",
      [("app-id-placeholder", "YOUR_APP_ID_HERE")]
    ),
    (
      "ios-objectivec__demo__GraphTutorial__GraphTutorial__AuthSettings.example.plist",
      [("app-id-placeholder", "YOUR_APP_ID_HERE")]
    ),
    (
      "antsglobal__Ants-iosApp__GraphTutorial__AuthSettings.plist.example", [("app-id-placeholder", "YOUR_APP_ID_HERE")]
    ),
    ("AuthSettings@2f58ac92.plist.example", [("app-id-placeholder", "YOUR_APP_ID_HERE")]),
    ("antsglobal__Ants-iosApp__GraphTutorial__AuthSettings.plist", [("app-id-white-space", "\n")]),
    (
      "AppSettings@f8773c9a.plist",
      [
        ("secret-committed", "?code="), ("app-id-missing", ""), ("tenant-form", ""), ("redirect-uri-form", ""),
        ("scopes-empty", "<array/>"),
      ]
    ),
  ]

  static let files = CorpusTests.expectations.filter { $0.kind == "authsettings" }

  @Test(.enabled(if: Corpus.isPresent), arguments: files.map(\.file))
  func everyProblemIsFoundAtItsPlace(file: String) throws {
    let expected = Self.problems.first { file.hasSuffix($0.suffix) }?.findings ?? []
    let found = try CorpusTests.validate(file).diagnostics.filter { $0.severity != .note }
    #expect(found.map(\.rule) == expected.map(\.0))
    for (finding, (_, text)) in zip(found, expected) {
      let span = try #require(finding.place.span)
      let pointedAt = finding.place.source.text(in: span)
      #expect(pointedAt.contains(text))
      if text.isEmpty { #expect(pointedAt == "<string></string>") }
    }
  }

  @Test(.enabled(if: Corpus.isPresent)) func everyProblemIsInTheTable() {
    let wrong = Self.files.filter { $0.expect == "problem" }.map(\.file)
    #expect(wrong.count == Self.problems.count)
    for file in wrong { #expect(Self.problems.count { file.hasSuffix($0.suffix) } == 1, "\(file)") }
  }
}
