import Diagnostics
import Documents
import Testing

import WorkflowModel

/// Reads a workflow from text and returns it with all diagnostics.
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

/// Returns a workflow with these JSON steps.
func workflow(
  _ steps: String, _ more: String = "", files: [String: String] = [:],
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws -> Workflow {
  let (workflow, diagnostics) = readWorkflow(
    "{\"authflow\": 1, \"settings\": \"S.plist\", \(more.isEmpty ? "" : more + ", ")\"steps\": \(steps)}", files: files)
  #expect(diagnostics.filter { $0.severity == .error }.map(\.message) == [], sourceLocation: sourceLocation)
  return try #require(workflow, sourceLocation: sourceLocation)
}

/// A run in which the test provides the result of each step.
struct Transcript {
  var machine: WorkflowMachine
  /// The executed steps in order. An entry is a step ID such as `silent`, or `silent/2` for a second attempt.
  var performed: [String] = []
  var invocations: [StepInvocation] = []
  var result: WorkflowResult?

  init(_ workflow: Workflow) {
    machine = WorkflowMachine(workflow)
  }

  struct Line: ExpressibleByStringLiteral {
    var id: String
    var report: StepReport

    /// Creates the result of a step from text such as `silent.success`.
    init(stringLiteral text: String) {
      let dot = text.lastIndex(of: ".") ?? text.startIndex
      let outcome = OutcomeName(rawValue: String(text[text.index(after: dot)...]))
      if outcome == nil { Issue.record("unknown outcome in \(text)") }
      self.init(String(text[..<dot]), outcome ?? .unexpected)
    }

    init(_ id: String, _ outcome: OutcomeName, _ facts: JSON = [:]) {
      self.id = id
      report = StepReport(outcome, json: facts)
    }
  }

  /// Runs the workflow. Each line provides the result of a running step.
  mutating func run(_ lines: [Line], sourceLocation: Testing.SourceLocation = #_sourceLocation) {
    var running: Set<String> = []
    handle(machine.start(), &running)
    for line in lines {
      guard result == nil else {
        Issue.record("workflow ended before \(line.id)", sourceLocation: sourceLocation)
        return
      }
      guard running.contains(line.id) else {
        Issue.record("\(line.id) is not running, but \(running.sorted())", sourceLocation: sourceLocation)
        return
      }
      running.remove(line.id)
      handle(machine.finished(line.id, line.report), &running)
    }
    if result == nil, running.isEmpty { Issue.record("no step is running", sourceLocation: sourceLocation) }
  }

  private mutating func handle(_ action: Action, _ running: inout Set<String>) {
    switch action {
    case .perform(let invocations):
      self.invocations += invocations
      performed += invocations.map { $0.attempt > 1 ? "\($0.id)/\($0.attempt)" : $0.id }
      running.formUnion(invocations.map(\.id))
    case .finish(let result): self.result = result
    }
  }
}

/// Runs a workflow and returns its path and result.
func run(
  _ workflow: Workflow, _ lines: [Transcript.Line],
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) -> (path: [String], result: String?, transcript: Transcript) {
  var transcript = Transcript(workflow)
  transcript.run(lines, sourceLocation: sourceLocation)

  return (transcript.machine.path, transcript.result.map { $0.succeeded ? "success" : $0.outcome.rawValue }, transcript)
}
