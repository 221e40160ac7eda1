import Effects
import Scenarios
import WorkflowModel

/// One scenario of a workflow, fit to be the argument of a parameterized test.
public struct WorkflowScenario: Sendable, Identifiable, CustomStringConvertible {
  /// The scenario's name; `name (row)` for a row of a matrix.
  public let name: String
  /// The file in which the scenario is written: the workflow, or a scenarios file.
  public let file: String
  /// Words to find it by, from the scenario's `tags`.
  public let tags: [String]
  private let scenario: ScenarioCase
  private let world: World

  /// The same in every run, so that a test runner can run one scenario again.
  public var id: String { "\(file)#\(name)" }
  /// What a test runner shows: the name.
  public var description: String { name }

  init(_ scenario: ScenarioCase, in world: World) {
    name = scenario.name
    file = scenario.file
    tags = scenario.scenario.body.tags
    self.scenario = scenario
    self.world = world
  }

  /// Runs it from the beginning, in a world of its own.
  public func run() async -> ScenarioResult {
    let tool = "AuthflowTesting"
    let report = await scenario.run(in: world, tool: tool)
    let explanation = await scenario.explanation(of: report, in: world, tool: tool)
    return ScenarioResult(report, of: scenario, explanation: explanation)
  }

  /// Runs it, and throws where it does not pass.
  /// - Throws: ``ScenarioFailure``, whose description says what was expected, what happened, and where that stands.
  public func check() async throws(ScenarioFailure) {
    let result = await run()
    guard result.passed else { throw ScenarioFailure(result: result) }
  }
}
