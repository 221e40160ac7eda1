import Documents

/// The machine as data, for traces and for those who draw it themselves. The form is published with the trace.
package enum DiagramJSON {
  package static func json(_ diagram: MachineDiagram) -> JSON {
    [
      "title": .string(diagram.title),
      "states": .array(
        diagram.states.map { state in
          [
            "id": .string(state.id), "kind": .string(state.kind), "detail": .string(state.detail),
            "role": .string(state.role.rawValue),
          ]
        }),
      "transitions": .array(
        diagram.transitions.map { transition in
          [
            "from": .string(diagram.states[transition.from].id), "to": .string(target(transition.to, in: diagram)),
            "outcomes": .array(transition.outcomes.map { .string($0) }), "sort": .string(transition.sort.rawValue),
          ]
        }),
    ]
  }

  private static func target(_ target: MachineDiagram.Target, in diagram: MachineDiagram) -> String {
    switch target {
    case .state(let position): diagram.states[position].id
    case .success: "end"
    case .failure: "fail"
    }
  }
}
