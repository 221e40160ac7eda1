import AppRegistration
import Diagnostics
import Documents
import Effects
import Scenarios
import Validation
import WorkflowModel
import WorkflowRunner

/// The edits that add the same scenarios as `authflow explore --write`.
package struct MissingScenarioEdit: Sendable {
  package struct Failure: Error, Sendable {
    package var message: String
  }

  /// The number of scenarios.
  package var count: Int
  /// The edits with their file names.
  package var edits: [(file: String, edit: Diagnostic.Edit)]
}

extension WorkspaceSnapshot {
  /// Explores a workflow and returns the scenarios that add coverage.
  /// - Throws: An error if the workflow has errors or its format cannot contain the scenarios.
  package func missingScenarios(
    _ path: String, tool: String
  ) async throws(MissingScenarioEdit.Failure) -> MissingScenarioEdit {
    let (loaded, diagnostics) = loadWorkflow(path)
    guard let loaded, !diagnostics.hasErrors else {
      let reason = diagnostics.first { $0.severity == .error }?.message ?? "not a workflow"
      throw MissingScenarioEdit.Failure(message: "cannot explore the workflow: \(reason)")
    }
    var explorer = Explorer(
      loaded, load: { [self] in load($0, $1) }, world: world, jobs: world.environment.processors, tool: tool)
    explorer.definitions = Definitions(configurations.definitions)
    let paths = await explorer.prove(Exploration(loaded.workflow))
    let covered = await explorer.ownTransitions()
    let added = MissingScenarios.choose(from: paths, of: loaded.workflow, covered: covered)
    let document = loaded.workflow.scenarioSource ?? loaded.workflow.document
    guard !Task.isCancelled, !added.isEmpty else { return MissingScenarioEdit(count: 0, edits: []) }
    guard let bytes = try? MissingScenarios.append(added, to: document) else {
      throw MissingScenarioEdit.Failure(message: "the format of `\(document.source.name)` cannot contain the scenarios")
    }
    let edits = TextDifference.edits(from: document.source.bytes, to: bytes)
    return MissingScenarioEdit(count: added.count, edits: edits.map { (document.source.name, $0) })
  }
}
