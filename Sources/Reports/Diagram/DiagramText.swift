import Diagnostics
import WorkflowModel

/// The state machine as text, with one block for each step and its transitions.
package struct DiagramText {
  /// The column at which outcome lists wrap.
  private static let width = 100

  package static func render(_ diagram: MachineDiagram) -> String {
    var text = "\(diagram.title.singleLine)\n"
    if diagram.isMarked { text += "● covered  ○ not covered\n" }
    let leaving = diagram.leaving
    for (position, state) in diagram.states.enumerated() {
      text += "\n\(header(state))\n"
      let transitions = leaving[position].map { diagram.transitions[$0] }
      let targets = transitions.map { target($0, in: diagram) }
      let column = targets.map(\.count).max() ?? 0
      for (transition, target) in zip(transitions, targets) {
        let rows = transition.outcomes.wrapped(within: width - column - 4)
        for (index, row) in rows.enumerated() {
          let head = index == 0 ? target : ""
          if let mark = mark(transition.isCovered) { text += index == 0 ? "  \(mark) " : "    " } else { text += "  " }
          text += "\(head)\(String(repeating: " ", count: column - head.count))  \(row)"
          text += index + 1 == rows.count ? "\(annotation(transition))\n" : "\n"
        }
      }
    }
    return text
  }

  private static func header(_ state: MachineDiagram.State) -> String {
    var words = mark(state.isCovered).map { "\($0) " } ?? ""
    words += state.id.singleLine
    if state.kind != state.id { words += " (\(state.kind))" }
    if !state.detail.isEmpty { words += "  \(state.detail.singleLine)" }
    switch state.role {
    case .fallback where state.kind != "interactive-fallback": words += "  [fallback]"
    case .step, .fallback: break
    case .conditional: words += "  [when]"
    case .finally: words += "  [finally]"
    }
    return words
  }

  private static func target(_ transition: MachineDiagram.Transition, in diagram: MachineDiagram) -> String {
    let name =
      switch transition.to {
      case .state(let position): diagram.states[position].id.singleLine
      case .success: "success"
      case .failure: "failed"
      }
    switch transition.sort {
    case .next, .explicit: return "→ \(name)"
    case .fallback: return "⇢ \(name)"
    case .detour: return "↺ \(name)"
    case .failure: return "✗ \(name)"
    }
  }

  private static func annotation(_ transition: MachineDiagram.Transition) -> String {
    switch transition.sort {
    case .next, .failure: ""
    case .fallback: "  (fallback)"
    case .detour: "  (with the claims; then repeats this call)"
    case .explicit: "  (from `on` or `expect`)"
    }
  }

  private static func mark(_ isCovered: Bool?) -> String? { isCovered.map { $0 ? "●" : "○" } }
}
