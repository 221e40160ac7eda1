import Diagnostics
import Documents
import OrderedCollections

extension WorkflowCheck {
  /// A name in `${name}`, `when`, or `assert` that is never set, or not set before it is read.
  static let unknownName = WorkflowCheck(
    "unknown-name", .error, needsEveryStep: true,
    "undefined name, or a name that is read before it is set"
  ) { checked in
    let workflow = checked.workflow
    let captured = Set(checked.everyStep.flatMap(\.capturedNames))
    let known = captured.union(workflow.inputs.keys)
    let guess = NameGuess(known.sorted())
    var found: [Diagnostic] = []
    for (graph, earlier) in [(checked.main, Set<String>()), (checked.last, captured)] {
      let before = StepDataflow(graph, .ever) { step, _ in step.capturedNames }
      for (position, step) in graph.steps.enumerated() {
        for read in step.namesRead {
          guard known.contains(read.name) else {
            found.append(.unknownName(read.name, guess, isTemplate: read.isTemplate, at: read.place))
            continue
          }
          let captured = read.isAfterStep ? step.capturedNames : []
          if before.hasEver(read.name, at: position) == false, !earlier.contains(read.name),
            workflow.inputs[read.name] == nil, !captured.contains(read.name)
          {
            found.append(.readBeforeSet(read.name, at: read.place))
          }
        }
      }
    }
    for node in [workflow.document.root["user"], workflow.scenarioEntries].compactMap({ $0 }) {
      for read in Step.templates(in: node) where !known.contains(read.name) {
        found.append(.unknownName(read.name, guess, isTemplate: true, at: read.place))
      }
    }
    return found
  }
}

/// A reference to a capture or an input.
struct VariableReference {
  var name: String
  var place: FileSpan
  var isTemplate: Bool
  /// Whether it is read after the step, when its own captures are set.
  var isAfterStep: Bool
}

extension Step {
  /// The names that the step reads: `${name}` in any value, and bare names in `when` and `assert`.
  var namesRead: [VariableReference] {
    var reads: [VariableReference] = []
    for (key, value) in node.entries {
      let isAfter = key.string == "expect"
      if key.string == "description" || key.string == "tags" { continue }
      Self.templates(in: value, isAfter: isAfter, &reads)
    }
    var expectations: [Expectation] = []
    if case .holds(let when) = when { expectations += when }
    for step in withMembers {
      if case .assert(let asserted) = step.action { expectations += asserted }
    }
    for expectation in expectations {
      guard case .named(let reference) = expectation.address.subject, expectation.address.field == nil else { continue }
      reads.append(
        VariableReference(name: reference.id, place: expectation.place, isTemplate: false, isAfterStep: false))
    }
    return reads
  }

  private static func templates(in node: Node, isAfter: Bool, _ reads: inout [VariableReference]) {
    switch node.kind {
    case .string:
      let text = node.string ?? ""
      guard Template.isTemplate(text), let template = try? Template(parsing: text) else { return }
      for case .name(let name) in template.sources {
        reads.append(
          VariableReference(name: name, place: node.place(of: "${\(name)}"), isTemplate: true, isAfterStep: isAfter))
      }
    case .array:
      for element in node.elements { templates(in: element, isAfter: isAfter, &reads) }
    case .mapping:
      for (_, value) in node.entries { templates(in: value, isAfter: isAfter, &reads) }
    default: break
    }
  }

  /// The names in `${…}` anywhere under a node.
  static func templates(in node: Node) -> [VariableReference] {
    var reads: [VariableReference] = []
    templates(in: node, isAfter: false, &reads)
    return reads
  }
}

extension Diagnostic {
  fileprivate static func unknownName(_ name: String, _ guess: NameGuess, isTemplate: Bool, at place: FileSpan)
    -> Diagnostic
  {
    Diagnostic(
      .error, rule: WorkflowCheck.unknownName.id,
      "undefined name `\(name)`",
      help: guess.nearest(to: name).map { "did you mean `\($0)`?" }
        ?? (isTemplate
          ? "use `${env:\(name)}` for an environment variable, or declare the name in `inputs`"
          : "declare it in `inputs` or capture it in an earlier step"),
      at: place)
  }

  fileprivate static func readBeforeSet(_ name: String, at place: FileSpan) -> Diagnostic {
    Diagnostic(
      .error, rule: WorkflowCheck.unknownName.id, "`\(name)` is read before any step captures it",
      help: "move the step that captures it before this one", at: place)
  }
}
