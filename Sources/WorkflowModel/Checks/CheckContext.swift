import Diagnostics
import Directory
import Documents

/// The environment of a workflow that is known before a run: its directory, and the files next to it.
package struct CheckContext: Sendable {
  /// The directory for scenarios that don't override it; nil if it cannot be read, for which diagnostics exist.
  package var directory: EmulatedDirectory?
  /// Reads a document by its path, relative to the same folder as the workflow's name.
  package var load: @Sendable (_ path: String) -> ReadResult

  package init(directory: EmulatedDirectory?, load: @escaping @Sendable (_ path: String) -> ReadResult) {
    self.directory = directory
    self.load = load
  }

  /// The directory of a scenario, or nil if it cannot be determined.
  func directory(of scenario: Scenario, in workflow: Workflow) -> EmulatedDirectory? {
    guard let directory else { return nil }
    guard !scenario.body.directory.isEmpty else { return directory }
    var served = ServedDirectory()
    served.directory = directory
    for source in scenario.body.directory {
      // The run of the scenario reports these problems.
      var ignored: [Diagnostic] = []
      served.apply(source, relativeTo: workflow.scenarioFileName, load: load, &ignored)
      if ignored.hasErrors { return nil }
    }
    return served.directory
  }
}
