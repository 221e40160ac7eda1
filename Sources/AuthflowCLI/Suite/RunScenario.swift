import Diagnostics
import Directory
import Documents
import Effects
import Reports
import RunTrace
import Scenarios
import WorkflowModel
import WorkflowRunner

/// `authflow run FILE --scenario NAME`: one scenario in the same world as `authflow test` gives it, told as it happens.
struct RunScenario {
  let session: Session
  let input: LoadedWorkflow
  let name: String
  let format: OutputFormat
  /// Takes each event: the story, and the trace's file.
  let sink: @Sendable (TraceEvent) -> Void

  func perform() async throws(ExitStatus) {
    let (cases, diagnostics) = input.cases(named: name)
    session.show(diagnostics)
    if diagnostics.hasErrors { throw .usageError }
    guard let test = cases.first else { throw notFound() }
    let entry = SuiteEntry(number: 1, test: test)
    if format == .text { tellGiven(test.scenario) }
    let start = session.world.clock.now
    let report = await test.run(in: session.world, tool: "authflow \(Version.text)", sink: sink)
    guard !Task.isCancelled else { throw .interrupted }
    var record = TestResult(entry, report, events: [], width: session.style(for: .output).width - 12)
    record.duration = session.world.clock.now - start
    switch format {
    case .json: session.printLine(SuiteJSON.json(record).text(pretty: true), as: .json)
    case .text: tell(record, report)
    }
    if record.verdict != .passed { throw .failed }
  }

  private func notFound() -> ExitStatus {
    let names = input.workflow.scenarios.flatMap(\.cases).map(\.name)
    var text = "error: \(CaretFrame.visible(input.workflow.scenarioFileName))"
    if names.isEmpty {
      text += " has no scenarios"
    } else {
      text += " has no scenario \(ShellWord.quoted(name))"
      let near =
        Suggestion.nearest(to: name, among: names) ?? names.first { $0.lowercased().contains(name.lowercased()) }
      if let near, !name.isEmpty { text += "\n  help: did you mean \(ShellWord.quoted(near))?" }
      text += "\n  its scenarios:\n" + names.map { "    \(CaretFrame.visible($0))\n" }.joined()
    }
    session.printStatus(text)
    return .usageError
  }

  private func tellGiven(_ scenario: Scenario) {
    let style = session.style(for: .output)
    var text = style.wrap("scenario: \(scenario.name)", indent: 0, hanging: 2, tone: .strong)
    if let words = scenario.body.description { text += style.wrap(words, indent: 2) }
    for line in ScenarioSetupText.lines(scenario) { text += style.wrap(line, indent: 2, hanging: 2) }
    session.printLine(style.shown(text))
  }

  private func tell(_ record: TestResult, _ report: ScenarioReport) {
    let style = session.style(for: .output)
    let text = SuiteText(style: style)
    var told = "\n"
    for judgement in report.judgements where judgement.holds {
      let words = "\(judgement.subject) is \(judgement.result.actual)"
      told += style.wrap("\(style.unicode ? "✓" : "+") \(words)", indent: 2, hanging: 2, tone: .good)
    }
    if record.failure != nil { told += text.failure(record) }
    session.printLine(style.shown(told) + text.line(record))
  }
}
