import Diagnostics
import Documents
import OrderedCollections
import WorkflowModel

/// A location in a file at which a debugger can suspend a run.
package struct BreakpointLocation: Sendable {
  package enum Kind: Sendable, Hashable {
    /// Before the step with this ID in its file.
    case step(String)
    /// When the step takes the transition of this `on` entry.
    case outcome(step: String, OutcomeSelector)
    /// When the expectation with this subject is evaluated.
    case expectation(String)
  }

  package let kind: Kind
  /// The step's ID or type, the `on` entry, or the expectation. Its start identifies the location.
  package let span: SourceSpan
  package let start: SourceLocation
  package let end: SourceLocation
  /// The lines that a client can select for this location. A step has two lines if its `id` is not on the first line.
  package let lines: Set<Int>
  /// The step or the scenario that contains the location.
  package let container: SourceSpan
}

/// The breakpoint locations of a workflow or a scenarios file.
package struct BreakpointLocations: Sendable {
  private let source: SourceText
  /// The locations, in file order.
  package private(set) var all: [BreakpointLocation] = []
  /// The spans of the steps and scenarios.
  private var containers: [SourceSpan] = []

  /// - Parameters:
  ///   - workflow: The workflow, which can have its scenarios in a separate file.
  ///   - document: The document of the workflow or of its scenarios.
  package init(_ workflow: Workflow, in document: Document) {
    source = document.source
    if workflow.document.source.name == source.name {
      for step in workflow.steps + workflow.finally { add(step) }
    }
    if let scenarios = workflow.scenarioSource, scenarios.source.name == source.name {
      addScenarios(of: workflow, scenarios.root["scenarios"])
    }
    all.sort { $0.span.start < $1.span.start }
  }

  private mutating func add(_ step: Step) {
    let container = step.node.span
    containers.append(container)
    add(.step(step.id), at: step.place, also: [step.node.place.start.line], container)
    for handler in step.on { add(.outcome(step: step.id, handler.outcome), at: handler.place, container) }
    var expectations = step.expect
    if case .assert(let asserted) = step.action { expectations += asserted }
    for expectation in expectations { add(.expectation(expectation.address.text), at: expectation.place, container) }
    if case .parallel(let members) = step.action { for member in members { add(member) } }
  }

  private mutating func addScenarios(of workflow: Workflow, _ root: Node?) {
    guard let root, root.kind == .mapping else { return }
    for (key, value) in root.entries {
      let container = SourceSpan(start: key.span.start, end: max(key.span.end, value.span.end))
      containers.append(container)
      var places: Set<Int> = []
      for scenario in workflow.scenarios where scenario.place.span?.start == key.span.start {
        for (subject, place) in scenario.cases.flatMap({ $0.body.expect?.subjects ?? [] }) {
          // Matrix rows share the expectations of their scenario.
          guard place.source.name == source.name, let start = place.span?.start, places.insert(start).inserted else {
            continue
          }
          add(.expectation(subject), at: place, container)
        }
      }
    }
  }

  private mutating func add(
    _ kind: BreakpointLocation.Kind, at place: FileSpan, also lines: [Int] = [], _ container: SourceSpan
  ) {
    guard let span = place.span, place.source.name == source.name else { return }
    all.append(
      BreakpointLocation(
        kind: kind, span: span, start: place.start, end: place.end,
        lines: Set([place.start.line] + lines), container: container))
  }

  /// Returns the locations for a breakpoint at a line, or on the nearest following line in the same step or scenario.
  /// - Parameter column: The UTF-16 column. If nil, returns the steps on the line, or all locations if the line has no
  ///   steps.
  package func locations(line: Int, column: Int?) -> [BreakpointLocation] {
    let onLine = all.filter { $0.lines.contains(line) }
    guard onLine.isEmpty else {
      if let column {
        let nearest = onLine.first { $0.start.utf16Column >= column } ?? onLine.last
        return nearest.map { [$0] } ?? []
      }
      let steps = onLine.filter { if case .step = $0.kind { true } else { false } }
      return steps.isEmpty ? onLine : steps
    }
    guard let container = container(ofLine: line) else { return [] }
    let following = all.filter {
      $0.start.line > line && container.start <= $0.span.start
        && $0.span.start < max(container.end, container.start + 1)
    }
    guard let first = following.first else { return [] }
    return following.filter { $0.start.line == first.start.line }
  }

  /// Returns the innermost step or scenario that contains a line.
  private func container(ofLine line: Int) -> SourceSpan? {
    containers.filter { span in
      // The span of a block mapping can end at the start of the next line.
      let end = FileSpan(source, span).end
      let lastLine = end.column == 1 && span.end > span.start ? end.line - 1 : end.line
      return FileSpan(source, span).start.line <= line && line <= lastLine
    }.min { $0.end - $0.start < $1.end - $1.start }
  }
}

extension ScenarioExpectation {
  /// The subjects and locations of the expectations in the file. The subjects are the same as in the results. For
  /// `path`, this is the location of the list.
  fileprivate var subjects: [(subject: String, place: FileSpan)] {
    var subjects: [(subject: String, place: FileSpan)] = []
    if let outcome { subjects.append(("outcome", outcome.place)) }
    if let path { subjects.append(("path", path.place)) }
    if let interactions { subjects.append(("interactions", interactions.place)) }
    if let pages { subjects.append(("pages", pages.place)) }
    subjects += requests.map { ("requests.\($0.key)", $0.value.place) }
    if let accounts { subjects.append(("accounts", accounts.place)) }
    return subjects + facts.map { ($0.address.text, $0.place) }
  }
}
