/// The result of a scenario for reports, without the data of the run.
package struct TestResult: Sendable, Hashable {
  package enum Status: String, Sendable, CaseIterable {
    /// All expectations passed.
    case passed
    /// An expectation failed.
    case failed
    /// The scenario could not run, or some of its events did not take effect.
    case error
    /// The scenario did not run completely.
    case skipped
  }

  /// The position in the entire suite before sharding, starting at 1.
  package var number: Int
  /// The path to the workflow file.
  package var file: String
  package var name: String
  /// The line where the scenario is defined, starting at 1.
  package var line: Int
  package var column: Int
  package var verdict: Status
  /// The real duration of the scenario, as opposed to its virtual time.
  package var duration: Duration = .zero
  /// The time that passed on the virtual clock.
  package var elapsed: Duration = .zero
  package var tags: [String] = []
  /// The reason why the scenario was skipped.
  package var reason: String?
  /// The details of the failure.
  package var failure: TestFailure?

  package init(number: Int, file: String, name: String, line: Int, column: Int, verdict: Status) {
    self.number = number
    self.file = file
    self.name = name
    self.line = line
    self.column = column
    self.verdict = verdict
  }

  /// The name that lists show and that `--filter` matches.
  package var title: String { "\(file): \(name)" }
  /// The location in the format that compilers use.
  package var place: String { "\(file):\(line):\(column)" }
}

/// The details of a failed scenario.
package struct TestFailure: Sendable, Hashable {
  /// The entries in the expected path, including `...`. Nil if the scenario does not expect a path.
  package var expectedPath: [String]?
  /// The actual path.
  package var path: [String] = []
  /// The final outcome: `success`, or the outcome that ended the run.
  package var outcome: String?
  /// All failed expectations and other problems.
  package var problems: [TestProblem] = []
  /// The first step that differs from the expected path, with its decisions.
  package var divergence: TestDivergence?
  /// The command that runs only this scenario.
  package var rerun = ""
  package var watch = ""

  package init() {}

  /// Whether the failure is a difference between the expected and the actual path.
  package var isAboutPath: Bool { expectedPath != nil && problems.contains { $0.rule == "path" } }

  /// The failure in one line.
  package var headline: String { problems.first?.message ?? "failed" }
}

/// A problem and its location.
package struct TestProblem: Sendable, Hashable {
  /// The rule that reports a scenario whose repetitions have different traces.
  package static let flakyRule = "not-deterministic"

  /// The value that was checked, such as `path` or `silent.tokenSource`, or the type of problem, such as `fault-unmet`.
  package var rule: String
  package var message: String
  package var help: String?
  package var file: String
  /// The line, starting at 1, or nil if the problem concerns the entire file.
  package var line: Int?
  package var column: Int?
  /// The source line with a caret below it, without colors.
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

/// The first step that differs from a scenario's expected path.
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

  /// The full step ID.
  package var step: String
  package var outcome: String
  /// The decisions in order.
  package var decisions: [Decision] = []
  /// The error codes from MSAL, OAuth, and the service, such as `AADSTS50173`.
  package var codes: [String] = []
  /// The service's error description.
  package var description: String?
  /// The target of the transition after the step, and the rule that selected the target. The target is a step ID,
  /// `success`, or `failure`.
  package var next: String?
  package var rule: String?

  package init(step: String, outcome: String) {
    self.step = step
    self.outcome = outcome
  }
}
