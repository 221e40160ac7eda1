import Effects
import OrderedCollections

/// A run as a test suite, with a test for each step and a test for the entire run.
package enum RunSuite {
  package static func record(_ tracedRun: TracedRun) -> SuiteResult {
    var suite = SuiteResult(tool: tracedRun.tool, started: tracedRun.started)
    suite.duration = RunSummaryLine.duration(tracedRun)
    suite.ending = tracedRun.ending == nil || tracedRun.exitCode == 130 ? .interrupted : .complete
    let file = tracedRun.file ?? RunSummaryLine.title(tracedRun)
    var entries: [String: Int] = [:]
    for position in tracedRun.steps.indices {
      let step = tracedRun.steps[position]
      entries[step.id, default: 0] += 1
      let entry = entries[step.id, default: 1]
      var test = TestResult(
        number: suite.tests.count + 1, file: file, name: entry == 1 ? step.id : "\(step.id) (\(entry))",
        line: step.place?.line ?? 1, column: step.place?.column ?? 1, verdict: verdict(step))
      test.duration = RunSummaryLine.duration(step) ?? .zero
      switch test.verdict {
      case .passed: break
      case .skipped: test.reason = step.leftBy ?? "not on the path"
      case .failed, .error: test.failure = failure(tracedRun, position, file)
      }
      suite.tests.append(test)
    }
    suite.tests.append(whole(tracedRun, file, number: suite.tests.count + 1))
    suite.chosen = suite.tests.count
    return suite
  }

  private static func verdict(_ step: TracedStep) -> TestResult.Status {
    switch step.verdict {
    case .ok, .handled: .passed
    case .failed: .failed
    case .skipped: .skipped
    case .unfinished: .error
    }
  }

  private static func failure(_ tracedRun: TracedRun, _ position: Int, _ file: String) -> TestFailure {
    let step = tracedRun.steps[position]
    var failure = TestFailure()
    failure.outcome = step.outcome
    let broken = step.broken.map { ("expect", $0) }
    let outcome = (step.outcome ?? "unfinished", headline(step))
    failure.problems = (broken.isEmpty ? [outcome] : broken).map { rule, message in
      TestProblem(
        rule: rule, message: message, file: step.place?.file ?? file, line: step.place?.line,
        column: step.place?.column)
    }
    failure.divergence = divergence(tracedRun, position)
    return failure
  }

  private static func headline(_ step: TracedStep) -> String {
    guard let outcome = step.outcome else { return "the trace ends before the step" }
    return step.means.map { "\(outcome): \($0)" } ?? outcome
  }

  private static func divergence(_ tracedRun: TracedRun, _ position: Int) -> TestDivergence {
    let step = tracedRun.steps[position]
    var divergence = TestDivergence(step: step.id, outcome: step.outcome ?? "unfinished")
    divergence.decisions = tracedRun.reasons(ofStep: position).map {
      TestDivergence.Decision(subject: $0.subject, verdict: $0.verdict, reason: $0.reason)
    }
    if let failure = step.failure {
      divergence.codes = [failure.msal, failure.code, failure.oauth, failure.suberror].compactMap { $0 }
      divergence.description = failure.description.map(TerminalRunReport.withoutTraceIDs)
    }
    divergence.next = step.next
    divergence.rule = step.leftBy
    return divergence
  }

  /// Returns the test for the entire run. This separate test is necessary because a step can fail as expected, and
  /// because an expectation can fail even though all steps pass.
  private static func whole(_ tracedRun: TracedRun, _ file: String, number: Int) -> TestResult {
    let verdict: TestResult.Status =
      switch tracedRun.succeeded {
      case true?: .passed
      case false?: tracedRun.scenario?.outcome == "error" ? .error : .failed
      case nil: .error
      }
    var test = TestResult(
      number: number, file: file, name: tracedRun.scenario.map { "scenario \($0.name)" } ?? "the run", line: 1,
      column: 1,
      verdict: verdict)
    test.duration = RunSummaryLine.duration(tracedRun)
    guard verdict != .passed else { return test }
    var failure = TestFailure()
    failure.path = tracedRun.ending?.path ?? []
    failure.outcome = tracedRun.ending?.outcome
    let broken = tracedRun.scenario?.broken ?? []
    failure.problems = (broken.isEmpty ? [RunSummaryLine.reason(tracedRun) ?? "it failed"] : broken).map {
      TestProblem(rule: broken.isEmpty ? "outcome" : "expect", message: $0, file: file, line: nil, column: nil)
    }
    test.failure = failure
    return test
  }
}
