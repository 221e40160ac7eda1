import Diagnostics
import Directory
import Documents
import Effects
import Reports
import RunTrace
import Scenarios
import WorkflowModel
import WorkflowRunner

/// Runs one scenario for `authflow run FILE --scenario NAME`. The environment is the same as in `authflow test`.
struct RunScenario {
  let session: Session
  let input: LoadedWorkflow
  let name: String
  let format: OutputFormat
  /// A closure that receives each event of the trace.
  let sink: @Sendable (TraceEvent) -> Void

  func perform() async throws(ExitStatus) {
    let (test, diagnostics) = input.scenarioCase(named: name)
    session.show(diagnostics)
    if diagnostics.hasErrors { throw .usageError }
    guard let test else { throw notFound() }
    let entry = SuiteEntry(number: 1, test: test)
    if format == .text { printSetup(of: test.scenario) }
    let start = session.world.clock.now
    let report = await test.run(in: session.world, tool: "authflow \(Version.text)", sink: sink)
    guard !Task.isCancelled else { throw .interrupted }
    var result = TestResult(entry, report, events: [], width: session.style(for: .output).width - 12)
    result.duration = session.world.clock.now - start
    switch format {
    case .json: session.printJSON(SuiteJSON.json(result))
    case .text: printResult(result, report)
    }
    if result.verdict != .passed { throw .failed }
  }

  private func notFound() -> ExitStatus {
    let names = input.workflow.scenarioNames
    var text = "\(CaretFrame.visible(input.workflow.scenarioFileName))"
    if names.isEmpty {
      text += " has no scenarios"
    } else {
      text += " has no scenario \(ShellWord.quoted(name))"
      if let suggestion = input.workflow.scenarioSuggestion(for: name) {
        text += "\n  help: did you mean `\(ShellWord.quoted(suggestion))`?"
      }
      text += "\n  note: scenarios of this workflow:\n" + names.map { "    \(CaretFrame.visible($0))\n" }.joined()
    }
    return session.report(.usageError, text)
  }

  private func printSetup(of scenario: Scenario) {
    let style = session.style(for: .output)
    var text = style.wrap("scenario: \(scenario.name)", indent: 0, hanging: 2, tone: .strong)
    if let description = scenario.body.description { text += style.wrap(description, indent: 2) }
    for line in ScenarioSetupText.lines(scenario) { text += style.wrap(line, indent: 2, hanging: 2) }
    session.printLine(style.shown(text))
  }

  private func printResult(_ result: TestResult, _ report: ScenarioReport) {
    let style = session.style(for: .output)
    let text = SuiteText(style: style)
    var output = "\n"
    for expectation in report.expectationResults where expectation.holds {
      let line = "\(style.unicode ? "✓" : "+") \(expectation.subject) is \(expectation.result.actual)"
      output += style.wrap(line, indent: 2, hanging: 2, tone: .good)
    }
    if result.failure != nil { output += text.failure(result) }
    session.printLine(style.shown(output) + text.line(result))
  }
}
