import Diagnostics

extension WorkflowCheck {
  /// Scenarios or matrix rows with the same name. Reports cannot distinguish them, and only one can be selected by
  /// name.
  static let scenarioName = WorkflowCheck(
    "scenario-name", .error, appliesToUsedWorkflows: false, "scenarios or matrix rows with the same name"
  ) { checked in
    var first: [String: FileSpan] = [:]
    var found: [Diagnostic] = []
    for scenario in checked.workflow.scenarios {
      let named =
        scenario.matrix?.rows.map { (scenario.name(of: $0), $0.place, true) } ?? [
          (scenario.name, scenario.place, false)
        ]
      for (name, place, isRow) in named {
        guard let other = first[name] else {
          first[name] = place
          continue
        }
        found.append(
          Diagnostic(
            .error, rule: "scenario-name", "duplicate scenario name `\(name)`",
            help: isRow
              ? "use a unique description for each row, and each value of an axis only once" : "use another name",
            at: place, related: [.init("first scenario is here", at: other)]))
      }
    }
    return found
  }
}
