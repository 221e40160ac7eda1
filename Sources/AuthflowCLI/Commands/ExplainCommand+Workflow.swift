import Diagnostics
import IdentityPlatform
import Lessons
import Reports

/// A workflow as a lesson, as text for a terminal: in short, or the whole of it.
struct WorkflowLessonText {
  let style: TerminalStyle
  let isWhole: Bool

  /// Scenarios that are named in short.
  private static let mostScenarios = 8

  func lesson(_ workflow: WorkflowWalkthrough, path: String) -> String {
    var text = "\(style.paint(CaretFrame.visible(workflow.title), .strong))  "
    text += "\(style.paint("\(CaretFrame.visible(path)), a workflow", .dim))\n"
    if let description = workflow.description { text += style.wrap(description, indent: 2) }
    for line in workflow.circumstances { text += style.wrap(line, indent: 2, hanging: 2) }
    for (index, step) in workflow.steps.enumerated() { text += "\n" + self.step(step, index + 1) }
    text += scenarios(workflow.scenarios)
    if !isWhole {
      text += "\n" + style.wrap("The whole of it, every outcome and scenario: --verbose.", indent: 0, tone: .dim)
    }
    return style.shown(text)
  }

  // MARK: Steps

  private func step(_ step: WorkflowWalkthrough.StepDescription, _ number: Int) -> String {
    let kind = step.kind == step.id ? "" : " (\(step.kind))"
    var text = "\(number). \(style.paint(CaretFrame.visible(step.id), .strong))\(kind)"
    text += step.isFinal ? "  \(style.paint("however the workflow ended", .attention))\n" : "\n"
    text += style.wrap(GlossaryEntry.sentence(step.does), indent: 3)
    if let description = step.description { text += style.wrap(description, indent: 3) }
    for detail in step.details { text += style.wrap(detail, indent: 5, hanging: 2) }
    text += style.wrap("Inside: \(step.inside.brief)", indent: 3, hanging: 2)
    if isWhole { for point in step.inside.points { text += style.wrap("- \(point)", indent: 5, hanging: 2) } }
    if let sees = step.inside.sees { text += style.wrap("The user sees \(sees)", indent: 3, hanging: 2) }
    return text + (isWhole ? outcomes(step) : ways(step))
  }

  private func ways(_ step: WorkflowWalkthrough.StepDescription) -> String {
    step.ways.map { way in
      let outcomes = way.isRest ? "anything else" : way.outcomes.joined(separator: ", ")
      return style.wrap("→ \(outcomes): \(way.leads)", indent: 5, hanging: 2)
    }.joined()
  }

  private func outcomes(_ step: WorkflowWalkthrough.StepDescription) -> String {
    step.outcomes.map { outcome in
      var words = "→ \(outcome.name): \(outcome.words); \(outcome.leads)"
      if let first = outcome.shownBy.first {
        let more = outcome.shownBy.count - 1
        words += "; shown by \"\(first)\"\(more == 0 ? "" : " and \(more) more")"
      }
      return style.wrap(words, indent: 5, hanging: 2)
    }.joined()
  }

  // MARK: Scenarios

  private func scenarios(_ scenarios: [WorkflowWalkthrough.ScenarioDescription]) -> String {
    guard !scenarios.isEmpty else { return "" }
    var text = "\n\(style.paint("What its scenarios show", .dim))\n"
    let shown = isWhole ? scenarios[...] : scenarios.prefix(Self.mostScenarios)
    for scenario in shown {
      let ending = scenario.outcome == "success" ? "" : " (ends in \(scenario.outcome))"
      let description = scenario.description.map { ": \($0)" } ?? ""
      text += style.wrap(scenario.name + ending + description, indent: 2, hanging: 2)
      if let path = scenario.path, isWhole || scenario.description == nil {
        text += style.wrap(path.joined(separator: " → "), indent: 6, hanging: 2, tone: .dim)
      }
    }
    let rest = scenarios.count - shown.count
    if rest > 0 { text += style.wrap("and \(rest) more", indent: 2, tone: .dim) }
    return text
  }
}
