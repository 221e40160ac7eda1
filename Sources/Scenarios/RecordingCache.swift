import AppRegistration
import Recordings
import Diagnostics
import Documents
import Effects
import Synchronization
import Trust
import WorkflowModel
import WorkflowRunner

/// The recordings of workflows. Each recording is read once, and each scenario replays its recording from the start.
package final class RecordingCache: Sendable {
  /// The problems that prevent a recording from being replayed.
  struct UnusableRecording: Error {
    var problems: [ScenarioProblem]
  }

  /// The recordings by path. Concurrent readers of the same recording wait for the first reader.
  private let recordings = Mutex<[String: Result<Recording, UnusableRecording>]>([:])

  package init() {}

  /// Returns the recording for the scenario's workflow, or nil if the workflow does not replay a recording.
  func recording(of test: ScenarioCase, in world: World) throws(UnusableRecording) -> Recording? {
    guard case .replay(let name)? = test.loaded.workflow.platform else { return nil }
    let path = SettingsLoader.path(name, relativeTo: test.workflowFile)
    if let violation = ProjectRoots(of: [test.workflowFile], in: world).violation(reading: path) {
      throw UnusableRecording(problems: [
        ScenarioProblem(
          rule: "unusable-recording", message: violation.message, help: violation.help, place: test.scenario.place)
      ])
    }
    let read = recordings.withLock { recordings in
      if let known = recordings[path] { return known }
      let read = Result { () throws(UnusableRecording) in try Self.read(path, for: test, in: world) }
      recordings[path] = read
      return read
    }
    return try read.get()
  }

  private static func read(_ path: String, for test: ScenarioCase, in world: World) throws(UnusableRecording)
    -> Recording
  {
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try world.files.read(path, limit: Recording.limit)
    } catch {
      throw UnusableRecording(problems: [
        ScenarioProblem(
          rule: "unusable-recording", message: "cannot read the recording: \(error.explanation)",
          help: "create one with `authflow run FILE --platform emulated --record \(path)`", place: test.scenario.place)
      ])
    }
    let (recording, diagnostics) = Recording.read(bytes, named: path)
    guard let recording else { throw UnusableRecording(problems: diagnostics.map { ScenarioProblem($0) }) }
    return recording
  }
}

extension ScenarioProblem {
  init(_ diagnostic: Diagnostic) {
    self.init(rule: diagnostic.rule, message: diagnostic.message, help: diagnostic.help, place: diagnostic.place)
  }
}
