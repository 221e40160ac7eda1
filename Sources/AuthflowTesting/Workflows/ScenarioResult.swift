import Diagnostics
import Foundation
import Scenarios
import WorkflowModel
import WorkflowRunner

/// How a scenario came out.
public struct ScenarioResult: Sendable {
  /// The three ways in which a scenario comes out.
  public enum Status: String, Hashable, Sendable {
    /// Everything that was expected came true.
    case passed
    /// Something did not.
    case failed
    /// It could not be run or judged, or did not test what it says: a fault that never fired, for one.
    case error
  }

  /// The scenario's name.
  public let scenario: String
  /// Whether it passed, failed, or tested nothing.
  public let verdict: Status
  /// Every step with its outcome, in order, such as `silent.interactionRequired`.
  public let path: [String]
  /// `success`, or the outcome that ended the workflow; nil where no step was performed.
  public let outcome: String?
  /// How often the user sat down at a sign-in page.
  public let interactions: Int
  /// Requests from the first step on.
  public let requests: RequestCounts
  /// The usernames of the accounts that are left.
  public let accounts: [String]
  /// How much time passed in the scenario's own world.
  public let elapsed: Duration
  /// Each expectation that was broken and each trouble, with the place where it is written.
  public let problems: [AuthflowError.Diagnostic]
  /// For people: expected and actual path side by side, each problem where it is written, and what was decided at the step
  /// where it went another way. One line where it passed.
  public let explanation: String

  /// Whether everything that was expected came true.
  public var passed: Bool { verdict == .passed }

  init(_ report: ScenarioReport, of scenario: ScenarioCase, explanation: String) {
    self.scenario = scenario.name
    verdict = Status(rawValue: report.verdict.rawValue) ?? .error
    path = report.result?.path ?? []
    outcome = report.result?.outcome
    interactions = report.result?.interactions ?? 0
    requests = RequestCounts { report.result?.requests[$0] ?? 0 }
    accounts = report.result?.accounts ?? []
    elapsed = report.elapsed
    let broken = report.judgements.filter { !$0.holds }.map { judgement in
      Diagnostics.Diagnostic(.error, rule: "expectation", judgement.words, at: judgement.place)
    }
    let told = broken + report.troubles.map(\.diagnostic)
    problems = told.map(AuthflowError.Diagnostic.init)
    self.explanation = explanation.isEmpty ? "\(scenario.name): passed" : explanation
  }
}

/// A scenario that did not pass, as ``WorkflowScenario/check()`` throws it.
public struct ScenarioFailure: Error, Sendable, CustomStringConvertible, LocalizedError {
  /// All that is known of it.
  public let result: ScenarioResult

  /// The result's explanation.
  public var description: String { result.explanation }
  /// What XCTest shows: the description.
  public var errorDescription: String? { description }
}
