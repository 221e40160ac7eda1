import Effects
import Reports
import Testing
import WorkflowModel

/// Tests the HTML report of a suite.
@Suite struct SuitePageTests {
  static func suite(_ text: String = "plain") -> SuiteResult {
    var suite = SuiteResult(tool: text, started: Instant(secondsSince1970: 1_735_689_600))
    suite.duration = .milliseconds(1234)
    for (number, verdict) in TestResult.Status.allCases.enumerated() {
      var test = TestResult(
        number: number + 1, file: "\(text).yaml", name: "\(text) \(verdict.rawValue)", line: 3, column: 5,
        verdict: verdict)
      test.duration = .milliseconds(number * 10)
      if verdict == .failed || verdict == .error {
        var failure = TestFailure()
        failure.expectedPath = ["silent.success", "callGraph.success"]
        failure.path = ["silent.interactionRequired", text]
        failure.problems = [
          TestProblem(rule: "path", message: text, help: text, file: text, line: 3, column: 5, excerpt: text)
        ]
        failure.divergence = TestDivergence(step: text, outcome: text)
        failure.divergence?.decisions = [.init(subject: text, verdict: text, reason: text)]
        failure.rerun = "authflow run \(text)"
        failure.watch = "authflow watch \(text)"
        test.failure = failure
      }
      if verdict == .skipped { test.reason = text }
      suite.tests.append(test)
    }
    suite.coverage = [
      CoverageRecord(
        title: text, file: text, runs: 1,
        entries: [
          .init(
            id: text, kind: text, isFinally: false, times: 0, outcomes: [.init(name: text, times: 0)],
            arrows: [.init(to: text, sort: .next, outcomes: [text], times: 0)])
        ])
    ]
    return suite
  }

  @Test func listsFailuresFirstWithRerunCommands() throws {
    let html = SuitePage(suite: Self.suite()).html()
    let failures = try #require(html.firstRange(of: "<section id=\"failures\""))
    let scenarios = try #require(html.firstRange(of: "<section id=\"scenarios\""))
    #expect(failures.lowerBound < scenarios.lowerBound)
    #expect(html.contains("<pre>authflow run plain</pre>"))
    #expect(html.contains("<td>silent.success<td>silent.interactionRequired"))
    #expect(html.contains("<h1>4 scenarios</h1>"))
    #expect(html.contains("<a href=\"#failure-2\">plain error</a>"))
    #expect(html.contains("0 %<progress"))
    #expect(html.contains("never performed"))
  }

  @Test func marksSlowScenariosAndListsFlakyOnes() {
    var suite = Self.suite()
    suite.tests = (1...9).map { number in
      var test = TestResult(number: number, file: "a.yaml", name: "n\(number)", line: 1, column: 1, verdict: .passed)
      test.duration = .milliseconds(number == 9 ? 200 : 10)
      return test
    }
    suite.repeats = 3
    #expect(suite.tests.filter(suite.isSlow).map(\.name) == ["n9"])
    #expect(suite.ratio(of: suite.tests[8]) == 20)
    #expect(SuitePage(suite: suite).html().contains("All 3 runs of each scenario have the same trace."))
    var failure = TestFailure()
    failure.problems = [
      TestProblem(rule: TestProblem.flakyRule, message: "differs in run 2", file: "a.yaml", line: 1, column: 1)
    ]
    suite.tests[0].verdict = .failed
    suite.tests[0].failure = failure
    #expect(suite.flaky.map(\.name) == ["n1"])
    #expect(SuitePage(suite: suite).html().contains("a.yaml: n1<td>differs in run 2"))
  }

  @Test(arguments: RunPageTests.hostile) func escapesTextFromSuites(text: String) {
    let html = SuitePage(suite: Self.suite(text)).html()
    #expect(html.ranges(of: "<script>").count == 1)
    #expect(!html.contains("<img") && !html.contains("<svg"))
    #expect(!html.contains("href=\"javascript"))
    #expect(!html.unicodeScalars.contains { $0 == "\0" || $0 == "\u{202E}" })
  }

  @Test func omitsEmptySections() {
    var suite = Self.suite()
    suite.tests.removeAll { $0.verdict != .passed }
    suite.coverage = nil
    let html = SuitePage(suite: suite).html()
    #expect(!html.contains("id=\"failures\"") && !html.contains("id=\"coverage\""))
    #expect(html.contains("passed"))
  }
}
