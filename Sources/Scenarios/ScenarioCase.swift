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

/// One scenario as it is run: a single one, or one row of a matrix, with the apps and the directory that it meets.
package struct ScenarioCase: Sendable {
  package let scenario: Scenario
  package let loaded: LoadedWorkflow
  package let situation: AppConfiguration
  /// The platform of all scenarios that have the workflow's own directory; nil for one that has another.
  let start: InitialPlatformState?
  /// Where its recording is, if it plays one.
  let recordings: RecordingCache
  /// Whether only the directory and the settings register tenants, user flows, and APIs.
  let isStrict: Bool

  /// The file in which the scenario is written: the workflow, or a scenarios file.
  package var file: String { loaded.workflow.scenarioFileName }
  /// The file of the workflow.
  package var workflowFile: String { loaded.workflow.document.source.name }
  package var name: String { scenario.name }
  /// What its randomness comes from: its own name and its workflow's, wherever that lies, so that it repeats on any
  /// machine.
  package var seed: String { "\(FilePath.name(of: workflowFile))\n\(name)" }

  /// Runs it from the beginning, on the emulated platform, or in the recording that the workflow names.
  /// - Parameters:
  ///   - world: the real one: files are read there and never written, and its environment answers `${env:}`.
  ///   - sink: what is told of the run; without one nothing is even made up.
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
    // What a workflow makes of a request that was not recorded says nothing about the platform.
    report.troubles += stage.replayed?.misses.map { ScenarioProblem($0.diagnostic) } ?? []
    return report
  }
}

extension LoadedWorkflow {
  /// Every scenario as it is run, and what is wrong with what it names.
  /// - Parameters:
  ///   - recordings: where recordings are read; one for all workflows of a suite.
  ///   - name: the only scenario to prepare; nil for all.
  ///   - isStrict: whether only the directory and the settings register tenants, user flows, and APIs.
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
