import Diagnostics
import WorkflowModel

/// A state machine diagram for an HTML page. The diagram shows the path that a run took.
///
/// The page provides the styles for the diagram's classes. All text is escaped. Parts of the diagram that are not on
/// the run's path have the class `other`.
package struct DiagramFigure: Sendable, Equatable {
  package let svg: String

  /// - Parameters:
  ///   - diagram: The diagram. `isCovered` marks the run's path.
  ///   - links: The step numbers for links to `step-N` anchors, by state position.
  ///   - end: The end state of the run: `success` or `failed`. Nil if the run reached neither state.
  package init(_ diagram: MachineDiagram, links: [Int: Int], end: String?) {
    let layout = DiagramLayout(diagram)
    var svg = """
      <svg class="machine" viewBox="0 40 \(layout.width) \(layout.height - 40)" width="\(layout.width)" role="group" aria-labelledby="machine-title">
      <title id="machine-title">\(Self.escape(Self.words(diagram, end)))</title>
      <defs>
      """
    for (id, sort) in [
      ("tip", ""), ("tip-other", " other"), ("tip-failure", " failure"), ("tip-other-failure", " failure other"),
    ] {
      svg +=
        "<marker id=\"\(id)\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto-start-reverse\"><path class=\"head\(sort)\" d=\"M0 0L10 5L0 10z\"/></marker>"
    }
    svg += "</defs>"
    // Lines that are not on the run's path are drawn first, in the background.
    let lines = layout.lines.filter { $0.isCovered == false } + layout.lines.filter { $0.isCovered != false }
    svg += "<circle class=\"start\" cx=\"\(layout.start.x)\" cy=\"\(layout.start.y)\" r=\"7\"/>"
    for line in lines {
      let other = line.isCovered == false
      let tip = "tip\(other ? "-other" : "")\(line.sort == .failure ? "-failure" : "")"
      svg +=
        "<path class=\"edge \(line.sort.rawValue)\(other ? " other" : "")\" d=\"\(line.path)\" marker-end=\"url(#\(tip))\"/>"
    }
    for box in layout.boxes {
      let drawn = Self.draw(box, diagram.states[box.position])
      svg += links[box.position].map { "<a href=\"#step-\($0)\">\(drawn)</a>" } ?? drawn
    }
    for (name, box) in layout.ends {
      svg +=
        "<g class=\"end \(name)\(name == end ? "" : " other")\"><rect x=\"\(box.x)\" y=\"\(box.y)\" width=\"\(box.width)\" height=\"\(box.height)\" rx=\"18\"/><text x=\"\(box.middleX)\" y=\"\(box.middleY + 5)\">\(name)</text></g>"
    }
    // Labels are drawn last so that no line crosses them.
    for line in lines where !line.labels.isEmpty {
      svg +=
        "<text class=\"label \(line.sort.rawValue)\(line.isCovered == false ? " other" : "")\" text-anchor=\"\(line.anchor)\">"
      for (index, label) in line.labels.enumerated() {
        svg +=
          "<tspan x=\"\(line.labelX)\" y=\"\(line.labelY + index * DiagramLayout.labelHeight)\">\(Self.escape(label))</tspan>"
      }
      svg += "</text>"
    }
    self.svg = svg + "</svg>"
  }

  private static func draw(_ box: DiagramLayout.Box, _ state: MachineDiagram.State) -> String {
    var text = "<g class=\"state \(state.role.rawValue)\(state.isCovered == false ? " other" : "")\">"
    text += "<rect x=\"\(box.x)\" y=\"\(box.y)\" width=\"\(box.width)\" height=\"\(box.height)\" rx=\"8\"/>"
    var lines = [state.kind == state.id ? state.id : "\(state.id) (\(state.kind))"]
    if !state.detail.isEmpty { lines.append(state.detail) }
    let first = box.y + box.height / 2 + (lines.count == 1 ? 5 : -4)
    for (index, line) in lines.enumerated() {
      text +=
        "<text class=\"\(index == 0 ? "name" : "detail")\" x=\"\(box.middleX)\" y=\"\(first + index * 18)\">\(Self.escape(DiagramLabel.cut(line, to: 34)))</text>"
    }
    return text + "</g>"
  }

  private static func escape(_ text: String) -> String { DiagramSVG.escape(CaretFrame.visible(text)) }

  private static func words(_ diagram: MachineDiagram, _ end: String?) -> String {
    let taken = diagram.states.filter { $0.isCovered == true }.map(\.id)
    let path = taken.isEmpty ? "no step ran" : "the run executed \(taken.joined(separator: ", "))"
    return "The state machine of \(diagram.title): \(path)\(end.map { "and ended in \($0)" } ?? "")."
  }
}

extension MachineDiagram {
  /// Returns the diagram with a run's path marked.
  /// - Parameter path: The executed steps, each with its outcome and target. The target is `success`, `failure`, or a
  ///   step.
  package func walked(_ path: [(step: String, outcome: String, next: String?)]) -> MachineDiagram {
    var walked = self
    for index in walked.states.indices { walked.states[index].isCovered = false }
    for index in walked.transitions.indices { walked.transitions[index].isCovered = false }
    for entry in path {
      guard let from = states.firstIndex(where: { $0.id == entry.step }) else { continue }
      if entry.outcome != "skipped" { walked.states[from].isCovered = true }
      let to: Target? =
        switch entry.next {
        case "success": .success
        case "failure": .failure
        case let next?: states.firstIndex { $0.id == next }.map { .state($0) }
        case nil: nil
        }
      let leaving = transitions.indices.filter { transitions[$0].from == from }
      let taken =
        leaving.first { transitions[$0].outcomes.contains(entry.outcome) && (to == nil || transitions[$0].to == to) }
        ?? leaving.first { transitions[$0].outcomes.contains(entry.outcome) }
        ?? leaving.first { transitions[$0].to == to }
      guard let taken else { continue }
      walked.transitions[taken].isCovered = true
      // The label shows only the first outcomes.
      if let place = walked.transitions[taken].outcomes.firstIndex(of: entry.outcome) {
        walked.transitions[taken].outcomes.remove(at: place)
        walked.transitions[taken].outcomes.insert(entry.outcome, at: 0)
      }
    }
    return walked
  }
}
