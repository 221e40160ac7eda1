import Diagnostics
import Documents
import Effects
import IdentityEmulator
import OrderedCollections
import PublicClient
import Reports
import RunTrace
import WorkflowModel
import WorkflowRunner

extension TestResult {
  /// Creates the result of a scenario that did not run or did not complete.
  package init(_ entry: SuiteEntry, skippedFor reason: String) {
    self.init(entry, .skipped)
    self.reason = reason
  }

  /// Creates the result of a scenario.
  /// - Parameters:
  ///   - events: The trace, if the scenario failed.
  ///   - width: The maximum width of a source line, in columns.
  package init(_ entry: SuiteEntry, _ report: ScenarioReport, events: [TraceEvent] = [], width: Int = 100) {
    let verdict: Status =
      switch report.verdict {
      case .passed: .passed
      case .failed: .failed
      case .error: .error
      }
    self.init(entry, verdict)
    elapsed = report.elapsed
    guard verdict != .passed else { return }
    failure = TestFailure(entry.test, report, events: events, width: width)
  }

  private init(_ entry: SuiteEntry, _ verdict: Status) {
    let test = entry.test
    let start = test.scenario.place.start
    self.init(
      number: entry.number, file: test.file, name: test.name, line: start.line, column: start.column, verdict: verdict)
    tags = test.scenario.body.tags
  }
}

extension ScenarioCase {
  /// Explains a failure as `authflow test` does. The text contains both paths side by side, each failed
  /// expectation with its location, and the decisions of the first step that differs. The text is empty if the scenario
  /// passed.
  ///
  /// This method reruns the scenario to record a trace. The rerun has the same result.
  /// - Parameter world: The environment of the process, as in `run(in:tool:sink:)`.
  package func explanation(of report: ScenarioReport, in world: World, tool: String) async -> String {
    guard report.verdict != .passed else { return "" }
    let log = EventLog()
    _ = await run(in: world, tool: tool, sink: log.add)
    let style = TerminalStyle(color: false, unicode: true, width: 100)
    var record = TestResult(SuiteEntry(number: 1, test: self), report, events: log.events, width: style.width)
    // In an app's tests, commands that rerun the scenario are not useful.
    record.failure?.rerun = ""
    return SuiteText(style: style).failure(record)
  }
}

extension TestFailure {
  init(_ test: ScenarioCase, _ report: ScenarioReport, events: [TraceEvent], width: Int) {
    self.init()
    expectedPath = test.scenario.body.expect?.path?.elements.map(\.value.text)
    path = report.result?.path ?? []
    outcome = report.result?.outcome.rawValue
    let comparison = expectedPath.map { PathComparison(expected: $0, actual: path) }
    for judgement in report.expectationResults where !judgement.holds {
      guard judgement.subject == "path", let comparison, let words = comparison.sentence else {
        problems.append(TestProblem(judgement.subject, judgement.message, at: judgement.place, width: width))
        continue
      }
      let entries = test.scenario.body.expect?.path?.elements ?? []
      let place = comparison.expectedIndex.flatMap { entries.indices.contains($0) ? entries[$0].place : nil }
      problems.append(TestProblem("path", words, at: place ?? judgement.place, width: width))
    }
    for trouble in report.problems {
      problems.append(TestProblem(trouble.rule, trouble.message, help: trouble.help, at: trouble.place, width: width))
    }
    divergence =
      report.refusal.map { TestDivergence($0) }
      ?? TestDivergence(events, path: path, deciding: comparison?.decidingIndex, problems: problems)
    let unknown = divergence.flatMap { $0.words.lazy.compactMap { UnknownPermission(description: $0) }.first }
    if let unknown, let index = problems.firstIndex(where: { $0.help == nil }) { problems[index].help = unknown.help }
    let file = ShellWord.file(test.file)
    rerun = "authflow test \(file) \(ShellWord.option("--filter", test.shortTitle))"
    watch = "authflow run \(file) \(ShellWord.option("--scenario", test.name))"
  }
}

extension TestProblem {
  init(_ rule: String, _ message: String, help: String? = nil, at place: FileSpan, width: Int) {
    let start = place.span == nil ? nil : place.start
    self.init(
      rule: rule, message: SecretPattern.redacting(message), help: help.map(SecretPattern.redacting),
      file: place.source.name,
      line: start?.line, column: start?.column,
      excerpt: CaretFrame(color: false, width: width).excerpt(at: place))
  }
}

extension TestDivergence {
  /// Describes the error for a scenario in which no step ran, because MSAL rejected the configuration of the
  /// application object.
  init(_ refusal: MSALError) {
    self.init(step: "the application", outcome: refusal.outcomeName)
    description = refusal.message
  }

  /// The strings that can contain the service's error description.
  fileprivate var words: [String] { [description].compactMap { $0 } + decisions.map(\.reason) }

  /// The maximum number of decisions in the output.
  private static let mostDecisions = 12

  /// Describes the decisions of the first step that differs from the expected path.
  /// - Parameter index: The index of the first path entry that differs, or nil if the path was as expected.
  init?(_ events: [TraceEvent], path: [String], deciding index: Int?, problems: [TestProblem]) {
    guard let end = Self.finish(in: events, path: path, deciding: index, problems: problems) else { return nil }
    let finished = events[end]
    let step = finished.members["step"]?.string ?? ""
    self.init(step: step, outcome: finished.members["outcome"]?.string ?? "")
    let start =
      events[..<end].lastIndex { $0.kind == .stepStarted && $0.members["step"]?.string == step } ?? events.startIndex
    let inside = events[start..<end].filter { event in
      guard event.kind == .decision, event.members["facts"]?["detail"]?.bool != true else { return false }
      let owner = event.members["step"]?.string ?? ""
      return owner == step || owner.hasPrefix(step + "/") || owner.hasPrefix(step + "#")
    }
    decisions = inside.suffix(Self.mostDecisions).map { event in
      Decision(
        subject: event.members["subject"]?.string ?? "", verdict: event.members["verdict"]?.string ?? "",
        reason: Self.withoutSupportIds(event.members["reason"]?.string ?? ""))
    }
    if let error = finished.members["error"] {
      codes = ["msal", "code", "oauth", "suberror"].compactMap { error[$0]?.string }
      let words = error["description"]?.string.map(Self.withoutSupportIds)
      // Do not print the same text twice.
      description = decisions.contains { decision in words.map { decision.reason.contains($0) } ?? false } ? nil : words
    }
    next = finished.members["next"]?.string
    rule = finished.members["rule"]?.string
  }

  /// Removes the support IDs at the end of a message from the service.
  private static func withoutSupportIds(_ text: String) -> String {
    text.firstRange(of: " Trace ID: ").map { String(text[..<$0.lowerBound]) } ?? text
  }

  /// Finds the end of the step that differs, the end of the step with a failed expectation, or the end of the last
  /// step.
  private static func finish(
    in events: [TraceEvent], path: [String], deciding index: Int?, problems: [TestProblem]
  ) -> Int? {
    if let index, path.indices.contains(index) {
      var wanted = path[...index]
      for (position, event) in events.enumerated() where event.kind == .stepFinished {
        let entry = "\(event.members["step"]?.string ?? "").\(event.members["outcome"]?.string ?? "")"
        guard entry == wanted.first else { continue }
        wanted.removeFirst()
        if wanted.isEmpty { return position }
      }
    }
    for problem in problems {
      let step = String(problem.rule.prefix { $0 != "." && $0 != "[" })
      let found = events.lastIndex { $0.kind == .stepFinished && $0.members["step"]?.string == step }
      if let found { return found }
    }
    guard problems.contains(where: { $0.rule == "outcome" || $0.rule == "path" }) else { return nil }
    return events.lastIndex { $0.kind == .stepFinished }
  }
}
