import AppRegistration
import Diagnostics
import Documents
import Effects
import OrderedCollections
import RunTrace
import WorkflowModel

/// Records the machine's actions as trace events. One event records both the end of a step and the target of its
/// transition.
struct MachineTracer {
  private struct FinishedStep {
    var id: String
    var outcome: OutcomeName
    var facts: JSON
    var broken: [String] = []
  }

  private let workflow: Workflow
  private let trace: TraceRecorder
  private let clock: any WorldClock
  private var startedAt: [String: Instant] = [:]
  /// The total time that the run waited for the user between steps.
  private(set) var waited = Duration.zero
  private var pending: FinishedStep?
  private var number = 0
  /// The current `use` and `parallel` steps, innermost last. Steps that start now are inside the last of these steps.
  private var around: [String] = []
  /// The names of the apps. The list is empty if there is only one app.
  private let clients: [String]
  /// The reason for starting the next step.
  private var rule = "first step"

  /// Returns the name of a file as it appears in the trace.
  private let nameOfFile: @Sendable (String) -> String

  init(workflow: Workflow, trace: TraceRecorder, clock: any WorldClock, setup: RunSetup) {
    let workingDirectory = setup.world.environment.workingDirectory
    let folder = setup.baseFolder
    nameOfFile = { name in
      folder.map { RelativePath.of(name, from: $0, workingDirectory: workingDirectory) } ?? name
    }
    self.workflow = workflow
    self.trace = trace
    self.clock = clock
    clients = setup.clients.count > 1 ? Array(setup.clients.keys) : []
  }

  func runStarted(_ setup: RunSetup) {
    guard trace.isHeard else { return }
    let file = nameOfFile(workflow.document.source.name)
    var members: OrderedDictionary<String, TraceValue> = [
      "format": TraceValue(TraceSchema.version), "tool": TraceValue(setup.tool), "platform": TraceValue(setup.platform),
      "name": TraceValue(workflow.name ?? file), "file": TraceValue(file),
      "machine": .value(DiagramJSON.json(MachineDiagram(workflow))),
    ]
    if !workflow.document.source.isBinary {
      members["source"] = TraceValue(String(decoding: workflow.document.source.bytes, as: UTF8.self))
    }
    members["settings"] = .value(.object(setup.clients.mapValues(\.json)))
    var used: OrderedDictionary<String, TraceValue> = [:]
    noteSources(of: workflow, in: &used)
    if !used.isEmpty { members["usedSources"] = .fields(used) }
    if let traceID = setup.traceID { members["traceId"] = TraceValue(traceID) }
    trace.record(.runStarted, members)
  }

  /// Adds the sources of nested workflows, because a step can be in any of these workflows.
  private func noteSources(of workflow: Workflow, in used: inout OrderedDictionary<String, TraceValue>) {
    for case .use(let use) in (workflow.steps + workflow.finally).map(\.action) {
      guard let inner = use.workflow else { continue }
      let source = inner.document.source
      let name = nameOfFile(source.name)
      guard !source.isBinary, used[name] == nil else { continue }
      used[name] = TraceValue(String(decoding: source.bytes, as: UTF8.self))
      noteSources(of: inner, in: &used)
    }
  }

  mutating func record(_ events: [MachineEvent]) {
    for event in events { record(event) }
  }

  /// Excludes time that the run waited for the user from the durations of the given steps and the steps that contain
  /// them.
  /// - Parameter steps: The steps that have not started.
  mutating func waited(_ duration: Duration, before steps: [String]) {
    waited += duration
    for id in Set(steps).union(around) {
      if let start = startedAt[id] { startedAt[id] = start + duration }
    }
  }

  mutating func record(_ event: MachineEvent) {
    guard trace.isHeard else { return }
    switch event {
    case .started(let id, let attempt): started(id, attempt)
    case .finished(let id, let outcome, let facts):
      finish(to: "next", rule: nil)
      pending = FinishedStep(id: id, outcome: outcome, facts: facts)
      if around.last == id { around.removeLast() }
    case .skipped(let id, let reason): skipped(id, reason)
    case .captured(let id, let name, let value):
      trace.record(
        .decision,
        [
          "step": TraceValue(id), "subject": "capture", "verdict": "bound",
          "reason": TraceValue("\(name) is \(value.text())"),
          "facts": ["name": TraceValue(name), "value": .outside(value), "detail": true],
        ])
    case .evaluated(let id, let results): recordExpectations(id, results)
    case .retrying(let id, let outcome, let attempt, let delay):
      trace.record(
        .decision,
        [
          "step": TraceValue(id), "subject": "retry", "verdict": "again",
          "reason": TraceValue("\(outcome): attempt \(attempt) after \(DurationText.write(delay))"),
          "facts": [
            "attempt": TraceValue(attempt), "milliseconds": .value(Milliseconds.json(delay)),
            "until": TraceValue((clock.now + delay).rfc3339(fractionDigits: 3)),
          ],
        ])
    case .moved(let from, _, let to, let rule):
      self.rule = rule.description
      if pending?.id == from { finish(to: to, rule: rule.description) }
    }
  }

  private mutating func started(_ id: String, _ attempt: Int) {
    startedAt[id] = clock.now
    let parent = around.last
    let known = step(id)
    switch known?.action {
    case .use, .parallel: if around.last != id { around.append(id) }
    default: break
    }
    guard attempt == 1 else { return }
    number += 1
    var members: OrderedDictionary<String, TraceValue> = [
      "step": TraceValue(id), "stepKind": TraceValue(known?.kind.key ?? ""), "number": TraceValue(number),
      "rule": TraceValue(rule),
    ]
    if let parent { members["parent"] = TraceValue(parent) }
    if let written = known?.place { members["place"] = place(written) }
    if let words = known?.description { members["description"] = TraceValue(words) }
    if !clients.isEmpty { members["client"] = TraceValue(client(of: id)) }
    trace.record(.stepStarted, members)
  }

  private mutating func skipped(_ id: String, _ reason: String) {
    finish(to: "next", rule: nil)
    let known = step(id)
    var members: OrderedDictionary<String, TraceValue> = [
      "step": TraceValue(id), "stepKind": TraceValue(known?.kind.key ?? ""),
      "outcome": TraceValue(OutcomeName.skipped.rawValue), "next": "next",
      "verdict": "skipped", "rule": TraceValue(reason),
    ]
    if let parent = around.last { members["parent"] = TraceValue(parent) }
    if let written = known?.place { members["place"] = place(written) }
    trace.record(.stepFinished, members)
  }

  private mutating func recordExpectations(_ id: String, _ results: [ExpectationResult]) {
    for expectation in results {
      trace.record(
        .decision,
        [
          "step": TraceValue(id), "subject": "expect", "verdict": TraceValue(expectation.holds ? "holds" : "violated"),
          "reason": TraceValue(
            expectation.holds ? "\(expectation.subject) is \(expectation.result.actual)" : expectation.message),
          "facts": ["place": place(expectation.place), "detail": .value(.bool(expectation.holds))],
        ])
      if !expectation.holds, pending?.id == id { pending?.broken.append(expectation.message) }
    }
  }

  private mutating func finish(to next: String, rule: String?) {
    guard let step = pending else { return }
    pending = nil
    let known = self.step(step.id)
    let outcome = known?.outcome(named: step.outcome)
    let isFailure = outcome?.isFailure ?? true
    let verdict = !step.broken.isEmpty || next == "failure" ? "failed" : isFailure ? "handled" : "ok"
    var members: OrderedDictionary<String, TraceValue> = [
      "step": TraceValue(step.id), "stepKind": TraceValue(known?.kind.key ?? ""),
      "outcome": TraceValue(step.outcome.rawValue),
      "verdict": TraceValue(verdict), "next": TraceValue(next),
    ]
    if let rule { members["rule"] = TraceValue(rule) }
    if let outcome { members["means"] = TraceValue(outcome.summary) }
    if let attempts = step.facts["attempts"] { members["attempts"] = .value(attempts) }
    if let start = startedAt.removeValue(forKey: step.id) {
      members["milliseconds"] = .value(Milliseconds.json(clock.now - start))
    }
    for word in ["status", "error", "shows", "tokenSource", "account", "previousAccount", "webview"] {
      if let value = step.facts[word], !value.isNull { members[word] = .value(value) }
    }
    if step.facts["webview"] != nil {
      // These parameters affect the sign-in page.
      for (name, parameter) in [("prompt", "prompt"), ("loginHint", "login_hint"), ("domainHint", "domain_hint")] {
        if let value = step.facts["sent"]?[parameter] { members[name] = .value(value) }
      }
    }
    if !step.broken.isEmpty { members["broken"] = TraceValue(step.broken) }
    trace.record(.stepFinished, members)
  }

  mutating func runFinished(_ record: RunResult, took: Duration) {
    guard trace.isHeard else { return }
    finish(to: record.succeeded ? "success" : "failure", rule: nil)
    var members: OrderedDictionary<String, TraceValue> = [
      "outcome": TraceValue(record.ending.outcome.rawValue), "path": TraceValue(record.path),
      "interactions": TraceValue(record.interactions), "pages": TraceValue(record.pages),
      "milliseconds": .value(Milliseconds.json(took)),
      "requests": .value(
        .object(
          OrderedDictionary(
            uniqueKeysWithValues: record.requests.sorted { $0.key < $1.key }.map {
              ($0.key, JSON.integer(Int64($0.value)))
            }))),
    ]
    if let reason = record.ending.explanation { members["reason"] = TraceValue(reason) }
    trace.record(.runFinished, members)
  }

  /// Returns the step with a full ID, or nil if the step is not in this workflow.
  private func step(_ id: String) -> Step? { workflow.frames(of: id).last?.step }

  /// Returns the app of a step. A step that does not specify an app uses the app of the nearest enclosing step, or the
  /// first app.
  private func client(of id: String) -> String? {
    var name = id[...]
    while true {
      if let name = step(String(name))?.client?.value { return name }
      guard let slash = name.lastIndex(of: "/") else { return clients.first }
      name = name[..<slash]
    }
  }

  private func place(_ place: FileSpan) -> TraceValue {
    let start = place.start
    return [
      "file": TraceValue(nameOfFile(place.source.name)), "line": TraceValue(start.line),
      "column": TraceValue(start.column),
    ]
  }
}

extension WorkflowResult {
  /// A sentence that explains why the run failed.
  package var explanation: String? {
    let at = step.map { " at \($0)" } ?? ""
    switch reason {
    case .succeeded: return nil
    case .outcome: return "the workflow ended with \(outcome)\(at)"
    case .expectation(let results):
      return "failed expectation\(at): \(results.map(\.message).joined(separator: "; "))"
    case .tooManySteps(let bound): return "the run exceeded the limit of \(bound) steps (maxSteps)"
    case .unresolved(let value): return "\(value.message)\(at)" + (value.help.map { "; \($0)" } ?? "")
    }
  }
}
