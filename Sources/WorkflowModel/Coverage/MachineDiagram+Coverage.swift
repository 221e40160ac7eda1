extension MachineDiagram {
  /// Returns the diagram, marked with the coverage from a record. Transitions that are not coverage goals are not
  /// marked.
  package func marked(by record: CoverageRecord) -> MachineDiagram {
    var diagram = self
    let entries = Dictionary(record.entries.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for index in states.indices { diagram.states[index].isCovered = (entries[states[index].id]?.times ?? 0) > 0 }
    for index in transitions.indices {
      let transition = transitions[index]
      let to =
        switch transition.to {
        case .state(let position): states[position].id
        case .success: "success"
        case .failure: "failure"
        }
      let arrow = entries[states[transition.from].id]?.arrows.first { $0.to == to && $0.sort == transition.sort }
      diagram.transitions[index].isCovered = arrow.map { $0.times > 0 }
    }
    return diagram
  }

  /// Whether the diagram shows coverage.
  package var isMarked: Bool { states.contains { $0.isCovered != nil } }
}
