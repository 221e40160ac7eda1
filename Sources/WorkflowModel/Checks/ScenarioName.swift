import Diagnostics

extension WorkflowCheck {
  /// Scenarios or matrix rows with the same name. Reports cannot distinguish these scenarios, and only one of them can
  /// be selected by name.
  static let scenarioName = WorkflowCheck(
    "scenario-name", .error, appliesToUsedWorkflows: false, "scenarios or matrix rows with the same name"
  ) { checked in
    var firstPlaces: [String: FileSpan] = [:]
    var findings: [Diagnostic] = []
    for scenario in checked.workflow.scenarios {
      let cases =
        scenario.matrix?.rows.map { (scenario.name(of: $0), $0.place, true) } ?? [
          (scenario.name, scenario.place, false)
        ]
      for (name, place, isRow) in cases {
        guard let firstPlace = firstPlaces[name] else {
          firstPlaces[name] = place
          continue
        }
        findings.append(
          Diagnostic(
            .error, rule: "scenario-name", "duplicate scenario name `\(name)`",
            help: isRow
              ? "give each row a unique description, and list each axis value only once" : "use another name",
            at: place, related: [.init("first scenario is here", at: firstPlace)]))
      }
    }
    return findings
  }
}
