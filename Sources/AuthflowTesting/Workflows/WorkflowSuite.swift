import AppRegistration
import Diagnostics
import Documents
import Effects
import Foundation
import Scenarios
import WorkflowModel
import WorkflowRunner

/// A workflow with its scenarios, for use in an app's tests.
///
/// ```swift
/// @Test(arguments: try WorkflowSuite(contentsOf: "Workflows/me.yaml").scenarios)
/// func workflow(scenario: WorkflowScenario) async throws {
///   try await scenario.check()
/// }
/// ```
///
/// Each scenario runs in isolation. It has its own emulator, an empty token cache, a browser with a simulated user, and
/// a virtual clock that starts at 2025-01-01T00:00:00Z. A scenario does not write files, use the network, or sleep.
/// Results are deterministic, even if scenarios run in parallel.
public struct WorkflowSuite: Sendable {
  /// The name of the workflow.
  public let name: String
  /// The path of the workflow file or scenarios file, or the name of the string.
  public let file: String
  /// All scenarios in file order, with a separate entry for each matrix row.
  public let scenarios: [WorkflowScenario]

  /// Reads a workflow file, or a scenarios file with its workflow, and all files that these files refer to.
  /// - Parameters:
  ///   - path: An absolute path, or a path relative to the working directory. During `swift test`, the working
  ///     directory is the package folder. If no such file exists, the path is resolved relative to the folder of the
  ///     calling source file or one of its parent folders.
  ///   - definitions: The values of references such as `$(NAME)` in settings.
  ///   - sourceFile: The calling source file. Omit this argument.
  /// - Throws: `AuthflowError` with all errors. A workflow without scenarios is an error.
  public init(
    contentsOf path: String, definitions: [String: String] = [:], sourceFile: String = #filePath
  ) throws(AuthflowError) {
    let world = ProjectFiles.world
    let path = ProjectFiles.path(path, calledFrom: sourceFile, in: world)
    try self.init(path, definitions: definitions, load: ProjectFiles.load(in: world), in: world)
  }

  /// Reads a workflow from a file URL, for example the URL of a resource in the test bundle. Use a resource for tests
  /// on a device, because an app on a device cannot read the folder of its source files.
  ///
  /// ```swift
  /// WorkflowSuite(contentsOf: Bundle.module.url(forResource: "me", withExtension: "json")!)
  /// ```
  /// - Parameters:
  ///   - url: A file URL.
  ///   - definitions: The values of references such as `$(NAME)` in settings.
  /// - Throws: `AuthflowError` with all errors. A workflow without scenarios is an error.
  public init(contentsOf url: URL, definitions: [String: String] = [:]) throws(AuthflowError) {
    let world = ProjectFiles.world
    try self.init(
      ProjectFiles.path(of: url), definitions: definitions, load: ProjectFiles.load(in: world), in: world)
  }

  /// Reads a workflow from a string.
  /// - Parameters:
  ///   - text: The workflow in YAML or JSON.
  ///   - name: The file name for diagnostics. Paths in the workflow are relative to the folder of this file.
  ///   - definitions: The values of references such as `$(NAME)` in settings.
  /// - Throws: `AuthflowError` with all errors.
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
        .error, rule: "no-scenarios", "workflow has no scenarios", help: "add a `scenarios` section",
        at: loaded.workflow.document.root.place)
      throw AuthflowError([problem])
    }
    name = loaded.workflow.name ?? FilePath.name(of: path)
    file = path
    scenarios = cases.map { WorkflowScenario($0, in: world) }
  }

  /// The scenario with this name, or nil if there is no such scenario. As on the command line, the name of a matrix row
  /// has the format `name (row)`.
  public subscript(scenario name: String) -> WorkflowScenario? { scenarios.first { $0.name == name } }

  /// Runs one scenario.
  ///
  /// ```swift
  /// let result = try await suite.run(scenario: "returning user")
  /// #expect(result.passed, "\(result.explanation)")
  /// #expect(result.path.first == "loadAccount.found")
  /// ```
  /// - Throws: `AuthflowError` if no scenario has this name. If the scenario fails, the method returns the
  ///   result and does not throw an error.
  public func run(scenario name: String) async throws(AuthflowError) -> ScenarioResult {
    guard let scenario = self[scenario: name] else {
      throw AuthflowError(
        "unknown scenario `\(name)`", rule: "unknown-name",
        help: Suggestion.nearest(to: name, among: scenarios.map(\.name)).map { "did you mean `\($0)`?" }
          ?? "there are: \(scenarios.map(\.name).joined(separator: ", "))", about: file)
    }
    return await scenario.run()
  }
}
