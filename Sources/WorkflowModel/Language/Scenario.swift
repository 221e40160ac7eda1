import Diagnostics
import Documents
import OrderedCollections

/// A test case of a workflow: preconditions and an expected result.
package struct Scenario: Sendable {
  package var name: String
  package var place: FileSpan
  package var body = ScenarioBody()
  package var matrix: Matrix?

  package init(name: String, place: FileSpan, body: ScenarioBody = ScenarioBody(), matrix: Matrix? = nil) {
    self.name = name
    self.place = place
    self.body = body
    self.matrix = matrix
  }

  /// The scenarios to run. Without a matrix, this is only the scenario itself. With a matrix, there is a scenario for
  /// each row, with the row in its name.
  package var cases: [Scenario] {
    guard let matrix else { return [self] }
    return matrix.rows.map { row in
      var scenario = self
      scenario.name = name(of: row)
      scenario.body = row.body.over(body)
      scenario.matrix = nil
      return scenario
    }
  }
}

extension Scenario {
  /// Returns the name of the scenario for a matrix row.
  func name(of row: Matrix.Row) -> String { "\(name) (\(row.name))" }
}

/// The contents of a scenario, which its matrix rows can override.
package struct ScenarioBody: Sendable {
  package var description: String?
  package var tags: [String] = []
  package var given: [ScriptedEvent]?
  package var before: BeforeSteps = [:]
  package var user: UserBehaviors?
  /// The values of inputs, which have the declared types.
  package var inputs: OrderedDictionary<String, JSON> = [:]
  /// Overrides of the workflow's settings, in the order of application: first the scenario's overrides, then the row's.
  /// A mapping is merged over the settings, and a file replaces them.
  package var settings: [Workflow.Source] = []
  /// Overrides of individual clients' settings, by client name.
  package var clients: OrderedDictionary<String, [Workflow.Source]> = [:]
  /// Overrides of the workflow's directory, in the order of application.
  package var directory: [Workflow.DirectorySource] = []
  package var expect: ScenarioExpectation?
  /// The parts of the document that define the scenario: the scenario itself, then the matrix row.
  var sources: [Source] = []

  package init() {}

  /// Whether the scenario overrides the settings of a client.
  package var changesSettings: Bool { !settings.isEmpty || !clients.isEmpty }

  /// Returns this body merged over `base`. Mappings and lists of overrides are merged. Other values replace the values
  /// of `base`.
  func over(_ base: ScenarioBody) -> ScenarioBody {
    var merged = base
    merged.description = description ?? base.description
    merged.tags = base.tags + tags
    merged.given = given ?? base.given
    merged.before.merge(before) { _, new in new }
    merged.user = user.map { $0.over(base.user) } ?? base.user
    merged.inputs.merge(inputs) { _, new in new }
    merged.settings = base.settings + settings
    merged.clients.merge(clients) { $0 + $1 }
    merged.directory = base.directory + directory
    merged.expect = expect.map { $0.over(base.expect) } ?? base.expect
    merged.sources = base.sources + sources
    return merged
  }
}

/// The rows of a scenario's matrix: the listed rows, or all combinations of the axes.
package struct Matrix: Sendable {
  package struct Row: Sendable {
    package var name: String
    package var body: ScenarioBody
    /// The location of the row, or of the last value in a combination.
    package var place: FileSpan
  }

  package var rows: [Row]
  package var place: FileSpan

  /// The maximum number of combinations.
  package static let maxRows = 10_000
}

/// The expected result of a scenario.
package struct ScenarioExpectation: Sendable {
  /// `success` (the default), `failed`, or the outcome that ended the run.
  package var outcome: Positioned<OutcomeSelector>?
  package var path: PathPattern?
  package var interactions: Matcher?
  package var pages: Matcher?
  /// The expected number of requests to each target (`token`, `authorize`, or `graph`), counted from the first step.
  package var requests: OrderedDictionary<String, Matcher> = [:]
  /// The expected number of remaining accounts, or their usernames.
  package var accounts: Matcher?
  /// Expectations for result fields of steps, such as `silent.tokenSource`.
  package var facts: [Expectation] = []
  package var place: FileSpan

  /// Creates an expectation of the outcome `success`, without other conditions.
  package init(place: FileSpan) {
    self.place = place
  }

  /// Returns this expectation merged over `base`.
  func over(_ base: ScenarioExpectation?) -> ScenarioExpectation {
    guard let base else { return self }
    var merged = base
    merged.outcome = outcome ?? base.outcome
    merged.path = path ?? base.path
    merged.interactions = interactions ?? base.interactions
    merged.pages = pages ?? base.pages
    merged.requests.merge(requests) { _, new in new }
    merged.accounts = accounts ?? base.accounts
    let overridden = Set(facts.map(\.address.text))
    merged.facts = base.facts.filter { !overridden.contains($0.address.text) } + facts
    merged.place = place
    return merged
  }
}

/// The observed result of a scenario.
package struct ScenarioResult: Sendable {
  /// `success`, or the outcome that ended the run.
  package var outcome: OutcomeName
  package var succeeded: Bool
  package var path: [String]
  /// The transition after each step, for coverage.
  package var transitions: [TakenTransition]
  /// The number of times that the browser opened.
  package var interactions: Int
  /// The number of pages that the user saw.
  package var pages: Int
  package var requests: [String: Int]
  /// The usernames of the remaining accounts.
  package var accounts: [String]
  package var context: EvaluationContext

  package init(
    outcome: OutcomeName, succeeded: Bool, path: [String], transitions: [TakenTransition] = [], interactions: Int,
    pages: Int = 0, requests: [String: Int], accounts: [String], context: EvaluationContext
  ) {
    self.outcome = outcome
    self.succeeded = succeeded
    self.path = path
    self.transitions = transitions
    self.interactions = interactions
    self.pages = pages
    self.requests = requests
    self.accounts = accounts
    self.context = context
  }
}

extension ScenarioExpectation {
  /// Evaluates all expectations, in the order of the language reference. The default `outcome` is `success`.
  package func evaluate(_ result: ScenarioResult) throws(UnresolvedValue) -> [ExpectationResult] {
    var results = [evaluateOutcome(result)]
    if let path { results.append(path.evaluate(result.path)) }
    let scope = result.context.scope
    if let interactions {
      results.append(try Self.evaluate("interactions", .integer(Int64(result.interactions)), interactions, scope))
    }
    if let pages { results.append(try Self.evaluate("pages", .integer(Int64(result.pages)), pages, scope)) }
    for (name, matcher) in requests {
      results.append(
        try Self.evaluate("requests.\(name)", .integer(Int64(result.requests[name] ?? 0)), matcher, scope))
    }
    if let accounts {
      let names = JSON.array(result.accounts.map { .string($0) })
      results.append(
        try Self.evaluate(
          "accounts", accounts.comparesNumber ? .integer(Int64(result.accounts.count)) : names, accounts, scope))
    }
    for expectation in facts { results.append(try expectation.evaluate(result.context, own: nil)) }
    return results
  }

  private func evaluateOutcome(_ result: ScenarioResult) -> ExpectationResult {
    let expected = outcome?.value ?? .success
    let holds =
      switch expected {
      case .success: result.succeeded
      case .failed: !result.succeeded
      default: !result.succeeded && .outcome(result.outcome) == expected
      }
    return ExpectationResult(
      subject: "outcome",
      result: MatchResult(
        holds: holds, expected: expected.text,
        actual: (result.succeeded ? .success : result.outcome).rawValue),
      place: outcome?.place ?? place)
  }

  private static func evaluate(
    _ subject: String, _ value: JSON, _ matcher: Matcher, _ scope: ValueScope
  ) throws(UnresolvedValue) -> ExpectationResult {
    ExpectationResult(subject: subject, result: try matcher.evaluate(.value(value), in: scope), place: matcher.place)
  }
}

extension Matcher {
  /// Whether the matcher compares the value with a number, as in `accounts: 0` or `accounts: {lessThan: 2}`.
  fileprivate var comparesNumber: Bool {
    conditions.contains { condition in
      switch condition {
      case .equals(.value(let value)), .notEquals(.value(let value)): value.number != nil
      case .greaterThan, .lessThan: true
      case .oneOf(.list(let trees)):
        trees.contains { tree in
          if case .value(let value) = tree { value.number != nil } else { false }
        }
      case .not(let matcher): matcher.comparesNumber
      default: false
      }
    }
  }
}
