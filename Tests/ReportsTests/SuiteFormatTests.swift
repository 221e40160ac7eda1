import Documents
import Effects
import Reports
import TestSupport
import Testing

/// Compares each output format of a suite with a golden file, because other programs read these reports.
@Suite struct SuiteFormatTests {
  /// A suite in two files that has a scenario with each status and uses all features.
  static let suite: SuiteResult = {
    var suite = SuiteResult(tool: "authflow 9", started: Instant(secondsSince1970: 1_735_689_600))
    suite.duration = .milliseconds(1500)
    suite.fingerprint = "00000000000000aa"
    suite.chosen = 5
    suite.jobs = 2
    suite.seed = "7"
    suite.shard = .init(index: 1, total: 1)
    suite.ending = .stopped
    for (index, verdict) in [TestResult.Status.passed, .failed, .error, .passed, .skipped].enumerated() {
      var test = TestResult(
        number: index + 1, file: index < 3 ? "a & b.yaml" : "c|d.yaml", name: "n#\(index + 1) <\u{1}x> \\ ☃",
        line: 3 + index,
        column: 5, verdict: verdict)
      test.duration = .milliseconds(12)
      test.elapsed = .seconds(90 * 86_400)
      test.tags = index == 0 ? ["slow"] : []
      if verdict == .skipped { test.reason = "another one had failed" }
      if verdict == .failed { test.failure = failed }
      if verdict == .error { test.failure = unmet }
      suite.tests.append(test)
    }
    return suite
  }()

  static let failed: TestFailure = {
    var failure = TestFailure()
    failure.expectedPath = ["silent.success", "callGraph.success"]
    failure.path = ["silent.interactionRequired", "callGraph.success"]
    failure.outcome = "success"
    failure.problems = [
      TestProblem(
        rule: "path", message: "the path differs at entry 1", file: "a & b.yaml", line: 4, column: 7,
        excerpt: "  4 | x: [silent.success]\n    |     ^^^^\n"),
      TestProblem(
        rule: "interactions", message: "expected 0, found 1", help: "look again", file: "a & b.yaml", line: 5, column: 9
      ),
    ]
    var divergence = TestDivergence(step: "silent", outcome: "interactionRequired")
    divergence.decisions = [.init(subject: "refresh token", verdict: "refused", reason: "AADSTS50173: it was revoked")]
    divergence.codes = ["invalid_grant", "AADSTS50173"]
    divergence.next = "interactive"
    divergence.rule = "default of silent: interactionRequired → fallback"
    failure.divergence = divergence
    failure.rerun = "authflow test 'a & b.yaml' --filter x"
    failure.watch = "authflow run 'a & b.yaml' --scenario x"
    return failure
  }()

  static let unmet: TestFailure = {
    var failure = TestFailure()
    failure.problems = [
      TestProblem(rule: "fault-unmet", message: "the fault never fired", file: "a & b.yaml", line: nil, column: nil)
    ]
    failure.rerun = "authflow test x"
    failure.watch = "authflow run x"
    return failure
  }()

  static let formats: [(String, String)] = [
    ("suite.xml", JUnitReport().text(suite)), ("suite.tap", TAPReport.text(suite)),
    ("suite.json", SuiteJSON.json(suite).text(pretty: true) + "\n"),
    ("suite.md", MarkdownSummary.text(suite, limit: 1 << 20)),
    (
      "suite.txt",
      suite.tests.map { SuiteText(style: style).failure($0) }.joined(separator: "\n")
        + SuiteText(style: style).summary(suite)
    ),
  ]
  static let style = TerminalStyle(color: false, unicode: true, width: 60)

  @Test(arguments: formats) func matchesItsGoldenFile(name: String, text: String) throws {
    let path = "Tests/Golden/\(name)"
    if ProjectFiles.updatesGoldenFiles { return try ProjectFiles.write(text, to: path) }
    let expected = String(decoding: try ProjectFiles.bytes(of: path), as: UTF8.self)
    #expect(text == expected, "changes to \(name) can break programs that read it")
  }
}
