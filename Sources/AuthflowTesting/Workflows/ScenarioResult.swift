import Diagnostics
import Foundation
import Scenarios
import WorkflowModel
import WorkflowRunner

/// The result of a scenario.
public struct ScenarioResult: Sendable {
  /// The status of a scenario.
  public enum Status: String, Hashable, Sendable {
    /// All expectations passed.
    case passed
    /// An expectation failed.
    case failed
    /// The scenario could not run, or a precondition had no effect. For example, no request triggered a fault.
    case error
  }

  /// The name of the scenario.
  public let scenario: String
  /// The status of the scenario.
  public let verdict: Status
  /// All steps of the run with their outcomes, such as `silent.interactionRequired`, in order.
  public let path: [String]
  /// The outcome that ended the workflow, or `success`. The value is nil if no step ran.
  public let outcome: String?
  /// The number of times that the browser opened.
  public let interactions: Int
  /// The number of pages that the user saw. With single sign-on, the browser opens without showing a page.
  public let pages: Int
  /// The number of requests, excluding requests made by the preconditions.
  public let requests: RequestCounts
  /// The usernames of the accounts at the end of the scenario.
  public let accounts: [String]
  /// The time that passed on the virtual clock.
  public let elapsed: Duration
  /// All failed expectations and other problems, with their locations.
  public let problems: [AuthflowError.Diagnostic]
  /// An explanation of the failure. It shows the expected and the actual path side by side, each problem with its
  /// location, and the decisions in the first unexpected step. If the scenario passed, the explanation is a single
  /// line.
  public let explanation: String

  /// Whether all expectations passed.
  public var passed: Bool { verdict == .passed }

  init(_ report: ScenarioReport, of scenario: ScenarioCase, explanation: String) {
    self.scenario = scenario.name
    verdict = Status(rawValue: report.verdict.rawValue) ?? .error
    path = report.result?.path ?? []
    outcome = report.result?.outcome.rawValue
    interactions = report.result?.interactions ?? 0
    pages = report.result?.pages ?? 0
    requests = RequestCounts { report.result?.requests[$0] ?? 0 }
    accounts = report.result?.accounts ?? []
    elapsed = report.elapsed
    let broken = report.expectationResults.filter { !$0.holds }.map { judgement in
      Diagnostics.Diagnostic(.error, rule: "expectation", judgement.message, at: judgement.place)
    }
    let diagnostics = broken + report.problems.map(\.diagnostic)
    problems = diagnostics.map(AuthflowError.Diagnostic.init)
    self.explanation = explanation.isEmpty ? "\(scenario.name): passed" : explanation
  }
}

/// The error that ``WorkflowScenario/check()`` throws for a failed scenario.
public struct ScenarioFailure: Error, Sendable, CustomStringConvertible, LocalizedError {
  /// The result of the scenario.
  public let result: ScenarioResult

  /// The explanation of the result.
  public var description: String { result.explanation }
  /// The text that XCTest shows, identical to `description`.
  public var errorDescription: String? { description }
}
