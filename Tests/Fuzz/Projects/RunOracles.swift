import Diagnostics
import Documents
import FuzzSupport
import OAuth
import OrderedCollections
import Reports
import RunTrace
import WorkflowModel
import WorkflowRunner

/// Invariants of every run.
enum RunOracles {
  private static let outcomes = Set(StepKind.outcomesByName.keys).union([.success, .violated, .interrupted])

  /// - Parameter rendersReports: Whether to check reports too, which takes longer than the run.
  static func check(_ run: ProjectRun, of project: InputProject, rendersReports: Bool = true) {
    Oracles.check(run.diagnostics)
    checkEnding(run)
    for event in run.events where event.kind == .stepFinished {
      let outcome = event.members["outcome"]?.string ?? ""
      let isDeclared = OutcomeName(rawValue: outcome).map(outcomes.contains) ?? false
      Oracles.require(isDeclared, "undeclared outcome `\(outcome)`")
    }
    guard rendersReports else { return }
    let outputs = outputs(of: run)
    let scan = SecretScan(run.secrets, writtenIn: project)
    for (name, text) in outputs {
      for form in scan.leaks(in: text) { Oracles.require(false, "\(name) contains a secret, \(form.description)") }
    }
  }

  private static func checkEnding(_ run: ProjectRun) {
    guard !run.isCutShort, let ending = run.record?.ending ?? run.report?.ending else { return }
    Oracles.require(
      outcomes.contains(ending.outcome), "the run ended with the undeclared outcome `\(ending.outcome)`")
    Oracles.require(
      run.events.count { $0.kind == .runFinished } == 1, "the trace of a finished run must contain one `run.finished`")
    Oracles.require(
      run.events.enumerated().allSatisfy { $1.seq == $0 + 1 }, "the events are not numbered without gaps")
  }

  /// Returns the trace and all of its reports.
  private static func outputs(of run: ProjectRun) -> [(name: String, text: String)] {
    let trace = run.trace
    var outputs = [("the trace", trace)]
    for detail in [TerminalRunReport.Detail.normal, .verbose] {
      var terminal = TerminalRunReport(style: TerminalStyle(color: false, unicode: true, width: 100), detail: detail)
      let text = run.events.map { terminal.text(of: $0) }.joined()
      Oracles.requireNoControlCharacters(text, "the terminal")
      outputs.append(("the terminal", text))
    }
    guard !run.events.isEmpty else { return outputs }
    let reading = TraceReader.read(Array(trace.utf8), named: "trace.jsonl")
    Oracles.check(reading.diagnostics)
    Oracles.require(
      run.isCutShort || reading.diagnostics.allSatisfy { $0.severity == .note },
      "a trace is damaged: \(Oracles.said(reading.diagnostics).first ?? "")")
    guard let tracedRun = reading.tracedRun else { return outputs }
    let markdown = RunMarkdown.text(tracedRun)
    Oracles.require(markdown.utf8.count <= RunMarkdown.commentLimit, "the Markdown exceeds the comment limit")
    let junit = JUnitReport().text(RunSuite.record(tracedRun))
    Oracles.requireXML(junit, "JUnit")
    let page = RunPage(tracedRun: tracedRun).html()
    Oracles.requireOneScript(page, "the page of a run")
    return outputs + [
      ("Markdown", markdown), ("JUnit", junit), ("HAR", HTTPArchive.json(tracedRun).text()),
      ("Mermaid", SequenceMermaid.text(SequenceDiagram(tracedRun))), ("OTLP", RunSpans(tracedRun).json.text()),
      ("the page", page),
    ]
  }
}

/// Invariants of the reports of several scenarios.
enum SuiteOracles {
  static func check(_ suite: SuiteResult, secrets: Set<String>, of project: InputProject) {
    let junit = JUnitReport().text(suite)
    Oracles.requireXML(junit, "JUnit")
    let page = SuitePage(suite: suite).html()
    Oracles.requireOneScript(page, "the page of a suite")
    let json = SuiteJSON.json(suite).text()
    Oracles.require((try? SuiteJSON.read(Array(json.utf8))) != nil, "the JSON of a suite cannot be read")
    let text = SuiteText(style: TerminalStyle(color: false, unicode: true, width: 100))
    let terminal = suite.tests.map { text.line($0) + ($0.failure == nil ? "" : text.failure($0)) }.joined()
    Oracles.requireNoControlCharacters(terminal, "the terminal")
    let scan = SecretScan(secrets, writtenIn: project)
    for (name, text) in [
      ("JUnit", junit), ("the page", page), ("JSON", json), ("the terminal", terminal),
      ("TAP", TAPReport.text(suite)), ("Markdown", MarkdownSummary.text(suite, limit: 1 << 20)),
    ] {
      for form in scan.leaks(in: text) { Oracles.require(false, "\(name) contains a secret, \(form.description)") }
    }
  }
}

extension Oracles {
  static func requireNoControlCharacters(_ text: String, _ name: String) {
    var last: UInt8 = 0
    for byte in text.utf8 {
      let isControl = byte < 0x20 && byte != 0x0A && byte != 0x09 || byte == 0x7F
      // U+0080 to U+009F are C2 80 to C2 9F.
      require(!isControl && !(last == 0xC2 && byte < 0xA0), "\(name) shows control characters")
      last = byte
    }
  }

  static func requireXML(_ text: String, _ name: String) {
    let diagnostics = XMLDocumentReader.read(Array(text.utf8), named: "report.xml").diagnostics
    require(!diagnostics.hasErrors, "\(name) is not well-formed: \(said(diagnostics).first ?? "")")
  }

  /// Text on a page is escaped, so the page's own script is the only script.
  static func requireOneScript(_ page: String, _ name: String) {
    let scripts = page.utf8.split(separator: UInt8(ascii: "<")).count { $0.starts(with: "script".utf8) }
    require(scripts == 1, "\(name) contains an unexpected script")
  }
}
