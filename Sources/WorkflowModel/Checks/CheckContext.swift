import Diagnostics
import Directory
import Documents

/// What stands around a workflow and is known before it runs: the directory that is served, and the files beside it.
package struct CheckContext: Sendable {
  /// What is served where a scenario says nothing; nil where it could not be read, which was told.
  package var directory: EmulatedDirectory?
  /// Reads a document by its path, seen from where the workflow's own name is seen.
  package var load: @Sendable (_ path: String) -> ReadResult

  package init(directory: EmulatedDirectory?, load: @escaping @Sendable (_ path: String) -> ReadResult) {
    self.directory = directory
    self.load = load
  }

  /// What is served to a scenario; nil where that cannot be told.
  func directory(of scenario: Scenario, in workflow: Workflow) -> EmulatedDirectory? {
    guard let directory else { return nil }
    guard !scenario.body.directory.isEmpty else { return directory }
    var served = ServedDirectory()
    served.directory = directory
    for source in scenario.body.directory {
      // What is wrong with it is told where the scenario is made ready.
      var ignored: [Diagnostic] = []
      served.take(source, besides: workflow.scenarioFileName, load: load, &ignored)
      if ignored.hasErrors { return nil }
    }
    return served.directory
  }
}
