import AppRegistration
import Diagnostics
import Documents
import Effects
import Scenarios
import WorkflowModel
import WorkflowRunner

/// A workflow with its scenarios, to be run by an app's own tests.
///
/// ```swift
/// @Test(arguments: try WorkflowSuite(contentsOf: "Workflows/me.yaml").scenarios)
/// func workflow(scenario: WorkflowScenario) async throws {
///   try await scenario.check()
/// }
/// ```
///
/// Every scenario runs in a world of its own: an emulated platform, an empty token cache, a browser whose user is played,
/// and a virtual clock that starts at 2025-01-01T00:00:00Z. Nothing is written, no network is used, nothing sleeps, and the
/// same scenario always goes the same way, alone or beside others.
public struct WorkflowSuite: Sendable {
  /// What the workflow calls itself.
  public let name: String
  /// The workflow or scenarios file as you named it, or the name of the text.
  public let file: String
  /// Every scenario in the order of the file; of a matrix each row.
  public let scenarios: [WorkflowScenario]

  /// Reads a workflow's file, or a scenarios file with its workflow, and everything that they name.
  /// - Parameters:
  ///   - path: absolute, or relative to the working directory, which is the package's folder in `swift test`; where nothing
  ///     is there, relative to the folder of the calling source file or a folder above it.
  ///   - definitions: values for `$(NAME)` in settings.
  ///   - sourceFile: the calling source file; leave it out.
  /// - Throws: `AuthflowError` with everything that is wrong. A workflow without scenarios is none.
  public init(
    contentsOf path: String, definitions: [String: String] = [:], sourceFile: String = #filePath
  ) throws(AuthflowError) {
    let world = ProjectFiles.world
    let path = ProjectFiles.path(path, calledFrom: sourceFile, in: world)
    try self.init(path, definitions: definitions, load: ProjectFiles.load(in: world), in: world)
  }

  /// Reads a workflow that stands in the test itself.
  /// - Parameters:
  ///   - text: YAML or JSON.
  ///   - name: what diagnostics call it. Files that it names lie beside it.
  ///   - definitions: values for `$(NAME)` in settings.
  /// - Throws: `AuthflowError` with everything that is wrong.
  public init(
    text: String, named name: String = "workflow.yaml", definitions: [String: String] = [:]
  ) throws(AuthflowError) {
    let world = ProjectFiles.world
    try self.init(name, definitions: definitions, load: ProjectFiles.load(in: world, text: (name, text)), in: world)
  }

  private init(
    _ path: String, definitions: [String: String], load: @escaping DocumentLoader, in world: World
  ) throws(AuthflowError) {
    let (loaded, told) = LoadedWorkflow.read(path, definitions: Definitions { definitions[$0] }, load: load)
    guard let loaded, !told.hasErrors else { throw AuthflowError(told) }
    let (cases, alsoTold) = loaded.cases()
    if alsoTold.hasErrors { throw AuthflowError(told + alsoTold) }
    guard !cases.isEmpty else {
      let problem = Diagnostic(
        .error, rule: "no-scenarios", "the workflow has no scenarios", help: "write some under `scenarios`",
        at: loaded.workflow.document.root.place)
      throw AuthflowError([problem])
    }
    name = loaded.workflow.name ?? FilePath.name(of: path)
    file = path
    scenarios = cases.map { WorkflowScenario($0, in: world) }
  }

  /// The scenario of that name; a row of a matrix is called as the command line shows it, `name (row)`.
  public subscript(scenario name: String) -> WorkflowScenario? { scenarios.first { $0.name == name } }

  /// Runs one scenario.
  ///
  /// ```swift
  /// let result = try await suite.run(scenario: "returning user")
  /// #expect(result.passed, "\(result.explanation)")
  /// #expect(result.path.first == "loadAccount.found")
  /// ```
  /// - Throws: `AuthflowError` where no scenario has that name. A scenario that fails throws nothing: see ``ScenarioResult``.
  public func run(scenario name: String) async throws(AuthflowError) -> ScenarioResult {
    guard let scenario = self[scenario: name] else {
      throw AuthflowError(
        "there is no scenario called \"\(name)\"", rule: "unknown-name",
        help: Suggestion.nearest(to: name, among: scenarios.map(\.name)).map { "did you mean \"\($0)\"?" }
          ?? "there are: \(scenarios.map(\.name).joined(separator: ", "))", about: file)
    }
    return await scenario.run()
  }
}
