import AppRegistration
import Diagnostics
import Directory
import Documents
import WorkflowModel
import WorkflowRunner

/// Workflows and directories, read for a command: what is wrong is shown, and errors end the command.
enum WorkflowInput {
  /// Reads the workflow and all that it names, tells everything that is wrong, and stops where anything is an error.
  /// - Parameters:
  ///   - environment: whose own settings are laid over those that it names.
  ///   - platform: where it is about to run; by default what the workflow says.
  ///   - toleratingFailures: whether an app without an application object is no error: a scenario may expect it.
  /// - Throws: `.unusable`.
  static func load(
    _ path: String, definitions: Definitions, environment: String? = nil, platform: Workflow.Platform? = nil,
    toleratingFailures: Bool = false,
    in session: Session
  ) throws(ExitStatus) -> LoadedWorkflow {
    let (loaded, diagnostics) = LoadedWorkflow.read(
      path, definitions: definitions, environment: environment, platform: platform, load: session.load)
    let failures = toleratingFailures ? [] : loaded?.situation.failures.map(\.diagnostic) ?? []
    session.show(diagnostics + failures)
    guard let loaded, !diagnostics.hasErrors, !failures.hasErrors else { throw .unusable }
    return loaded
  }

  /// Reads a directory's file, and tells what is wrong with it.
  /// - Throws: `.unusable` where anything is an error.
  static func directory(at path: String, in session: Session) throws(ExitStatus) -> EmulatedDirectory {
    let reading = session.reading(of: path)
    var diagnostics = reading.diagnostics
    let directory = reading.document.map { ServedDirectory.read($0.root, &diagnostics) }
    session.show(diagnostics)
    guard let directory, !diagnostics.hasErrors else { throw .unusable }
    return directory
  }
}

extension Session {
  /// Reads the documents that other documents name.
  var load: DocumentLoad {
    { path, options in reading(of: path, options: options) }
  }
}
