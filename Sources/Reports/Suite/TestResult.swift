/// How one scenario came out, as reports tell it: small, and without the run that it tells of.
package struct TestResult: Sendable, Hashable {
  package enum Status: String, Sendable, CaseIterable {
    /// Everything that was expected came true.
    case passed
    /// Something did not.
    case failed
    /// It could not be run or judged, or did not test what it says.
    case error
    /// It was not run, or not to its end.
    case skipped
  }

  /// Its place in the whole suite, before anything was divided among machines; counts from 1.
  package var number: Int
  /// The workflow's file, as it was found.
  package var file: String
  package var name: String
  /// Where the scenario is written; both count from 1.
  package var line: Int
  package var column: Int
  package var verdict: Status
  /// How long the machine took.
  package var duration: Duration = .zero
  /// How much time passed in the scenario's own world.
  package var elapsed: Duration = .zero
  package var tags: [String] = []
  /// Why it was skipped.
  package var reason: String?
  /// What is told of it where it did not pass.
  package var failure: TestFailure?

  package init(number: Int, file: String, name: String, line: Int, column: Int, verdict: Status) {
    self.number = number
    self.file = file
    self.name = name
    self.line = line
    self.column = column
    self.verdict = verdict
  }

  /// What it is called in lists, and what `--filter` looks at.
  package var title: String { "\(file): \(name)" }
  /// Where it is written, as compilers say it.
  package var place: String { "\(file):\(line):\(column)" }
}

/// Why a scenario did not pass.
package struct TestFailure: Sendable, Hashable {
  /// What was expected of the path, entry by entry, `...` included; nil where the scenario says nothing of it.
  package var expectedPath: [String]?
  /// The way it went.
  package var path: [String] = []
  /// `success`, or the outcome that ended it.
  package var outcome: String?
  /// Every broken expectation, and whatever else was wrong.
  package var problems: [TestProblem] = []
  /// The step at which it went another way, and what was decided there.
  package var divergence: TestDivergence?
  /// The command that runs just this scenario again, and the one that shows it.
  package var rerun = ""
  package var watch = ""

  package init() {}

  /// Whether the path itself is what was wrong.
  package var isAboutPath: Bool { expectedPath != nil && problems.contains { $0.rule == "path" } }

  /// The failure in one line.
  package var headline: String { problems.first?.message ?? "it failed" }
}

/// One thing that was wrong, with its place.
package struct TestProblem: Sendable, Hashable {
  /// What was looked at (`path`, `silent.tokenSource`), or what sort of trouble it was (`fault-unmet`).
  package var rule: String
  package var message: String
  package var help: String?
  package var file: String
  /// Both count from 1; nil where it is about the whole file.
  package var line: Int?
  package var column: Int?
  /// The source line with a mark under the place, without colors.
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

/// What happened in the step at which a scenario went another way than was expected.
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

  /// The step's full id.
  package var step: String
  package var outcome: String
  /// The decisions that led there, in their order.
  package var decisions: [Decision] = []
  /// What the step's error was called, by MSAL, by OAuth and by the service (`AADSTS50173`).
  package var codes: [String] = []
  /// What the service said.
  package var description: String?
  /// Where the workflow went from there: a step's id, `success` or `failure`; and by which rule.
  package var next: String?
  package var rule: String?

  package init(step: String, outcome: String) {
    self.step = step
    self.outcome = outcome
  }
}
