import AppRegistration
import Recordings
import Diagnostics
import Documents
import Effects
import IdentityEmulator
import RunTrace
import SimulatedWorld
import UserSimulation
import WorkflowModel
import WorkflowRunner

/// A scenario or one of its matrix rows, with its apps and its directory.
package struct ScenarioCase: Sendable {
  package let scenario: Scenario
  package let loaded: LoadedWorkflow
  package let situation: AppConfiguration
  /// The initial state for scenarios that use the workflow's directory. Nil for a scenario with its own directory.
  let start: InitialPlatformState?
  /// The cache that provides the workflow's recording, if the workflow has one.
  let recordings: RecordingCache
  /// Whether to register only the tenants, user flows, and APIs in the directory and in the settings.
  let isStrict: Bool

  /// The file that contains the scenario: the workflow file or a scenarios file.
  package var file: String { loaded.workflow.scenarioFileName }
  /// The workflow file.
  package var workflowFile: String { loaded.workflow.document.source.name }
  package var name: String { scenario.name }
  /// The seed for random values. It consists of the workflow's file name, without folders, and the scenario's name,
  /// so that results are the same on all machines.
  package var seed: String { "\(FilePath.name(of: workflowFile))\n\(name)" }

  /// Runs the scenario from the start, on the emulator or with the workflow's recording.
  /// - Parameters:
  ///   - world: The environment of the process. The scenario reads files from this environment but does not write any.
  ///     `${env:}` reads its variables.
  ///   - debugger: A debugger that can suspend the run, or nil.
  ///   - person: A real user who completes the sign-in pages, or nil for the simulated user.
  ///   - sink: A closure that receives the trace events. If it is nil, no events are created.
  package func run(
    in world: World, tool: String, debugger: (any RunDebugger)? = nil, person: (any PagePerson)? = nil,
    sink: (@Sendable (TraceEvent) -> Void)? = nil
  ) async -> ScenarioReport {
    let recording: Recording?
    do throws(RecordingCache.UnusableRecording) {
      recording = try recordings.recording(of: self, in: world)
    } catch {
      var report = ScenarioReport()
      report.problems = error.problems
      return report
    }
    let stage = ScenarioEnvironment(
      situation, start: start, isStrict: isStrict, seed: seed, world: world, recording: recording)
    let trace = TraceRecorder(clock: stage.simulation.clock, sink: sink)
    var setup = stage.setup(tool: tool, person: person)
    setup.debugger = debugger
    setup.baseFolder = FilePath.folder(of: workflowFile)
    let run = ScenarioRun(loaded.workflow, scenario: scenario, setup: setup, trace: trace)
    let report = try? await stage.simulation.run { await run.run() }
    guard var report else { return ScenarioReport.interrupted(at: scenario.place) }
    // If a request has no recorded response, the result is meaningless.
    report.problems += stage.replayed?.unmatchedRequests.map { ScenarioProblem($0.diagnostic) } ?? []
    return report
  }
}

extension ScenarioCase {
  /// Returns the emulator's users, apps, policies, and clock at the start of a run. Returns nil if the request
  /// fails.
  package func directory(in world: World) async -> JSON? {
    let stage = ScenarioEnvironment(situation, start: start, isStrict: isStrict, seed: seed, world: world)
    return await PlatformDirectory.json(of: "login.microsoftonline.com") { await stage.emulator.respond(to: $0) }
  }
}

extension LoadedWorkflow {
  /// An unnamed scenario that runs the workflow and expects success.
  package var caseOfWorkflow: ScenarioCase {
    ScenarioCase(
      scenario: Scenario(name: "", place: workflow.document.root.entry("authflow")?.key.place ?? workflow.stepsPlace),
      loaded: self, situation: situation, start: ScenarioEnvironment.start(of: situation),
      recordings: RecordingCache(), isStrict: true)
  }

  /// Returns all scenarios, and the problems in their references.
  /// - Parameters:
  ///   - recordings: The cache of recordings that all workflows in a suite share.
  ///   - name: The name of the only scenario to prepare, or nil for all scenarios.
  ///   - isStrict: Whether to register only the tenants, user flows, and APIs in the directory and in the settings.
  package func cases(
    recordings: RecordingCache = RecordingCache(), named name: String? = nil, isStrict: Bool = true
  ) -> (cases: [ScenarioCase], diagnostics: [Diagnostic]) {
    var cases: [ScenarioCase] = []
    let start = ScenarioEnvironment.start(of: situation, isStrict: isStrict)
    var diagnostics: [Diagnostic] = []
    for scenario in workflow.scenarios.flatMap(\.cases) where name == nil || scenario.name == name {
      let (situation, told) = self.situation(for: scenario)
      diagnostics += told
      cases.append(
        ScenarioCase(
          scenario: scenario, loaded: self, situation: situation, start: scenario.body.directory.isEmpty ? start : nil,
          recordings: recordings, isStrict: isStrict))
    }
    return (cases, diagnostics)
  }
}
