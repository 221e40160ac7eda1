import Effects
import Scenarios
import WorkflowModel

/// A scenario in a workflow, for use as an argument of a parameterized test.
public struct WorkflowScenario: Sendable, Identifiable, CustomStringConvertible {
  /// The name of the scenario. For a matrix row, the name has the format `name (row)`.
  public let name: String
  /// The file that contains the scenario: the workflow or a scenarios file.
  public let file: String
  /// The value of `tags` in the scenario.
  public let tags: [String]
  private let scenario: ScenarioCase
  private let world: World

  /// A stable ID. Test runners need it to rerun a single scenario.
  public var id: String { "\(file)#\(name)" }
  /// The name that test runners show, identical to `name`.
  public var description: String { name }

  init(_ scenario: ScenarioCase, in world: World) {
    name = scenario.name
    file = scenario.file
    tags = scenario.scenario.body.tags
    self.scenario = scenario
    self.world = world
  }

  /// Runs the scenario from the start, in isolation.
  public func run() async -> ScenarioResult {
    let tool = "AuthflowTesting"
    let report = await scenario.run(in: world, tool: tool)
    let explanation = await scenario.explanation(of: report, in: world, tool: tool)
    return ScenarioResult(report, of: scenario, explanation: explanation)
  }

  /// Runs the scenario.
  /// - Throws: ``ScenarioFailure`` if it does not pass. The error's description contains the expected and actual
  ///   results with their locations.
  public func check() async throws(ScenarioFailure) {
    let result = await run()
    guard result.passed else { throw ScenarioFailure(result: result) }
  }
}
