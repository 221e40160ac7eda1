import Diagnostics
import WorkflowModel

/// A state machine diagram for an HTML page. The diagram shows the path that a run took.
///
/// The page provides the styles for the diagram's classes. All text is escaped. Parts of the diagram that are not on
/// the run's path have the class `other`.
package struct DiagramFigure: Sendable, Equatable {
  package let svg: String

  /// - Parameters:
  ///   - walk: The diagram with the path of the run.
  ///   - links: The step numbers for links to `step-N` anchors, by state position.
  ///   - end: The end state of the run, and the sequence number of the event that ended the run. Nil if the run did not
  ///     reach an end state.
  package init(_ walk: DiagramWalk, links: [Int: Int], end: (name: String, seq: Int)?) {
    let diagram = walk.diagram
    let layout = DiagramLayout(diagram)
    var svg = """
      <svg class="machine" viewBox="0 40 \(layout.width) \(layout.height - 40)" width="\(layout.width)" role="group" aria-labelledby="machine-title">
      <title id="machine-title">\(Self.escape(Self.words(diagram, end?.name)))</title>
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
        "<path class=\"edge \(line.sort.rawValue)\(other ? " other" : "")\"\(Self.time(of: line, walk)) d=\"\(line.path)\" marker-end=\"url(#\(tip))\"/>"
    }
    for box in layout.boxes {
      let drawn = Self.draw(box, diagram.states[box.position], walk.visits[box.position] ?? [])
      svg += links[box.position].map { "<a href=\"#step-\($0)\">\(drawn)</a>" } ?? drawn
    }
    for (name, box) in layout.ends {
      let time = end.flatMap { $0.name == name ? Self.times([$0.seq...Int.max]) : nil } ?? ""
      svg +=
        "<g class=\"end \(name)\(name == end?.name ? "" : " other")\"\(time)><rect x=\"\(box.x)\" y=\"\(box.y)\" width=\"\(box.width)\" height=\"\(box.height)\" rx=\"18\"/><text x=\"\(box.middleX)\" y=\"\(box.middleY + 5)\">\(name)</text></g>"
    }
    // Labels are drawn last so that no line crosses them.
    for line in lines where !line.labels.isEmpty {
      svg +=
        "<text class=\"label \(line.sort.rawValue)\(line.isCovered == false ? " other" : "")\"\(Self.time(of: line, walk)) text-anchor=\"\(line.anchor)\">"
      if let others = line.transition.flatMap({ walk.others[$0] }) {
        svg += "<title>\(Self.escape(others.joined(separator: ", ")))</title>"
      }
      for (index, label) in line.labels.enumerated() {
        svg +=
          "<tspan x=\"\(line.labelX)\" y=\"\(line.labelY + index * DiagramLayout.labelHeight)\">\(Self.escape(label))</tspan>"
      }
      svg += "</text>"
    }
    self.svg = svg + "</svg>"
  }

  /// Returns the attributes from which the page's script determines when a part of the diagram is current.
  private static func times(_ spans: [ClosedRange<Int>]) -> String {
    guard let first = spans.first else { return "" }
    let text = spans.map { "\($0.lowerBound)-\($0.upperBound == .max ? "" : "\($0.upperBound)")" }
    return " data-at=\"\(first.lowerBound)\" data-spans=\"\(text.joined(separator: " "))\""
  }

  /// Returns an attribute with the number of the event in which the run first took a transition.
  private static func time(of line: DiagramLayout.Line, _ walk: DiagramWalk) -> String {
    line.transition.flatMap { walk.departures[$0] }.map { " data-at=\"\($0)\"" } ?? ""
  }

  private static func draw(_ box: DiagramLayout.Box, _ state: MachineDiagram.State, _ visits: [ClosedRange<Int>])
    -> String
  {
    var text =
      "<g class=\"state \(state.role.rawValue)\(state.isCovered == false ? " other" : "")\" data-step=\"\(escape(state.id))\"\(times(visits))>"
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
    return "The state machine of \(diagram.title): \(path)\(end.map { " and ended in \($0)" } ?? "")."
  }
}
