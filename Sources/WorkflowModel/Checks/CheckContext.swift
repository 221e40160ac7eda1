import Diagnostics
import Directory
import Documents

/// The data outside a workflow that checks can use before a run: the directory and other files.
package struct CheckContext: Sendable {
  /// The workflow's directory, which scenarios can override. Nil if the directory is invalid. Other diagnostics report
  /// an invalid directory.
  package var directory: EmulatedDirectory?
  /// Reads another file. `path` is relative to the same folder as the workflow's own path.
  package var load: @Sendable (_ path: String) -> ReadResult

  package init(directory: EmulatedDirectory?, load: @escaping @Sendable (_ path: String) -> ReadResult) {
    self.directory = directory
    self.load = load
  }

  /// Returns the scenario's directory, or nil if the directory is invalid.
  func directory(of scenario: Scenario, in workflow: Workflow) -> EmulatedDirectory? {
    guard let directory else { return nil }
    guard !scenario.body.directory.isEmpty else { return directory }
    var servedDirectory = ServedDirectory()
    servedDirectory.directory = directory
    for source in scenario.body.directory {
      // Running the scenario reports these problems.
      var ignored: [Diagnostic] = []
      servedDirectory.apply(source, relativeTo: workflow.scenarioFileName, load: load, &ignored)
      if ignored.hasErrors { return nil }
    }
    return servedDirectory.directory
  }
}
