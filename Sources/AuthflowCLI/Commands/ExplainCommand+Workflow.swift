import Diagnostics
import IdentityPlatform
import Lessons
import Reports
import WorkflowModel

/// Renders the explanation of a workflow as text for a terminal.
struct WorkflowWalkthroughText {
  let style: TerminalStyle
  let isVerbose: Bool

  /// The maximum number of scenarios to list without `--verbose`.
  private static let scenarioLimit = 8

  func render(_ workflow: WorkflowWalkthrough, path: String) -> String {
    var text = "\(style.paint(CaretFrame.visible(workflow.title), .strong))  "
    text += "\(style.paint("\(CaretFrame.visible(path)), a workflow", .dim))\n"
    if let description = workflow.description { text += style.wrap(description, indent: 2) }
    for line in workflow.setup { text += style.wrap(line, indent: 2, hanging: 2) }
    for (index, step) in workflow.steps.enumerated() { text += "\n" + self.step(step, index + 1) }
    text += scenarios(workflow.scenarios)
    if !isVerbose {
      text += "\n" + style.wrap("Use --verbose to show all outcomes and scenarios.", indent: 0, tone: .dim)
    }
    return style.shown(text)
  }

  // MARK: Steps

  private func step(_ step: WorkflowWalkthrough.StepDescription, _ number: Int) -> String {
    let kind = step.kind == step.id ? "" : " (\(step.kind))"
    var text = "\(number). \(style.paint(CaretFrame.visible(step.id), .strong))\(kind)"
    text += step.isFinal ? "  \(style.paint("always runs", .attention))\n" : "\n"
    text += style.wrap(GlossaryEntry.sentence(step.does), indent: 3)
    if let description = step.description { text += style.wrap(description, indent: 3) }
    for detail in step.details { text += style.wrap(detail, indent: 5, hanging: 2) }
    text += style.wrap("Behavior: \(step.internals.summary)", indent: 3, hanging: 2)
    if isVerbose { for point in step.internals.details { text += style.wrap("- \(point)", indent: 5, hanging: 2) } }
    if let pages = step.internals.pages { text += style.wrap("The user sees \(pages)", indent: 3, hanging: 2) }
    return text + (isVerbose ? outcomes(step) : paths(step))
  }

  private func paths(_ step: WorkflowWalkthrough.StepDescription) -> String {
    step.branches.map { style.wrap("→ \($0.outcomeList): \($0.effect)", indent: 5, hanging: 2) }.joined()
  }

  private func outcomes(_ step: WorkflowWalkthrough.StepDescription) -> String {
    step.outcomes.map { outcome in
      var line = "→ \(outcome.name): \(outcome.summary); \(outcome.effect)"
      if let first = outcome.scenarios.first {
        let more = outcome.scenarios.count - 1
        line += "; shown by \"\(first)\"\(more == 0 ? "" : " and \(more) more")"
      }
      return style.wrap(line, indent: 5, hanging: 2)
    }.joined()
  }

  // MARK: Scenarios

  private func scenarios(_ scenarios: [WorkflowWalkthrough.ScenarioDescription]) -> String {
    guard !scenarios.isEmpty else { return "" }
    var text = "\n\(style.paint("Scenarios", .dim))\n"
    let listed = isVerbose ? scenarios[...] : scenarios.prefix(Self.scenarioLimit)
    for scenario in listed {
      let outcome = scenario.outcome == .success ? "" : " (outcome: \(scenario.outcome))"
      let description = scenario.description.map { ": \($0)" } ?? ""
      text += style.wrap(scenario.name + outcome + description, indent: 2, hanging: 2)
      if let path = scenario.path, isVerbose || scenario.description == nil {
        text += style.wrap(path.joined(separator: " → "), indent: 6, hanging: 2, tone: .dim)
      }
    }
    let omitted = scenarios.count - listed.count
    if omitted > 0 { text += style.wrap("and \(omitted) more", indent: 2, tone: .dim) }
    return text
  }
}

extension WorkflowWalkthrough.Branch {
  /// The outcomes as text.
  var outcomeList: String { isDefault ? "anything else" : outcomes.joined(separator: ", ") }
}
