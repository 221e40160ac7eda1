/// The machine as text for a terminal: one block for each step, what leads where.
package struct DiagramText {
  package static func render(_ diagram: MachineDiagram) -> String {
    var text = "\(line(diagram.title))\n"
    for (position, state) in diagram.states.enumerated() {
      text += "\n\(header(state))\n"
      let transitions = diagram.transitions.filter { $0.from == position }
      let rows = transitions.map { (labels: $0.outcomes, target: target($0, in: diagram)) }
      let width = rows.map { row in row.labels.map(\.count).max() ?? 0 }.max() ?? 0
      for row in rows {
        for (index, label) in row.labels.enumerated() {
          let padding = String(repeating: " ", count: width - label.count)
          text += index == 0 ? "  \(label)\(padding) \(row.target)\n" : "  \(label)\n"
        }
      }
    }
    return text
  }

  private static func header(_ state: MachineDiagram.State) -> String {
    var words = line(state.id)
    if state.kind != state.id { words += " (\(state.kind))" }
    if !state.detail.isEmpty { words += "  \(line(state.detail))" }
    switch state.role {
    case .step: break
    case .fallback where state.kind != "interactive-fallback": words += "  [fallback]"
    case .fallback: break
    case .conditional: words += "  [when]"
    case .finally: words += "  [finally]"
    }
    return words
  }

  private static func target(_ transition: MachineDiagram.Transition, in diagram: MachineDiagram) -> String {
    let name =
      switch transition.to {
      case .state(let position): line(diagram.states[position].id)
      case .success: "success"
      case .failure: "failure"
      }
    switch transition.sort {
    case .next, .failure: return "→ \(name)"
    case .fallback: return "⇢ \(name)  (fallback)"
    case .detour: return "↺ \(name)  (with the claims, then this call again, once)"
    case .said: return "→ \(name)  (on)"
    }
  }

  /// Text that stays on its line and moves no cursor.
  private static func line(_ text: String) -> String {
    String(text.unicodeScalars.map { $0.properties.generalCategory == .control || $0.properties.generalCategory == .format ? " " : Character($0) })
  }
}
