import WorkflowModel

/// The state machine in DOT, the Graphviz language.
package struct DiagramDOT {
  package static func render(_ diagram: MachineDiagram) -> String {
    var text = "digraph workflow {\n"
    text += "  label=\(quote(diagram.title)); labelloc=t; rankdir=TB; fontname=\"sans-serif\";\n"
    text += "  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n"
    text += "  edge [fontname=\"sans-serif\", fontsize=10];\n"
    text += "  start [shape=point, width=0.15, label=\"\"];\n"
    for (position, state) in diagram.states.enumerated() { text += node(state, at: position) }
    text += "  success [shape=doublecircle, label=\"success\"];\n"
    if diagram.transitions.contains(where: { $0.to == .failure }) {
      text += "  failure [shape=octagon, label=\"failed\", color=\"#b3261e\", fontcolor=\"#b3261e\"];\n"
    }
    text += diagram.states.isEmpty ? "  start -> success;\n" : "  start -> s0;\n"
    for transition in diagram.transitions { text += edge(transition, in: diagram) }
    if let first = diagram.states.firstIndex(where: { $0.role == .finally }) {
      if diagram.transitions.contains(where: { $0.to == .failure }) {
        text += "  failure -> s\(first) [label=\"finally\", style=dotted];\n"
      }
      for position in first..<diagram.states.count {
        let next = position + 1 < diagram.states.count ? "s\(position + 1)" : "success"
        text += "  s\(position) -> \(next) [label=\"finally\"];\n"
      }
    }
    return text + "}\n"
  }

  private static func node(_ state: MachineDiagram.State, at position: Int) -> String {
    var label = state.id
    if state.kind != state.id { label += " (\(state.kind))" }
    if !state.detail.isEmpty { label += "\n\(DiagramLabel.cut(state.detail))" }
    let style =
      switch state.role {
      case .step: ""
      case .fallback: ", style=\"rounded,dashed\""
      case .conditional: ", shape=diamond, style=\"\""
      case .finally: ", style=\"rounded,bold\""
      }
    let mark =
      switch state.isCovered {
      case true?: ", color=\"#1e7a3c\", penwidth=2"
      case false?: ", color=\"#8a6d00\", fontcolor=\"#8a6d00\""
      case nil: ""
      }
    return "  s\(position) [label=\(quote(label))\(style)\(mark)];\n"
  }

  private static func edge(_ transition: MachineDiagram.Transition, in diagram: MachineDiagram) -> String {
    let target =
      switch transition.to {
      case .state(let position): "s\(position)"
      case .success: diagram.mainCount < diagram.states.count ? "s\(diagram.mainCount)" : "success"
      case .failure: "failure"
      }
    let style =
      switch (transition.isCovered, transition.sort) {
      case (true?, _): ", color=\"#1e7a3c\", fontcolor=\"#14532b\", penwidth=2"
      case (false?, _): ", color=\"#8a6d00\", fontcolor=\"#8a6d00\", style=dashed"
      case (nil, .next): ""
      case (nil, .fallback): ", style=dashed"
      case (nil, .detour): ", style=dotted, constraint=false"
      case (nil, .explicit): ", penwidth=1.5"
      case (nil, .failure): ", color=\"#b3261e\", fontcolor=\"#b3261e\""
      }
    let label = quote(DiagramLabel.lines(transition).joined(separator: "\n"))
    return "  s\(transition.from) -> \(target) [label=\(label)\(style)];\n"
  }

  /// Returns a quoted DOT string.
  private static func quote(_ text: String) -> String {
    let safe = text.unicodeScalars.map { scalar -> String in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      default: scalar.value < 0x20 || scalar.value == 0x7F ? " " : String(scalar)
      }
    }
    return "\"\(safe.joined())\""
  }
}
