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

/// Runs scenarios of a workflow that a test writes down, each as `authflow test` runs it.
struct ScenarioScene {
  static let app = "6731de76-14a6-49ae-97bc-6eba6914391e"
  static let settings = """
    AppId: \(app)
    GraphScopes: [User.Read, Calendars.Read]
    Authority: https://login.microsoftonline.com/common
    BundleId: com.contoso.graphtutorial
    """
  /// A workflow's beginning: everything but its scenarios.
  static let readProfile = """
    authflow: 1
    settings: Settings.yaml
    user: megan@contoso.com
    steps: [loadAccount, silent, interactive-fallback, callGraph: /me]
    """

  /// The beginning of a workflow of customers, with an API of their own.
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
  ///   - text: the workflow, `w.yaml`; `Settings.yaml` stands beside it.
  ///   - files: more files beside it.
  init(_ text: String, files: [String: String] = [:], environment: [String: String] = [:]) {
    var all = ["Settings.yaml": Array(Self.settings.utf8), "w.yaml": Array(text.utf8)]
    for (name, text) in files { all[name] = Array(text.utf8) }
    self.files = all
    self.environment = environment
  }

  /// A workflow with one scenario, called `s`.
  /// - Parameters:
  ///   - scenario: what stands below its name, one line or several.
  ///   - workflow: everything before `scenarios:`.
  init(
    scenario: String, of workflow: String = ScenarioScene.readProfile, files: [String: String] = [:],
    environment: [String: String] = [:]
  ) {
    let lines = scenario.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
    self.init(
      "\(workflow)\nscenarios:\n  s:\n\(lines.joined(separator: "\n"))\n", files: files, environment: environment)
  }

  /// How a scenario came out.
  struct Outcome {
    var report: ScenarioReport
    var events: [TraceEvent]

    var verdict: ScenarioReport.Verdict { report.verdict }
    var path: [String] { report.result?.path ?? [] }
    /// The trace as it is written, line by line.
    var lines: [String] { events.map(\.line) }
    var broken: [String] { report.judgements.filter { !$0.holds }.map(\.words) }
    var troubles: [ScenarioProblem] { report.troubles }

    /// What is known of a run of a step: the last, or the one counted from 1.
    func facts(_ step: String, run: Int? = nil) -> JSON {
      report.result?.knowledge.facts.facts(of: .init(step, run: run)) ?? .null
    }

    func events(_ kind: TraceEvent.Kind) -> [JSON] { events.filter { $0.kind == kind }.map(\.json) }

    /// Everything that stands in the way of a passed scenario, for a test's message.
    var reason: String {
      "\(verdict.rawValue) [\(path.joined(separator: ", "))] "
        + (broken + troubles.map { "\($0.rule): \($0.message)" }).joined(separator: "; ")
    }
  }

  /// Everything that is told before anything runs.
  func diagnostics() -> [Diagnostic] {
    let (loaded, told) = read()
    return told + (loaded?.cases().diagnostics ?? [])
  }

  /// Runs one scenario, by its name or that of a row of its matrix; the first by default. What it is told before is an error.
  func run(
    _ name: String? = nil, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async throws -> Outcome {
    let (loaded, told) = read()
    let (cases, more) = loaded?.cases() ?? ([], [])
    let wrong = (told + more).filter { $0.severity == .error }.map { "\($0.rule): \($0.message)" }
    #expect(wrong.isEmpty, sourceLocation: sourceLocation)
    let scenario = try #require(
      cases.first { name == nil || $0.name == name }, "\(wrong)", sourceLocation: sourceLocation)
    let events = Mutex<[TraceEvent]>([])
    let report = await scenario.run(in: world, tool: "tests") { event in events.withLock { $0.append(event) } }
    return Outcome(report: report, events: events.withLock { $0 })
  }

  /// Runs one scenario, which must pass.
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
      seed: "scene", files: MemoryFileSystem(files, workingDirectory: "/app"), environment: environment,
      workingDirectory: "/app", grants: grants
    ).world
  }

  private func read() -> (LoadedWorkflow?, [Diagnostic]) {
    let files = world.files
    return LoadedWorkflow.read("w.yaml") { path, options in
      guard let bytes = try? files.read(path, limit: 1 << 24) else {
        let told = Diagnostic(.error, rule: "unreadable-file", "there is no such file", at: .file(path))
        return ReadResult(document: nil, diagnostics: [told])
      }
      return DocumentReader.read(bytes, named: path, options: options)
    }
  }
}
