import Diagnostics
import Documents
import JSONPath
import Testing

import WorkflowModel

/// Tests workflows that could cause exponential or quadratic work. The work must grow linearly or stop at a limit with
/// a message.
@Suite struct BudgetTests {
  /// Returns a list of `count` steps.
  static func steps(_ count: Int, _ step: (Int) -> String) -> String {
    "[\((0..<count).map(step).joined(separator: ","))]"
  }

  /// The key that raises the step limit above the default.
  static let manySteps = #""maxSteps": 10000"#

  // MARK: Paths

  /// Each segment of the path selects every node twice.
  static let doubling = "$" + String(repeating: "[*,*]", count: 24)
  static let nested = (0..<24).reduce(1 as JSON) { value, _ in .array([value]) }

  @Test(arguments: [#""capture": {"all": "\#(doubling)"}"#, #""expect": {"\#(doubling)": 1}"#])
  func aPathThatSelectsTooManyNodesEndsTheRun(use: String) throws {
    let flow = try workflow(#"[{"callGraph": "/me", \#(use)}]"#)
    var machine = WorkflowMachine(flow)
    _ = machine.start()
    guard case .finish(let result) = machine.finished("callGraph", StepReport(.success, json: ["$": Self.nested])),
      case .unresolved(let error) = result.reason
    else {
      Issue.record("the run continues")
      return
    }
    #expect(result.outcome == .violated)
    #expect(result.step == "callGraph")
    #expect(error.message == "`\(Self.doubling)` selects more than 500,000 nodes")
    #expect(error.help?.contains("narrow the query") == true)
    // The diagnostic points at the segment that exceeds the limit.
    let path = try #require(flow.document.source.bytes.firstRange(of: Array(Self.doubling.utf8)))
    #expect(error.place?.span?.start == path.lowerBound + 1 + 5 * 18)
  }

  /// Captures are merged with the inputs only once, in the order of their first occurrence.
  @Test func capturesFollowInputsInTheOrderOfTheirFirstOccurrence() throws {
    let flow = try workflow(
      #"[{"callGraph": "/me", "capture": {"b": "$.b", "a": "$.a", "i": "$.i"}}]"#,
      #""inputs": {"i": {"default": "0"}, "j": {"default": "1"}}"#)
    var machine = WorkflowMachine(flow)
    _ = machine.start()
    _ = machine.finished("callGraph", StepReport(.success, json: ["$": ["a": 2, "b": 3, "i": 4]]))
    #expect(JSON.object(machine.scope.names).text(sortedKeys: false) == #"{"i":4,"j":"1","b":3,"a":2}"#)
  }

  // MARK: Exploration

  @Test func theNumberOfStatesGrowsLinearlyWithTheNumberOfSteps() throws {
    func places(_ count: Int) throws -> Int {
      let exploration = Exploration(
        try workflow(Self.steps(count) { #"{"id": "s\#($0)", "listAccounts": {}}"# }, Self.manySteps))
      #expect(exploration.isComplete)
      return exploration.states
    }
    #expect(try places(300) == 2 * places(150))
  }

  /// Each condition doubles the number of paths. The number of attempts and the memory use are limited.
  @Test func limitsTheExplorationOfManyConditions() throws {
    let flow = try workflow(
      Self.steps(300) { #"{"id": "s\#($0)", "listAccounts": {}, "when": {"x": \#($0)}}"# },
      #""inputs": {"x": {}}, "maxSteps": 10000"#)
    let exploration = Exploration(flow, limit: 10_000)
    #expect(!exploration.isComplete)
    #expect(exploration.length < 11_000)
    #expect(exploration.paths.count > 100)
  }

  @Test func limitsAlternativeResults() {
    var assumption = ExplorationAssumption([true])
    for number in 0..<100 { _ = assumption.result(ExplorationAssumption.Subject.condition, of: "s\(number)") }
    var all: [[Bool]] = [[true]]
    assumption.addAlternatives(to: &all, most: .max)
    #expect(all.count == 100)
    #expect(all[1] == [true, false])
    #expect(all[3] == [true, true, true, false])
    var some: [[Bool]] = [[true]]
    assumption.addAlternatives(to: &some, most: 5)
    #expect(some == Array(all.prefix(5)))
  }

  /// Each step depends on the outcome of the first step. The number of comparisons must grow linearly with the number
  /// of steps.
  @Test func evaluatesConditionsOnOutcomesOnce() throws {
    let flow = try workflow(
      Self.steps(300) { number in
        number == 0
          ? #"{"id": "s0", "silent": {"scopes": ["User.Read"]}, "on": {"error": "next", "interactionRequired": "next"}}"#
          : #"{"id": "s\#(number)", "listAccounts": {}, "when": {"s0.outcome": "success"}}"#
      }, Self.manySteps)
    #expect(Exploration(flow).paths.contains { $0.entry == "s299.skipped" })
  }

  @Test func aCanceledExplorationEndsEarly() async throws {
    let flow = try workflow(Self.steps(400) { #"{"id": "s\#($0)", "listAccounts": {}}"# }, Self.manySteps)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return Exploration(flow)
    }
    let exploration = await task.value
    #expect(!exploration.isComplete)
    #expect(exploration.states < 400)
  }

  @Test func explorationReportsProgress() throws {
    let flow = try workflow(Self.steps(400) { #"{"id": "s\#($0)", "listAccounts": {}}"# }, Self.manySteps)
    var progress: [Int] = []
    let exploration = Exploration(flow) { places, _ in progress.append(places) }
    #expect(progress.count > 1)
    #expect(progress == progress.sorted())
    #expect(progress.allSatisfy { $0 <= exploration.states })
  }

  // MARK: Checks

  static func pattern(_ texts: [String]) throws -> PathPattern {
    let list = texts.map { "\"\($0)\"" }.joined(separator: ", ")
    let flow = try workflow(
      "[{\"id\": \"s0\", \"listAccounts\": {}}]", "\"scenarios\": {\"s\": {\"expect\": {\"path\": [\(list)]}}}")
    return try #require(flow.scenarios[0].body.expect?.path)
  }

  @Test func consecutiveEllipsesCountAsOne() throws {
    let checked = CheckedWorkflow(
      try workflow(Self.steps(100) { #"{"id": "s\#($0)", "listAccounts": {}}"# }), platform: .emulated)
    let one = PathReachability(try Self.pattern(["...", "s0.success"]), in: checked)
    let many = PathReachability(try Self.pattern(Array(repeating: "...", count: 50) + ["s0.success"]), in: checked)
    #expect(one.isComplete && many.isComplete)
    #expect(many.states == one.states)
    #expect(many.terminations == one.terminations)
  }

  @Test func theReachabilitySearchStopsAtItsLimit() throws {
    let checked = CheckedWorkflow(
      try workflow(Self.steps(100) { #"{"id": "s\#($0)", "listAccounts": {}}"# }), platform: .emulated)
    #expect(!PathReachability(nil, in: checked, limit: 50).isComplete)
    #expect(PathReachability(nil, in: checked, limit: 5_000).isComplete)
  }

  /// Reports list only the first findings of a rule, so later findings do not need a suggestion.
  @Test func onlyTheFirstUnknownNamesGetASuggestion() throws {
    let expected = (0..<30).map { "\"stepp\($0).outcome\": \"success\"" }.joined(separator: ",")
    let flow = try workflow(
      Self.steps(30) { "{\"id\": \"step\($0)\", \"listAccounts\": {}, \"expect\": {\(expected)}}" })
    let findings = WorkflowChecks.run(flow).filter { $0.rule == "unknown-result-field" }
    #expect(findings.count == 900)
    let suggestions = findings.count { $0.help?.hasPrefix("did you mean") ?? false }
    #expect(suggestions == 200)
  }

  @Test func helpTextsListALimitedNumberOfNames() {
    let guess = NameGuess((0..<100).map { "name\($0)" })
    #expect(guess.list.hasSuffix("`name59`, and 40 more"))
    #expect(NameGuess(["a", "b"]).list == "`a`, `b`")
    var guesses = 0
    while guess.nearest(to: "nam1") != nil, guesses < 1_000 { guesses += 1 }
    #expect(guesses == 200)
  }

  /// A step index makes address lookups fast.
  @Test func checksManyStepsWithManyExpectations() throws {
    let expected = (0..<40).map { "\"s\($0).outcome\": \"success\"" }.joined(separator: ",")
    let flow = try workflow(
      Self.steps(100) { "{\"id\": \"s\($0)\", \"listAccounts\": {}, \"expect\": {\(expected)}}" })
    #expect(WorkflowChecks.run(flow).filter { $0.severity == .error }.map(\.message) == [])
    #expect(MachineDiagram(flow).states.count == 100)
  }

  @Test func consecutiveFallbacksAreSkippedTogether() throws {
    let flow = try workflow(
      Self.steps(6) { number in
        number == 0
          ? #"{"id": "s0", "listAccounts": {}}"#
          : number == 3
            ? #"{"id": "s3", "interactive-fallback": {}, "on": {"skipped": "end"}}"#
            : number == 5
              ? #"{"id": "s5", "listAccounts": {}}"# : "{\"id\": \"s\(number)\", \"interactive-fallback\": {}}"
      })
    #expect(Transitions(flow.steps).beyondFallbacks == [0, 3, 3, 3, 5, 5])
    let last = try workflow(#"[{"id": "s0", "listAccounts": {}}, {"id": "s1", "interactive-fallback": {}}]"#)
    #expect(MachineDiagram(last).transitions.first { $0.outcomes.contains("found") && $0.from == 0 }?.to == .success)
  }
}
