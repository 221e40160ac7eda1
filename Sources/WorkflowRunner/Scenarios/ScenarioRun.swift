import Diagnostics
import Documents
import Effects
import OrderedCollections
import PublicClient
import RunTrace
import Synchronization
import WorkflowModel

/// One scenario of a workflow: what is given, the run, and whether what is expected came true.
package struct ScenarioRun: Sendable {
  private let workflow: Workflow
  private let scenario: Scenario
  private let setup: RunSetup
  private let trace: TraceRecorder
  /// How far the clock was set, forwards and back, without time passing.
  private let jumps = ClockAdvances()

  /// - Parameters:
  ///   - scenario: a single one: a case of a matrix, never the matrix itself.
  ///   - setup: the world that the scenario has for itself; its user, inputs and givens are the scenario's.
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
    // A run without a trace looks for these only if a message can show them.
    if report.verdict != .passed { LiteralSecrets.keep(in: trace, of: workflow, setup) }
    report.mask(trace)
    report.elapsed = setup.world.clock.now - start - jumps.sum
    trace.record(
      .scenarioFinished,
      [
        "name": TraceValue(scenario.name), "outcome": TraceValue(report.verdict.rawValue),
        "broken": TraceValue(report.judgements.filter { !$0.holds }.map(\.words) + report.troubles.map(\.message)),
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
        // A scenario may expect just this: {outcome: invalidRedirectURI, path: []}.
        report = ScenarioReport(refusal: error, workflow)
      case .given(let reason):
        report = ScenarioReport()
        report.troubles = [
          ScenarioProblem(
            rule: "given", message: "what is given did not come about: \(reason.message)", help: reason.help,
            place: reason.place ?? scenario.place)
        ]
        return report
      }
    }
    guard let result = report.result else { return report }
    if let reason = report.impossible {
      report.troubles = [
        ScenarioProblem(
          rule: "before",
          message: "what is to happen before \(report.ending?.step ?? "a step") did not come about:"
            + " \(reason.message)",
          help: reason.help, place: reason.place ?? scenario.place)
      ]
      return report
    }
    do throws(UnresolvedValue) {
      report.judgements = try expectation.judge(result)
    } catch {
      report.troubles.append(
        ScenarioProblem(
          rule: "unresolved-value", message: error.message, help: error.help, place: error.place ?? expectation.place))
    }
    // A fault of the workflow's own says nothing about a scenario that is about a run which ends before it.
    let own = result.succeeded ? [] : workflow.eventPlaces
    report.troubles += report.unmetFaults.filter { !own.contains($0.identity) }.map { place in
      ScenarioProblem(
        rule: "fault-unmet", message: "this fault never fired: the scenario did not test what it says",
        help: "check where it strikes, and whether a request goes there", place: place)
    }
    report.troubles += report.unmetBefore.map { before in
      ScenarioProblem(
        rule: "before-unmet",
        message:
          "the run never came to \(before.words), before which this was to happen:"
          + " the scenario did not test what it says",
        help: "compare with the path that the run took: \(result.path.joined(separator: ", "))", place: before.place)
    }
    return report
  }
}

extension Workflow {
  /// Where its own steps say that something happens.
  fileprivate var eventPlaces: [FileSpan.Start] {
    (steps + finally).flatMap { step -> [FileSpan.Start] in
      if case .simulate(let events) = step.action { events.map(\.place.identity) } else { [] }
    }
  }
}

/// How far a clock was set in all.
private final class ClockAdvances: Sendable {
  private let state = Mutex(Duration.zero)

  var sum: Duration { state.withLock { $0 } }

  func add(_ length: Duration) { state.withLock { $0 += length } }
}

/// What stands in the way of judging a scenario, or makes its verdict worthless.
package struct ScenarioProblem: Sendable {
  /// A stable name for what sort of thing it is.
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

/// How a scenario came out.
package struct ScenarioReport: Sendable {
  package enum Verdict: String, Sendable, CaseIterable {
    /// Everything that was expected came true.
    case passed
    /// Something did not.
    case failed
    /// It could not be run or judged, or did not test what it says.
    case error
  }

  /// What is known at the end; nil where no step was performed.
  package var result: ScenarioResult?
  /// How the run ended.
  package var ending: WorkflowResult?
  /// Every expectation, the broken ones among them.
  package var judgements: [ExpectationResult] = []
  package var troubles: [ScenarioProblem] = []
  package var unmetFaults: [FileSpan] = []
  package var unmetBefore: [BeforeStep] = []
  /// Why something could not happen before a step, where that ended the run.
  package var impossible: UnresolvedValue?
  /// Why the application object could not be made, where no step was performed for that.
  package private(set) var refusal: MSALError?
  /// How much time passed in the scenario's own world; that the clock was set is no passing.
  package var elapsed: Duration = .zero

  package var verdict: Verdict {
    if !troubles.isEmpty { return .error }
    return judgements.allSatisfy(\.holds) ? .passed : .failed
  }

  /// Of a scenario that was not run: nothing is known of it yet.
  package init() {}

  /// Somebody ended it before its time.
  package static func interrupted(at place: FileSpan) -> ScenarioReport {
    var report = ScenarioReport()
    report.troubles = [ScenarioProblem(rule: "interrupted", message: "it was interrupted", place: place)]
    return report
  }

  /// Masks the secrets of the run in everything that a result shows.
  fileprivate mutating func mask(_ trace: TraceRecorder) {
    judgements = judgements.map { judgement in
      var masked = judgement
      masked.result.expected = trace.mask(judgement.result.expected)
      masked.result.actual = trace.mask(judgement.result.actual)
      return masked
    }
    troubles = troubles.map { trouble in
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
    result = ScenarioResult(
      outcome: record.ending.outcome, succeeded: record.succeeded, path: record.path,
      transitions: record.transitions, interactions: record.interactions, requests: record.requests,
      accounts: record.accounts,
      knowledge: record.knowledge)
  }

  /// The application object could not be made: no step was performed, and nothing is known but why.
  init(refusal error: MSALError, _ workflow: Workflow) {
    refusal = error
    result = ScenarioResult(
      outcome: error.outcomeName, succeeded: false, path: [], interactions: 0, requests: [:], accounts: [],
      knowledge: EvaluationContext(facts: StepFacts(), scope: ValueScope(names: [:]), stepIDs: workflow.stepIDs))
  }
}
