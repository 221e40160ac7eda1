import Diagnostics
import Directory
import Documents

/// The environment of a workflow that checks can use before a run: its directory and other files.
package struct CheckContext: Sendable {
  /// The directory of the workflow, which scenarios can override; nil if it is invalid, which diagnostics report.
  package var directory: EmulatedDirectory?
  /// Reads another file. Its path is relative to the same folder as the workflow's name.
  package var load: @Sendable (_ path: String) -> ReadResult

  package init(directory: EmulatedDirectory?, load: @escaping @Sendable (_ path: String) -> ReadResult) {
    self.directory = directory
    self.load = load
  }

  /// The directory of a scenario, or nil if it is invalid.
  func directory(of scenario: Scenario, in workflow: Workflow) -> EmulatedDirectory? {
    guard let directory else { return nil }
    guard !scenario.body.directory.isEmpty else { return directory }
    var servedDirectory = ServedDirectory()
    servedDirectory.directory = directory
    for source in scenario.body.directory {
      // The run of the scenario reports these problems.
      var ignored: [Diagnostic] = []
      servedDirectory.apply(source, relativeTo: workflow.scenarioFileName, load: load, &ignored)
      if ignored.hasErrors { return nil }
    }
    return servedDirectory.directory
  }
}
