import AppRegistration
import Recordings
import Diagnostics
import Documents
import Effects
import IdentityEmulator
import RunTrace
import SimulatedWorld
import WorkflowModel
import WorkflowRunner

/// A scenario, or one row of its matrix, with its apps and its directory.
package struct ScenarioCase: Sendable {
  package let scenario: Scenario
  package let loaded: LoadedWorkflow
  package let situation: AppConfiguration
  /// The initial state for scenarios with the workflow's directory. Nil for a scenario with its own directory.
  let start: InitialPlatformState?
  /// Reads the workflow's recording, if it has one.
  let recordings: RecordingCache
  /// Whether only the directory and the settings register tenants, user flows, and APIs.
  let isStrict: Bool

  /// The file that contains the scenario: the workflow or a scenarios file.
  package var file: String { loaded.workflow.scenarioFileName }
  /// The file of the workflow.
  package var workflowFile: String { loaded.workflow.document.source.name }
  package var name: String { scenario.name }
  /// The seed of the randomness: the names of the scenario and its workflow without folders, so that results are the same on all
  /// machines.
  package var seed: String { "\(FilePath.name(of: workflowFile))\n\(name)" }

  /// Runs the scenario from the start on the emulator or the workflow's recording.
  /// - Parameters:
  ///   - world: The environment of the process. Files are read but never written, and `${env:}` reads its variables.
  ///   - sink: Receives the trace events. Without it, no events are created.
  package func run(
    in world: World, tool: String, sink: (@Sendable (TraceEvent) -> Void)? = nil
  ) async -> ScenarioReport {
    let recording: Recording?
    do throws(RecordingCache.UnusableRecording) {
      recording = try recordings.recording(of: self, in: world)
    } catch {
      var report = ScenarioReport()
      report.troubles = error.troubles
      return report
    }
    let stage = ScenarioEnvironment(
      situation, start: start, isStrict: isStrict, seed: seed, world: world, recording: recording)
    let trace = TraceRecorder(clock: stage.simulation.clock, sink: sink)
    var setup = stage.setup(tool: tool)
    setup.baseFolder = FilePath.folder(of: workflowFile)
    let run = ScenarioRun(loaded.workflow, scenario: scenario, setup: setup, trace: trace)
    let report = try? await stage.simulation.run { await run.run() }
    guard var report else { return ScenarioReport.interrupted(at: scenario.place) }
    // A request without a recorded response makes the result meaningless.
    report.troubles += stage.replayed?.unmatchedRequests.map { ScenarioProblem($0.diagnostic) } ?? []
    return report
  }
}

extension LoadedWorkflow {
  /// All scenarios with the problems of their references.
  /// - Parameters:
  ///   - recordings: The recordings, shared by all workflows of a suite.
  ///   - name: The only scenario to prepare, or nil for all.
  ///   - isStrict: Whether only the directory and the settings register tenants, user flows, and APIs.
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
