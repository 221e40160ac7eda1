import Diagnostics
import Documents
import Testing

import WorkflowModel

/// A workflow from text, with everything that was said about it.
func readWorkflow(
  _ text: String, named name: String = "me.yaml", files: [String: String] = [:]
) -> (workflow: Workflow?, diagnostics: [Diagnostic]) {
  WorkflowDecoder.read(DocumentReader.read(Array(text.utf8), named: name)) { path in
    guard let text = files[path] else {
      return ReadResult(
        document: nil, diagnostics: [Diagnostic(.error, rule: "no-file", "no such file: \(path)", at: .file(path))])
    }
    return DocumentReader.read(Array(text.utf8), named: path)
  }
}

/// A workflow of these steps, written in YAML's and JSON's common form: `[loadAccount, silent]` without quotes is YAML.
func workflow(
  _ steps: String, _ more: String = "", files: [String: String] = [:],
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws -> Workflow {
  let (workflow, diagnostics) = readWorkflow(
    "{\"authflow\": 1, \"settings\": \"S.plist\", \(more.isEmpty ? "" : more + ", ")\"steps\": \(steps)}", files: files)
  #expect(diagnostics.filter { $0.severity == .error }.map(\.message) == [], sourceLocation: sourceLocation)
  return try #require(workflow, sourceLocation: sourceLocation)
}

/// Plays a run: the machine says what to perform, the script says what becomes of it.
struct Transcript {
  var machine: WorkflowMachine
  /// What was performed, in order: `silent`, `silent/2` for a second attempt.
  var performed: [String] = []
  var performances: [StepInvocation] = []
  var ending: WorkflowResult?

  init(_ workflow: Workflow) {
    machine = WorkflowMachine(workflow)
  }

  struct Line: ExpressibleByStringLiteral {
    var id: String
    var report: StepReport

    /// `silent.success`
    init(stringLiteral text: String) {
      let dot = text.lastIndex(of: ".") ?? text.startIndex
      self.init(String(text[..<dot]), String(text[text.index(after: dot)...]))
    }

    init(_ id: String, _ outcome: String, _ facts: JSON = [:]) {
      self.id = id
      report = StepReport(outcome, json: facts)
    }
  }

  /// Each line ends a step that must be under way.
  mutating func play(_ lines: [Line], sourceLocation: Testing.SourceLocation = #_sourceLocation) {
    var underWay: Set<String> = []
    take(machine.start(), &underWay)
    for line in lines {
      guard ending == nil else {
        Issue.record("over before \(line.id)", sourceLocation: sourceLocation)
        return
      }
      guard underWay.contains(line.id) else {
        Issue.record("\(line.id) is not under way, but \(underWay.sorted())", sourceLocation: sourceLocation)
        return
      }
      underWay.remove(line.id)
      take(machine.finished(line.id, line.report), &underWay)
    }
    if ending == nil, underWay.isEmpty { Issue.record("nothing is under way", sourceLocation: sourceLocation) }
  }

  private mutating func take(_ action: Action, _ underWay: inout Set<String>) {
    switch action {
    case .perform(let performances):
      self.performances += performances
      performed += performances.map { $0.attempt > 1 ? "\($0.id)/\($0.attempt)" : $0.id }
      underWay.formUnion(performances.map(\.id))
    case .finish(let ending): self.ending = ending
    }
  }
}

/// Plays the lines and returns the path and how it ended.
func run(
  _ workflow: Workflow, _ lines: [Transcript.Line],
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) -> (path: [String], ending: String?, transcript: Transcript) {
  var transcript = Transcript(workflow)
  transcript.play(lines, sourceLocation: sourceLocation)

  return (transcript.machine.path, transcript.ending.map { $0.succeeded ? "success" : $0.outcome }, transcript)
}
