/// The result of a scenario for reports, without the data of its run.
package struct TestResult: Sendable, Hashable {
  package enum Status: String, Sendable, CaseIterable {
    /// All expectations passed.
    case passed
    /// An expectation failed.
    case failed
    /// The scenario could not run, or did not test its preconditions.
    case error
    /// The scenario did not run completely.
    case skipped
  }

  /// The position in the whole suite before sharding, from 1.
  package var number: Int
  /// The path of the workflow.
  package var file: String
  package var name: String
  /// The line of the scenario, from 1.
  package var line: Int
  package var column: Int
  package var verdict: Status
  /// The duration on the machine.
  package var duration: Duration = .zero
  /// The time that passed on the virtual clock.
  package var elapsed: Duration = .zero
  package var tags: [String] = []
  /// The reason that it was skipped.
  package var reason: String?
  /// The details of a failure.
  package var failure: TestFailure?

  package init(number: Int, file: String, name: String, line: Int, column: Int, verdict: Status) {
    self.number = number
    self.file = file
    self.name = name
    self.line = line
    self.column = column
    self.verdict = verdict
  }

  /// The name in lists and for `--filter`.
  package var title: String { "\(file): \(name)" }
  /// The location in the form of compilers.
  package var place: String { "\(file):\(line):\(column)" }
}

/// The details of a failed scenario.
package struct TestFailure: Sendable, Hashable {
  /// The entries of the expected path, including `...`, or nil without an expectation.
  package var expectedPath: [String]?
  /// The actual path.
  package var path: [String] = []
  /// `success`, or the outcome that ended the run.
  package var outcome: String?
  /// All failed expectations and other problems.
  package var problems: [TestProblem] = []
  /// The step that deviated, with its decisions.
  package var divergence: TestDivergence?
  /// The command that runs only this scenario, and the one that shows it.
  package var rerun = ""
  package var watch = ""

  package init() {}

  /// Whether the path itself deviates.
  package var isAboutPath: Bool { expectedPath != nil && problems.contains { $0.rule == "path" } }

  /// The failure in one line.
  package var headline: String { problems.first?.message ?? "failed" }
}

/// A problem with its location.
package struct TestProblem: Sendable, Hashable {
  /// The checked value (`path`, `silent.tokenSource`), or the type of problem (`fault-unmet`).
  package var rule: String
  package var message: String
  package var help: String?
  package var file: String
  /// The line, from 1, or nil for the whole file.
  package var line: Int?
  package var column: Int?
  /// The source line with a caret, without colors.
  package var excerpt: String

  package init(
    rule: String, message: String, help: String? = nil, file: String, line: Int?, column: Int?, excerpt: String = ""
  ) {
    self.rule = rule
    self.message = message
    self.help = help
    self.file = file
    self.line = line
    self.column = column
    self.excerpt = excerpt
  }

  package var place: String {
    guard let line, let column else { return file }
    return "\(file):\(line):\(column)"
  }
}

/// The step at which a scenario deviated from the expected path.
package struct TestDivergence: Sendable, Hashable {
  package struct Decision: Sendable, Hashable {
    package var subject: String
    package var verdict: String
    package var reason: String

    package init(subject: String, verdict: String, reason: String) {
      self.subject = subject
      self.verdict = verdict
      self.reason = reason
    }
  }

  /// The full ID of the step.
  package var step: String
  package var outcome: String
  /// The decisions in order.
  package var decisions: [Decision] = []
  /// The error codes of MSAL, OAuth, and the service (`AADSTS50173`).
  package var codes: [String] = []
  /// The error description of the service.
  package var description: String?
  /// The target after the step, a step ID, `success`, or `failure`, and the rule for it.
  package var next: String?
  package var rule: String?

  package init(step: String, outcome: String) {
    self.step = step
    self.outcome = outcome
  }
}
