import AppRegistration
import Recordings
import Diagnostics
import Directory
import Documents
import Effects
import FuzzSupport
import IdentityEmulator
import RunTrace
import Scenarios
import SimulatedWorld
import Synchronization
import WorkflowModel
import WorkflowRunner

/// A run of a workflow or scenario in a simulated environment, with the data for the oracles.
struct ProjectRun: Sendable {
  /// The value of `${secret:API_KEY}`, with characters that are escaped in forms, URLs, and JSON.
  static let plantedSecret = "s3cret+key/42=%=q"
  private static let tool = "authflow 1"

  var events: [TraceEvent] = []
  /// The secrets that the platform issued, and the planted secret.
  var secrets: Set<String> = []
  var record: RunResult?
  var report: ScenarioReport?
  /// Problems with values, preconditions, and recordings.
  var diagnostics: [Diagnostic] = []
  /// Whether the run reached its limits.
  var isCutShort = false

  var trace: String { events.map(\.line).joined() }

  /// Creates the environment: the project's files in memory, without a network or real time.
  static func stage(
    _ situation: AppConfiguration, of project: InputProject, seed: String, recording: Recording? = nil
  ) -> ScenarioEnvironment {
    let folder = WatchedFiles.project
    let files = MemoryFileSystem(project.files, workingDirectory: folder)
    var grants = Grants()
    grants.variables = ["NAME": "value", "EMPTY": ""]
    grants.secrets = ["API_KEY": plantedSecret]
    var world = Simulation(
      files: files, environment: ["HOME": "/home/user"], workingDirectory: folder, grants: grants
    ).world
    world.files = WatchedFiles(base: files)
    return ScenarioEnvironment(situation, seed: seed, world: world, recording: recording)
  }

  /// Runs a workflow like `authflow run`.
  static func of(_ workflow: Workflow, on stage: ScenarioEnvironment) -> ProjectRun {
    perform(on: stage) { setup, trace in
      var run = ProjectRun()
      do throws(RunFailure) {
        run.record = try await WorkflowRun(workflow, setup: setup, trace: trace).run()
      } catch {
        if case .given(let reason) = error { run.diagnostics.append(reason.diagnostic) }
      }
      return run
    }
  }

  /// Runs a scenario like `authflow test`.
  static func of(_ scenario: Scenario, of workflow: Workflow, on stage: ScenarioEnvironment) -> ProjectRun {
    perform(on: stage) { setup, trace in
      var run = ProjectRun()
      let report = await ScenarioRun(workflow, scenario: scenario, setup: setup, trace: trace).run()
      run.diagnostics = report.problems.map(\.diagnostic)
      run.report = report
      return run
    }
  }

  /// Runs a workflow and returns the lines of its recording.
  static func recording(of workflow: Workflow, on stage: ScenarioEnvironment) -> [JSON] {
    let lines = Mutex<[JSON]>([])
    let recorder = RecordingWriter(clock: stage.simulation.clock, tool: tool, platform: "emulated") { line in
      if let json = try? JSON(parsing: line) { lines.withLock { $0.append(json) } }
    }
    _ = perform(on: stage, recorder: recorder) { setup, trace in
      var run = ProjectRun()
      run.record = try? await WorkflowRun(workflow, setup: setup, trace: trace).run()
      return run
    }
    return lines.withLock { $0 }
  }

  private static func perform(
    on stage: ScenarioEnvironment, recorder: RecordingWriter? = nil,
    _ body: @escaping @Sendable (RunSetup, TraceRecorder) async -> ProjectRun
  ) -> ProjectRun {
    let limits = RunLimits()
    let events = Mutex<[TraceEvent]>([])
    let trace = TraceRecorder(
      clock: stage.simulation.clock,
      sink: { event in
        limits.countEvent()
        events.withLock { $0.append(event) }
      }, secretSink: recorder?.secretSink)
    var setup = stage.setup(tool: tool)
    let transport = WatchedTransport(setup.world.http, limits: limits)
    setup.world.http = transport
    if let recorder {
      let browser = setup.browser
      setup.pages = transport
      setup.world.http = recorder.recording(transport as any HTTPTransport)
      setup.browser = { user, http, trace in recorder.recording(browser(user, http, trace)) }
    }
    let prepared = setup
    let result = Blocking.run {
      let task = Task { try? await stage.simulation.run { await body(prepared, trace) } }
      limits.cancelWith { task.cancel() }
      defer { limits.forget() }
      return await task.value
    }
    var run = result ?? ProjectRun()
    run.events = events.withLock { $0 }
    run.secrets = transport.secrets.union([plantedSecret])
    run.isCutShort = limits.isExceeded
    run.diagnostics += stage.replayed?.unmatchedRequests.map(\.diagnostic) ?? []
    return run
  }
}

extension LoadedWorkflow {
  /// Loads a project's workflow and checks its findings.
  /// - Returns: The workflow with a step limit, or nil if `authflow run` would reject it.
  static func read(_ project: InputProject, forScenarios: Bool = false) -> LoadedWorkflow? {
    let (loaded, diagnostics) = read(project.entry, load: project.load)
    Oracles.check(diagnostics)
    guard var loaded, !diagnostics.hasErrors, forScenarios || loaded.situation.failures.isEmpty else { return nil }
    loaded.workflow.maxSteps = min(loaded.workflow.maxSteps, RunLimits.steps)
    return loaded
  }

  /// Reads the recording that the workflow replays.
  /// - Returns: The recording, or nil if there is none or it is invalid.
  func recording(in project: InputProject) -> Recording? {
    guard case .replay(let name)? = workflow.platform else { return nil }
    let path = SettingsLoader.path(name, relativeTo: workflow.document.source.name)
    guard let bytes = project.files[FilePath.join("", path)] else { return nil }
    let (recording, diagnostics) = Recording.read(bytes, named: path)
    Oracles.check(diagnostics)
    Oracles.require(recording != nil || diagnostics.hasErrors, "neither a recording nor an error")
    return recording
  }
}
