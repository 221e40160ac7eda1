import Diagnostics
import Documents
import Effects
import RunTrace
import Scenarios
import SimulatedWorld
import Synchronization
import Testing
import WorkflowModel
import WorkflowRunner

/// Runs scenarios of an in-memory workflow in the same way as `authflow test`.
struct ScenarioHarness {
  static let app = "6731de76-14a6-49ae-97bc-6eba6914391e"
  static let settings = """
    AppId: \(app)
    GraphScopes: [User.Read, Calendars.Read]
    Authority: https://login.microsoftonline.com/common
    BundleId: com.contoso.graphtutorial
    """
  /// The start of a workflow document, without scenarios.
  static let readProfile = """
    authflow: 1
    settings: Settings.yaml
    user: megan@contoso.com
    steps: [loadAccount, silent, interactive-fallback, callGraph: /me]
    """

  /// Returns the start of a workflow document for an Azure AD B2C tenant, with a custom API.
  static func customers(steps: String) -> String {
    """
    authflow: 1
    settings:
      AppId: 3b9e6f0c-5d0e-4c5a-9e35-0f6f2f3b8b11
      GraphScopes: [https://fabrikamb2c.onmicrosoft.com/helloapi/demo.read]
      Authority: https://fabrikamb2c.b2clogin.com/tfp/fabrikamb2c.onmicrosoft.com/B2C_1_signupsignin
      KnownAuthorities: [https://fabrikamb2c.b2clogin.com/tfp/fabrikamb2c.onmicrosoft.com/B2C_1_signupsignin]
      RedirectUri: msal3b9e6f0c-5d0e-4c5a-9e35-0f6f2f3b8b11://auth
    user: casey@example.com
    steps: \(steps)
    """
  }

  private let files: [String: [UInt8]]
  private let environment: [String: String]

  /// - Parameters:
  ///   - text: The workflow `w.yaml`, next to `Settings.yaml`.
  ///   - files: Additional files.
  init(_ text: String, files: [String: String] = [:], environment: [String: String] = [:]) {
    var all = ["Settings.yaml": Array(Self.settings.utf8), "w.yaml": Array(text.utf8)]
    for (name, text) in files { all[name] = Array(text.utf8) }
    self.files = all
    self.environment = environment
  }

  /// Creates a harness for a workflow with a single scenario, `s`.
  /// - Parameters:
  ///   - scenario: The lines below the name of the scenario.
  ///   - workflow: The lines before `scenarios:`.
  init(
    scenario: String, of workflow: String = ScenarioHarness.readProfile, files: [String: String] = [:],
    environment: [String: String] = [:]
  ) {
    let lines = scenario.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
    self.init(
      "\(workflow)\nscenarios:\n  s:\n\(lines.joined(separator: "\n"))\n", files: files, environment: environment)
  }

  /// The report and the trace of a scenario.
  struct Outcome {
    var report: ScenarioReport
    var events: [TraceEvent]

    var verdict: ScenarioReport.Verdict { report.verdict }
    var path: [String] { report.result?.path ?? [] }
    /// The lines of the trace.
    var lines: [String] { events.map(\.line) }
    var failedExpectations: [String] { report.expectationResults.filter { !$0.holds }.map(\.message) }
    var problems: [ScenarioProblem] { report.problems }

    /// Returns the data of a step's run. Run numbers start at 1, and the default is the last run.
    func facts(_ step: String, run: Int? = nil) -> JSON {
      report.result?.context.facts.facts(of: .init(step, run: run)) ?? .null
    }

    func events(_ kind: TraceEvent.Kind) -> [JSON] { events.filter { $0.kind == kind }.map(\.json) }

    /// All problems of a scenario, for failure messages.
    var reason: String {
      "\(verdict.rawValue) [\(path.joined(separator: ", "))] "
        + (failedExpectations + problems.map { "\($0.rule): \($0.message)" }).joined(separator: "; ")
    }
  }

  /// Returns all findings before the run.
  func diagnostics() -> [Diagnostic] {
    let (loaded, diagnostics) = read()
    return diagnostics + (loaded?.cases().diagnostics ?? [])
  }

  /// Runs the named scenario, or the first one. Findings before the run are errors.
  func run(
    _ name: String? = nil, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async throws -> Outcome {
    let (loaded, diagnostics) = read()
    let (cases, more) = loaded?.cases() ?? ([], [])
    let errors = (diagnostics + more).filter { $0.severity == .error }.map { "\($0.rule): \($0.message)" }
    #expect(errors.isEmpty, sourceLocation: sourceLocation)
    let scenario = try #require(
      cases.first { name == nil || $0.name == name }, "\(errors)", sourceLocation: sourceLocation)
    let events = Mutex<[TraceEvent]>([])
    let report = await scenario.run(in: world, tool: "tests") { event in events.withLock { $0.append(event) } }
    return Outcome(report: report, events: events.withLock { $0 })
  }

  /// Runs a scenario that must pass.
  @discardableResult
  func passes(_ name: String? = nil, sourceLocation: Testing.SourceLocation = #_sourceLocation) async throws -> Outcome
  {
    let outcome = try await run(name, sourceLocation: sourceLocation)
    #expect(outcome.verdict == .passed, "\(outcome.reason)", sourceLocation: sourceLocation)
    return outcome
  }

  private var world: World {
    var grants = Grants()
    grants.variables = environment
    return Simulation(
      seed: "harness", files: MemoryFileSystem(files, workingDirectory: "/app"), environment: environment,
      workingDirectory: "/app", grants: grants
    ).world
  }

  private func read() -> (LoadedWorkflow?, [Diagnostic]) {
    let files = world.files
    return LoadedWorkflow.read("w.yaml") { path, options in
      guard let bytes = try? files.read(path, limit: 1 << 24) else {
        let diagnostics = Diagnostic(.error, rule: "unreadable-file", "file not found", at: .file(path))
        return ReadResult(document: nil, diagnostics: [diagnostics])
      }
      return DocumentReader.read(bytes, named: path, options: options)
    }
  }
}
