import Diagnostics
import WorkflowModel

/// The state machine as SVG. The steps are in one column in list order. Transitions to the next step are straight
/// lines. Fallbacks and jumps are on the right, and transitions to earlier steps are on the left.
///
/// The image supports light and dark mode. It contains a title and a text description for screen readers.
package struct DiagramSVG {
  package static func render(_ diagram: MachineDiagram) -> String {
    DiagramSVG(diagram, DiagramLayout(diagram)).document()
  }

  private let diagram: MachineDiagram
  private let layout: DiagramLayout

  private init(_ diagram: MachineDiagram, _ layout: DiagramLayout) {
    self.diagram = diagram
    self.layout = layout
  }

  private func document() -> String {
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(layout.width) \(layout.height)" width="\(layout.width)" height="\(layout.height)" role="img" aria-labelledby="machine-title machine-description">
      <title id="machine-title">\(Self.escape(diagram.title))</title>
      <desc id="machine-description">\(Self.escape(description))</desc>
      \(Self.style)\(diagram.isMarked ? Self.coverageStyle : "")
      <defs>
      <marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path class="head" d="M0 0L10 5L0 10z"/></marker>
      <marker id="arrow-failure" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path class="head failure" d="M0 0L10 5L0 10z"/></marker>
      </defs>
      <rect class="page" width="100%" height="100%"/>
      <text class="title" x="\(layout.width / 2)" y="28">\(Self.escape(DiagramLabel.cut(diagram.title, to: 60)))</text>

      """
    text += "<circle class=\"start\" cx=\"\(layout.start.x)\" cy=\"\(layout.start.y)\" r=\"7\"/>\n"
    for line in layout.lines {
      let marker = line.sort == .failure ? "arrow-failure" : "arrow"
      text +=
        "<path class=\"edge \(line.sort.rawValue)\(Self.mark(line.isCovered))\" d=\"\(line.path)\" marker-end=\"url(#\(marker))\"/>\n"
    }
    for box in layout.boxes { text += draw(box) }
    for (name, box) in layout.ends {
      text += "<g class=\"end \(name)\">"
      text += "<rect x=\"\(box.x)\" y=\"\(box.y)\" width=\"\(box.width)\" height=\"\(box.height)\" rx=\"18\"/>"
      text += "<text x=\"\(box.middleX)\" y=\"\(box.middleY + 5)\">\(name)</text></g>\n"
    }
    // Labels are drawn last so that no line crosses them.
    for line in layout.lines { text += draw(line.labels, at: line.labelX, line.labelY, anchor: line.anchor, line.sort) }
    return text + "</svg>\n"
  }

  private func draw(_ box: DiagramLayout.Box) -> String {
    let state = diagram.states[box.position]
    let middle = box.x + box.width / 2
    var text = "<g class=\"state \(state.role.rawValue)\(Self.mark(state.isCovered))\">"
    text += "<rect x=\"\(box.x)\" y=\"\(box.y)\" width=\"\(box.width)\" height=\"\(box.height)\" rx=\"8\"/>"
    var lines = [state.kind == state.id ? state.id : "\(state.id) (\(state.kind))"]
    if !state.detail.isEmpty { lines.append(DiagramLabel.cut(state.detail, to: 34)) }
    let first = box.y + box.height / 2 + (lines.count == 1 ? 5 : -4)
    for (index, line) in lines.enumerated() {
      text +=
        "<text class=\"\(index == 0 ? "name" : "detail")\" x=\"\(middle)\" y=\"\(first + index * 18)\">\(Self.escape(DiagramLabel.cut(line, to: 34)))</text>"
    }
    return text + "</g>\n"
  }

  private func draw(_ labels: [String], at x: Int, _ y: Int, anchor: String, _ sort: MachineDiagram.Transition.Sort)
    -> String
  {
    guard !labels.isEmpty else { return "" }
    var text = "<text class=\"label \(sort.rawValue)\" text-anchor=\"\(anchor)\">"
    for (index, label) in labels.enumerated() {
      text += "<tspan x=\"\(x)\" y=\"\(y + index * DiagramLayout.labelHeight)\">\(Self.escape(label))</tspan>"
    }
    return text + "</text>\n"
  }

  /// A description of the state machine in sentences.
  private var description: String {
    var sentences = ["A state machine of \(diagram.states.count.counting("step"))."]
    for transition in diagram.transitions {
      let to =
        switch transition.to {
        case .state(let position): diagram.states[position].id
        case .success: "success"
        case .failure: "failure"
        }
      let covered = transition.isCovered.map { $0 ? ", covered" : ", not covered" } ?? ""
      let how = transition.sort == .detour ? " with the claims and then repeats the call" : ""
      sentences.append(
        "\(diagram.states[transition.from].id): \(DiagramLabel.short(transition)) continues with \(to)\(how)\(covered)."
      )
    }
    return sentences.joined(separator: " ")
  }

  private static func mark(_ isCovered: Bool?) -> String { isCovered.map { $0 ? " covered" : " uncovered" } ?? "" }

  /// The style for coverage. Covered parts are green. Parts that are not covered are dashed and amber.
  private static let coverageStyle = """

    <style>
    .edge.covered { stroke: #1e7a3c; stroke-width: 2.25; stroke-dasharray: none }
    .edge.uncovered { stroke: #8a6d00; stroke-dasharray: 3 5 }
    .state.covered rect { stroke: #1e7a3c; stroke-width: 2.25 } .state.uncovered rect { stroke: #8a6d00; fill: #fff8e1 }
    @media (prefers-color-scheme: dark) {
    .edge.covered { stroke: #6cc287 } .edge.uncovered { stroke: #e0bd4f }
    .state.covered rect { stroke: #6cc287 } .state.uncovered rect { stroke: #e0bd4f; fill: #2e2810 }
    }
    </style>
    """

  private static let style = """
    <style>
    .page { fill: #ffffff } .title { font: 600 17px system-ui, sans-serif; text-anchor: middle; fill: #1c1b1f }
    .state rect { fill: #eef3fc; stroke: #3b5b92; stroke-width: 1.5 } .state text { text-anchor: middle; fill: #1c1b1f }
    .state.fallback rect { stroke-dasharray: 6 4 } .state.conditional rect { stroke-dasharray: 2 3 }
    .state.finally rect { fill: #f3f0e8; stroke: #7a6a3a }
    .name { font: 600 14px system-ui, sans-serif } .detail { font: 12px ui-monospace, monospace }
    .edge { fill: none; stroke: #5b6472; stroke-width: 1.5 } .edge.fallback { stroke-dasharray: 6 4 }
    .edge.detour { stroke-dasharray: 2 4 } .edge.said { stroke-width: 2.25 } .edge.failure { stroke: #b3261e }
    .head { fill: #5b6472 } .head.failure { fill: #b3261e } .start { fill: #1c1b1f }
    .label { font: 12px system-ui, sans-serif; fill: #3a4049; paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round }
    .label.failure { fill: #b3261e }
    .end rect { fill: #e6f4ea; stroke: #1e7a3c; stroke-width: 1.5 } .end text { font: 600 14px system-ui, sans-serif; text-anchor: middle; fill: #14532b }
    .end.failed rect { fill: #fce8e6; stroke: #b3261e } .end.failed text { fill: #8c1d18 }
    @media (prefers-color-scheme: dark) {
    .page { fill: #17191e } .title, .state text { fill: #e6e8ec } .state rect { fill: #232b3a; stroke: #8fb0ea }
    .state.finally rect { fill: #2e2a1e; stroke: #cbb36a } .edge { stroke: #9aa4b2 } .head { fill: #9aa4b2 } .start { fill: #e6e8ec }
    .edge.failure { stroke: #f2857b } .head.failure { fill: #f2857b } .label { fill: #c9cfd8; stroke: #17191e } .label.failure { fill: #f2857b }
    .end rect { fill: #17301f; stroke: #6cc287 } .end text { fill: #b9e6c6 } .end.failed rect { fill: #3a1b19; stroke: #f2857b } .end.failed text { fill: #f9c3bd }
    }
    </style>
    """

  /// Escapes text for XML, and replaces invalid characters (XML 1.0 §2.2) with spaces.
  static func escape(_ text: String) -> String {
    text.unicodeScalars.map { scalar -> String in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      default:
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: " "
        default: String(scalar)
        }
      }
    }.joined()
  }
}
