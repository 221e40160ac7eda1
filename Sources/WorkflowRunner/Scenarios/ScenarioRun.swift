import Diagnostics
import Documents
import Effects
import OrderedCollections
import PublicClient
import RunTrace
import Synchronization
import WorkflowModel

/// Runs the preconditions, steps, and expectations of a scenario.
package struct ScenarioRun: Sendable {
  private let workflow: Workflow
  private let scenario: Scenario
  private let setup: RunSetup
  private let trace: TraceRecorder
  /// The total time by which the run advanced the clock.
  private let jumps = ClockAdvances()

  /// - Parameters:
  ///   - scenario: A scenario or one of its matrix rows.
  ///   - setup: The scenario's isolated environment. The scenario provides the user, the inputs, and the preconditions.
  package init(_ workflow: Workflow, scenario: Scenario, setup: RunSetup, trace: TraceRecorder) {
    self.workflow = workflow
    self.scenario = scenario
    self.trace = trace
    var setup = setup
    setup.given = scenario.body.given ?? []
    setup.before = scenario.body.before
    setup.user = scenario.body.user
    setup.inputs = scenario.body.inputs
    if let set = setup.setClock {
      setup.setClock = { [jumps, clock = setup.world.clock] instant in
        let before = clock.now
        set(instant)
        jumps.add(clock.now - before)
      }
    }
    self.setup = setup
  }

  package func run() async -> ScenarioReport {
    let start = setup.world.clock.now
    trace.record(.scenarioStarted, ["name": TraceValue(scenario.name)])
    var report = await evaluate()
    // Without a trace, only messages require masking.
    if report.verdict != .passed { LiteralSecrets.register(in: trace, of: workflow, setup) }
    report.mask(trace)
    report.elapsed = setup.world.clock.now - start - jumps.sum
    trace.record(
      .scenarioFinished,
      [
        "name": TraceValue(scenario.name), "outcome": TraceValue(report.verdict.rawValue),
        "broken": TraceValue(
          report.failureMessages),
      ])
    return report
  }

  private func evaluate() async -> ScenarioReport {
    let expectation = scenario.body.expect ?? ScenarioExpectation(place: scenario.place)
    var report: ScenarioReport
    do throws(RunFailure) {
      let record = try await WorkflowRun(workflow, setup: setup, trace: trace).run()
      report = ScenarioReport(record)
    } catch {
      switch error {
      case .application(let error):
        // A scenario can expect this result: {outcome: invalidRedirectURI, path: []}.
        report = ScenarioReport(refusal: error, workflow)
      case .given(let reason):
        report = ScenarioReport()
        report.problems = [
          ScenarioProblem(
            rule: "given", message: "precondition failed: \(reason.message)", help: reason.help,
            place: reason.place ?? scenario.place)
        ]
        return report
      }
    }
    guard let result = report.result else { return report }
    let inspection = report.inspection
    if let reason = report.impossible {
      report.problems = [
        ScenarioProblem(
          rule: "before",
          message: "event before \(report.ending?.step ?? "a step") failed:"
            + " \(reason.message)",
          help: reason.help, place: reason.place ?? scenario.place)
      ]
      return report
    }
    do throws(UnresolvedValue) {
      report.expectationResults = try expectation.evaluate(result)
    } catch {
      report.problems.append(
        ScenarioProblem(
          rule: "unresolved-value", message: error.message, help: error.help, place: error.place ?? expectation.place))
    }
    await pass(report.expectationResults, to: inspection)
    report.problems += unmetProblems(of: report, result)
    return report
  }

  /// Returns a problem for each fault or event that did not take effect.
  private func unmetProblems(of report: ScenarioReport, _ result: ScenarioResult) -> [ScenarioProblem] {
    // The scenario can end before one of the workflow's own faults triggers.
    let own = result.succeeded ? [] : workflow.eventPlaces
    // Faults that were added in a debugger's console do not belong to the scenario.
    let unmet = report.unmetFaults.filter {
      !own.contains($0.identity) && $0.source.name != ScriptedEvent.consoleSource
    }
    let faults = unmet.map { place in
      ScenarioProblem(
        rule: "fault-unmet", message: "fault never triggered",
        help: "check `at`: no request matched", place: place)
    }
    let before = report.unmetBefore.map { before in
      ScenarioProblem(
        rule: "before-unmet",
        message:
          "step \(before.text) was not reached, so its `before` events did not run:"
          + " the scenario did not test them",
        help: "compare with the path of the run: \(result.path.joined(separator: ", "))", place: before.place)
    }
    return faults + before
  }

  /// Notifies the debugger, if there is one, of the results of the scenario's expectations.
  private func pass(_ results: [ExpectationResult], to inspection: RunInspection?) async {
    guard let debugger = setup.debugger, let inspection else { return }
    for result in results {
      guard await inspection.pass(.expectation(result), to: debugger) else { return }
    }
  }
}

extension Workflow {
  /// The locations of the workflow's own `simulate` steps.
  fileprivate var eventPlaces: [FileSpan.Start] {
    (steps + finally).flatMap { step -> [FileSpan.Start] in
      if case .simulate(let events) = step.action { events.map(\.place.identity) } else { [] }
    }
  }
}

/// The total time by which the run advanced the clock.
private final class ClockAdvances: Sendable {
  private let state = Mutex(Duration.zero)

  var sum: Duration { state.withLock { $0 } }

  func add(_ length: Duration) { state.withLock { $0 += length } }
}

/// A problem that makes the result of a scenario invalid.
package struct ScenarioProblem: Sendable {
  /// The ID of the problem.
  package var rule: String
  package var message: String
  package var help: String?
  package var place: FileSpan

  package init(rule: String, message: String, help: String? = nil, place: FileSpan) {
    self.rule = rule
    self.message = message
    self.help = help
    self.place = place
  }

  package var diagnostic: Diagnostic { Diagnostic(.error, rule: rule, message, help: help, at: place) }
}

/// The result of a scenario.
package struct ScenarioReport: Sendable {
  package enum Verdict: String, Sendable, CaseIterable {
    /// All expectations passed.
    case passed
    /// An expectation failed.
    case failed
    /// The scenario could not run, or some of its events did not take effect.
    case error
  }

  /// The observed result, with which expectations are compared. Nil if no step ran.
  package var result: ScenarioResult?
  /// The workflow's result, which determines how the run ended.
  package var ending: WorkflowResult?
  /// The results of all expectations.
  package var expectationResults: [ExpectationResult] = []
  package var problems: [ScenarioProblem] = []
  /// The messages of the failed expectations and of the problems.
  package var failureMessages: [String] {
    expectationResults.filter { !$0.holds }.map(\.message) + problems.map(\.message)
  }
  package var unmetFaults: [FileSpan] = []
  package var unmetBefore: [BeforeStep] = []
  /// The unresolved value that made an event before a step fail and ended the run, or nil.
  package var impossible: UnresolvedValue?
  /// The error that prevented the creation of the application object. If this is not nil, no step ran.
  package private(set) var refusal: MSALError?
  /// The message of this error.
  package var refusalMessage: String? { refusal?.message }
  /// The time that passed on the virtual clock. Excludes clock changes by events.
  package var elapsed: Duration = .zero
  /// The state at the end of the run, for a debugger.
  fileprivate var inspection: RunInspection?

  package var verdict: Verdict {
    if !problems.isEmpty { return .error }
    return expectationResults.allSatisfy(\.holds) ? .passed : .failed
  }

  /// Creates the report for a scenario that has not run.
  package init() {}

  /// Returns the report for a scenario that was canceled.
  package static func interrupted(at place: FileSpan) -> ScenarioReport {
    var report = ScenarioReport()
    report.problems = [ScenarioProblem(rule: "interrupted", message: "interrupted", place: place)]
    return report
  }

  /// Masks the secrets of the run in the result.
  fileprivate mutating func mask(_ trace: TraceRecorder) {
    expectationResults = expectationResults.map { judgement in
      var masked = judgement
      masked.result.expected = trace.mask(judgement.result.expected)
      masked.result.actual = trace.mask(judgement.result.actual)
      return masked
    }
    problems = problems.map { trouble in
      var masked = trouble
      masked.message = trace.mask(trouble.message)
      masked.help = trouble.help.map { trace.mask($0) }
      return masked
    }
  }

  init(_ record: RunResult) {
    ending = record.ending
    unmetFaults = record.unmetFaults
    unmetBefore = record.unmetBefore
    impossible = record.impossible
    inspection = record.inspection
    result = ScenarioResult(
      outcome: record.ending.outcome, succeeded: record.succeeded, path: record.path,
      transitions: record.transitions, interactions: record.interactions, pages: record.pages,
      requests: record.requests,
      accounts: record.accounts,
      context: record.context)
  }

  /// Creates the report for a scenario whose application object could not be created.
  init(refusal error: MSALError, _ workflow: Workflow) {
    refusal = error
    result = ScenarioResult(
      outcome: OutcomeName(error), succeeded: false, path: [], interactions: 0, requests: [:], accounts: [],
      context: EvaluationContext(facts: StepFacts(), scope: ValueScope(names: [:]), stepIDs: workflow.stepIDs))
  }
}
