import Diagnostics
import Documents
import Testing

import Validation

/// Tests that a former keyword or rule ID results in an error that contains the current name, and that `--fix` replaces
/// it.
@Suite struct RenamedKeywordTests {
  private static func fix(_ text: String) -> FixSession.Outcome {
    let validator = ProjectValidator { path, options in
      guard path == "w.yaml" else {
        return ReadResult(
          document: nil, diagnostics: [Diagnostic(.error, rule: "unreadable-file", path, at: .file(path))])
      }
      return DocumentReader.read(Array(text.utf8), named: path, options: options)
    }
    let file = NamedFile(name: "w.yaml", bytes: Array(text.utf8), root: "")
    return FixSession { ConfiguredValidator(validator: validator).check($0) }.run([file])
  }

  private static let former = """
    authflow: 1
    clients: { app: { AppId: 5ec0ad00-0000-4000-8000-000000000001, GraphScopes: [User.Read] } }
    steps:
      - { id: start, loadAccount: {}, on: { findings: happens, notFound: happens } }
      - happens: [passwordChanged, misbehaves: wrong-issuer, "behaves"]
      - together: [deviceInfo, 'deviceInfo']
      - loadAccount: {}
        id: again
        atMost: 2
        on: { notFound: next }
      - { id: check, assert: { again.outcome: findings }, on: { broken: next } }
    user: { takes: 2s }
    scenarios:
      one:
        given: [fault: { at: token, "answer": { status: 503 } }]
        before: { together: [offline] }
        expect:
          path: [start.notFound, happens.success, together.success, again.notFound, "check.broken"]

    """

  @Test func replacesAllFormerKeywords() {
    let outcome = Self.fix(Self.former)
    let renamed = outcome.before.diagnostics.filter { $0.rule == "renamed-keyword" }
    #expect(
      Set(renamed.map(\.message)).isSuperset(of: [
        "`happens` was renamed to `simulate`", "`together` was renamed to `parallel`",
        "`atMost` was renamed to `maxRuns`", "`takes` was renamed to `delay`",
      ]))
    #expect(renamed.allSatisfy { $0.severity == .error && $0.fix != nil })
    #expect(outcome.report.diagnostics.filter { $0.rule == "renamed-keyword" }.map(\.message) == [])
    let fixed = outcome.files.first.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    let expected = Self.former
      .replacing("happens", with: "simulate").replacing("together", with: "parallel")
      .replacing("atMost", with: "maxRuns").replacing("broken", with: "violated").replacing("takes", with: "delay")
      .replacing("\"answer\"", with: "\"response\"").replacing("\"behaves\"", with: "\"stopsMisbehaving\"")
    #expect(fixed == expected)
  }

  @Test func reportsASuppressionWithAFormerRuleID() throws {
    let zero = SuppressionTests.zero
    let report = SuppressionTests.validate("# authflow:ignore tenant-form, app-id-zero -- a sample\nAppId: \(zero)\n")
    let finding = try #require(report.diagnostics.first { $0.rule == "suppression-unknown-rule" })
    #expect(finding.severity == .error)
    #expect(finding.message == "`tenant-form` is now called `tenant-malformed`")
    #expect(finding.fix?.edits.map(\.replacement) == ["tenant-malformed"])
    let (_, problems) = SuppressionTests.read(
      "rules: { two-kinds: off }\nignore: [{ path: a, rule: scope-form, reason: known }]\n")
    #expect(problems.filter { $0.rule == "suppression-unknown-rule" }.count == 2)
  }

  @Test func mapsEveryFormerRuleIDToACurrentOne() {
    for (former, current) in RenamedRule.current {
      #expect(!RuleNames.contains(former), "\(former) is in use")
      #expect(former != current)
    }
    let missing = RenamedRule.current.values.filter { !RuleNames.contains($0) }
    #expect(missing.sorted() == [])
  }
}
