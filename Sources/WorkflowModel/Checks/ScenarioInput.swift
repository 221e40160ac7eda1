import Diagnostics
import Documents
import OrderedCollections

extension WorkflowCheck {
  /// A scenario without a value for a required input.
  static let scenarioInput = WorkflowCheck(
    "scenario-input", .error, appliesToUsedWorkflows: false, "scenario without a required input"
  ) { checked in
    let required = checked.workflow.inputs.values.filter(\.isRequired)
    guard !required.isEmpty else { return [] }
    return checked.cases.flatMap { scenario in
      required.filter { scenario.body.inputs[$0.name]?.isNull ?? true }.map { input in
        Diagnostic(
          .error, rule: "scenario-input",
          "missing required input `\(input.name)`",
          help: "add `inputs: {\(input.name): …}`, or replace `required` with a default in the workflow",
          at: scenario.place, related: [.init("input is declared here", at: input.place)])
      }
    }.withoutDuplicates
  }
}
