import Diagnostics
import Documents
import OrderedCollections

/// A starting situation, with what must then happen.
package struct Scenario: Sendable {
  package var name: String
  package var place: FileSpan
  package var body = ScenarioBody()
  package var matrix: Matrix?

  /// The scenario as it is run: itself, or one for each row of its matrix, each with a name that says which.
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
  /// What a row of its matrix is called.
  func name(of row: Matrix.Row) -> String { "\(name) (\(row.name))" }
}

/// What a scenario says, and what a row of its matrix may say instead.
package struct ScenarioBody: Sendable {
  package var description: String?
  package var tags: [String] = []
  package var given: [ScriptedEvent]?
  package var before: BeforeSteps = [:]
  package var user: UserBehaviors?
  /// Values for inputs, checked against their types.
  package var inputs: OrderedDictionary<String, JSON> = [:]
  /// What is laid over the workflow's settings, a row's over its scenario's: a mapping merges, a file replaces.
  package var settings: [Workflow.Source] = []
  /// The same for one of several apps, by its name.
  package var clients: OrderedDictionary<String, [Workflow.Source]> = [:]
  /// What is laid over the workflow's directory, likewise.
  package var directory: [Workflow.DirectorySource] = []
  package var expect: ScenarioExpectation?
  /// As it is written: a row's behind its scenario's.
  var written: [Written] = []

  package init() {}

  /// Whether it lays anything over the settings of an app.
  package var changesSettings: Bool { !settings.isEmpty || !clients.isEmpty }

  /// This over `base`: mappings merge, anything else replaces.
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
    merged.written = base.written + written
    return merged
  }
}

/// The rows of a scenario: written out, or every combination of the axes.
package struct Matrix: Sendable {
  package struct Row: Sendable {
    package var name: String
    package var body: ScenarioBody
    /// Where the row stands; of a combination of axes the last value.
    package var place: FileSpan
  }

  package var rows: [Row]
  package var place: FileSpan

  /// How many combinations a matrix may have.
  package static let mostRows = 10_000
}

/// What must have happened when a scenario is over.
package struct ScenarioExpectation: Sendable {
  /// `success` (the default), `failed`, or the outcome that ended it.
  package var outcome: Positioned<String>?
  package var path: PathPattern?
  package var interactions: Matcher?
  /// By `token`, `authorize` or `graph`, counted from the first step.
  package var requests: OrderedDictionary<String, Matcher> = [:]
  /// How many accounts are left at the end, or which usernames.
  package var accounts: Matcher?
  /// Any `step.word`.
  package var facts: [Expectation] = []
  package var place: FileSpan

  /// Success, and nothing else.
  package init(place: FileSpan) {
    self.place = place
  }

  func over(_ base: ScenarioExpectation?) -> ScenarioExpectation {
    guard let base else { return self }
    var merged = base
    merged.outcome = outcome ?? base.outcome
    merged.path = path ?? base.path
    merged.interactions = interactions ?? base.interactions
    merged.requests.merge(requests) { _, new in new }
    merged.accounts = accounts ?? base.accounts
    let own = Set(facts.map(\.address.text))
    merged.facts = base.facts.filter { !own.contains($0.address.text) } + facts
    merged.place = place
    return merged
  }
}

/// What is known when a scenario is over.
package struct ScenarioResult: Sendable {
  /// `success`, or the outcome that ended it.
  package var outcome: String
  package var succeeded: Bool
  package var path: [String]
  /// Where the machine went from each end of a step, for coverage.
  package var transitions: [TakenTransition]
  package var interactions: Int
  package var requests: [String: Int]
  /// The usernames of the accounts that are left.
  package var accounts: [String]
  package var knowledge: EvaluationContext

  package init(
    outcome: String, succeeded: Bool, path: [String], transitions: [TakenTransition] = [], interactions: Int,
    requests: [String: Int], accounts: [String], knowledge: EvaluationContext
  ) {
    self.outcome = outcome
    self.succeeded = succeeded
    self.path = path
    self.transitions = transitions
    self.interactions = interactions
    self.requests = requests
    self.accounts = accounts
    self.knowledge = knowledge
  }
}

extension ScenarioExpectation {
  /// Every expectation, in the order of the reference. Without an `outcome` success is expected.
  package func judge(_ result: ScenarioResult) throws(UnresolvedValue) -> [ExpectationResult] {
    var judgements = [judgeOutcome(result)]
    if let path { judgements.append(path.judge(result.path)) }
    let scope = result.knowledge.scope
    if let interactions {
      judgements.append(try Self.judge("interactions", .integer(Int64(result.interactions)), interactions, scope))
    }
    for (name, matcher) in requests {
      judgements.append(
        try Self.judge("requests.\(name)", .integer(Int64(result.requests[name] ?? 0)), matcher, scope))
    }
    if let accounts {
      let names = JSON.array(result.accounts.map { .string($0) })
      judgements.append(
        try Self.judge(
          "accounts", accounts.asksForNumber ? .integer(Int64(result.accounts.count)) : names, accounts, scope))
    }
    for expectation in facts { judgements.append(try expectation.judge(result.knowledge, own: nil)) }
    return judgements
  }

  private func judgeOutcome(_ result: ScenarioResult) -> ExpectationResult {
    let wanted = outcome?.value ?? "success"
    let holds =
      switch wanted {
      case "success": result.succeeded
      case "failed": !result.succeeded
      default: !result.succeeded && result.outcome == wanted
      }
    return ExpectationResult(
      subject: "outcome",
      result: MatchResult(holds: holds, expected: wanted, actual: result.succeeded ? "success" : result.outcome),
      place: outcome?.place ?? place)
  }

  private static func judge(
    _ subject: String, _ value: JSON, _ matcher: Matcher, _ scope: ValueScope
  ) throws(UnresolvedValue) -> ExpectationResult {
    ExpectationResult(subject: subject, result: try matcher.evaluate(.value(value), in: scope), place: matcher.place)
  }
}

extension Matcher {
  /// Whether it can only be meant for a number: `accounts: 0`, `accounts: {lessThan: 2}`.
  fileprivate var asksForNumber: Bool {
    conditions.contains { condition in
      switch condition {
      case .equals(.value(let value)), .notEquals(.value(let value)): value.number != nil
      case .greaterThan, .lessThan: true
      case .oneOf(.list(let trees)):
        trees.contains { tree in
          if case .value(let value) = tree { value.number != nil } else { false }
        }
      case .not(let matcher): matcher.asksForNumber
      default: false
      }
    }
  }
}
