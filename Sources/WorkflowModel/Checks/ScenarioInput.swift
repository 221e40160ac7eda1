import Diagnostics
import Documents
import OrderedCollections

extension WorkflowCheck {
  /// A required input that a scenario gives no value.
  static let scenarioInput = WorkflowCheck(
    "scenario-input", .error, speaksOfUsed: false, "every scenario gives the inputs that are required"
  ) { checked in
    let required = checked.workflow.inputs.values.filter(\.isRequired)
    guard !required.isEmpty else { return [] }
    return checked.cases.flatMap { scenario in
      required.filter { scenario.body.inputs[$0.name]?.isNull ?? true }.map { input in
        Diagnostic(
          .error, rule: "scenario-input",
          "the input \"\(input.name)\" is required, and this scenario gives it no value",
          help: "write inputs: {\(input.name): …}, or give it a default in place of required", at: scenario.place,
          related: [.init("it is declared here", at: input.place)])
      }
    }.withoutRepetitions
  }
}
