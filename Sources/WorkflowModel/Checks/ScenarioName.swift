import Diagnostics

extension WorkflowCheck {
  /// Two scenarios, or two rows of a matrix, that are called the same: a report could not tell them apart, and only one
  /// of them could be run by its name.
  static let scenarioName = WorkflowCheck(
    "scenario-name", .error, speaksOfUsed: false, "every scenario, and every row of a matrix, has a name of its own"
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
            .error, rule: "scenario-name", "two scenarios are called \"\(name)\"",
            help: isRow
              ? "give each row a description of its own, and each value of an axis once" : "give it another name",
            at: place, related: [.init("the first is here", at: other)]))
      }
    }
    return found
  }
}
