import Documents

/// The JSON format of a diagram in a trace. The trace format reference describes it.
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

  /// Parses the diagram in a trace. Returns nil if the JSON is not a valid diagram.
  package static func diagram(_ json: JSON?) -> MachineDiagram? {
    guard let json, let states = json["states"]?.array, let transitions = json["transitions"]?.array else { return nil }
    var diagram = MachineDiagram(title: json["title"]?.string ?? "")
    var positions: [String: Int] = [:]
    for state in states {
      guard let id = state["id"]?.string, positions[id] == nil else { return nil }
      positions[id] = diagram.states.count
      diagram.states.append(
        MachineDiagram.State(
          id: id, kind: state["kind"]?.string ?? "", detail: state["detail"]?.string ?? "",
          role: state["role"]?.string.flatMap(MachineDiagram.State.Role.init) ?? .step))
    }
    for transition in transitions {
      guard let from = transition["from"]?.string.flatMap({ positions[$0] }), let name = transition["to"]?.string else {
        return nil
      }
      // `end` and `fail` are reserved, so they cannot be step IDs.
      let to: MachineDiagram.Target? =
        switch name {
        case "end": .success
        case "fail": .failure
        default: positions[name].map { .state($0) }
        }
      guard let to else { return nil }
      diagram.transitions.append(
        MachineDiagram.Transition(
          from: from, to: to, outcomes: transition["outcomes"]?.array?.compactMap(\.string) ?? [],
          sort: transition["sort"]?.string.flatMap(MachineDiagram.Transition.Sort.init) ?? .next))
    }
    return diagram
  }

  private static func target(_ target: MachineDiagram.Target, in diagram: MachineDiagram) -> String {
    switch target {
    case .state(let position): diagram.states[position].id
    case .success: "end"
    case .failure: "fail"
    }
  }
}
