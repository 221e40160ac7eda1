import Diagnostics
import Documents
import OrderedCollections

extension WorkflowCheck {
  /// A name in `${name}`, `when`, or `assert` that is never set, or that is read before it is set.
  static let unknownName = WorkflowCheck(
    "unknown-name", .error, needsEveryStep: true,
    "undefined name, or a name that is read before it is set"
  ) { checked in
    let workflow = checked.workflow
    let captured = Set(checked.everyStep.flatMap(\.capturedNames))
    let known = captured.union(workflow.inputs.keys)
    let suggestions = NameGuess(known.sorted())
    var findings: [Diagnostic] = []
    for (graph, capturedEarlier) in [(checked.main, Set<String>()), (checked.finally, captured)] {
      let available = StepDataflow(graph, .anyPath) { step, _ in step.capturedNames }
      for (position, step) in graph.steps.enumerated() {
        for reference in step.variableReferences {
          let name = reference.name
          guard known.contains(name) else {
            findings.append(.unknownName(reference, suggestions))
            continue
          }
          let captured = reference.isAfterStep ? step.capturedNames : []
          if available.has(name, at: position) == false, !capturedEarlier.contains(name),
            workflow.inputs[name] == nil, !captured.contains(name)
          {
            findings.append(.readBeforeSet(name, at: reference.place))
          }
        }
      }
    }
    for node in [workflow.document.root["user"], workflow.scenarioEntries].compactMap({ $0 }) {
      for reference in Step.templateReferences(in: node) where !known.contains(reference.name) {
        findings.append(.unknownName(reference, suggestions))
      }
    }
    return findings
  }
}

/// A reference to a capture or an input.
struct VariableReference {
  var name: String
  var place: FileSpan
  var isTemplate: Bool
  /// Whether the variable is read after the step runs, when the step's captures are available.
  var isAfterStep: Bool
}

extension Step {
  /// The variables that the step reads: each `${name}` in a value, and bare names in `when` and `assert`.
  var variableReferences: [VariableReference] {
    var references: [VariableReference] = []
    for (key, value) in node.entries where key.string != "description" && key.string != "tags" {
      Self.addTemplateReferences(in: value, isAfterStep: key.string == "expect", to: &references)
    }
    var expectations: [Expectation] = []
    if case .holds(let conditions) = when { expectations += conditions }
    for step in withMembers {
      if case .assert(let assertions) = step.action { expectations += assertions }
    }
    for expectation in expectations {
      guard case .named(let reference) = expectation.address.subject, expectation.address.field == nil else { continue }
      references.append(
        VariableReference(name: reference.id, place: expectation.place, isTemplate: false, isAfterStep: false))
    }
    return references
  }

  private static func addTemplateReferences(
    in node: Node, isAfterStep: Bool, to references: inout [VariableReference]
  ) {
    switch node.kind {
    case .string:
      let text = node.string ?? ""
      guard Template.isTemplate(text), let template = try? Template(parsing: text) else { return }
      for case .name(let name) in template.sources {
        references.append(
          VariableReference(
            name: name, place: node.place(of: "${\(name)}"), isTemplate: true, isAfterStep: isAfterStep))
      }
    case .array:
      for element in node.elements { addTemplateReferences(in: element, isAfterStep: isAfterStep, to: &references) }
    case .mapping:
      for (_, value) in node.entries { addTemplateReferences(in: value, isAfterStep: isAfterStep, to: &references) }
    default: break
    }
  }

  /// Returns the variables in `${…}` anywhere in a node.
  static func templateReferences(in node: Node) -> [VariableReference] {
    var references: [VariableReference] = []
    addTemplateReferences(in: node, isAfterStep: false, to: &references)
    return references
  }
}

extension Diagnostic {
  fileprivate static func unknownName(_ reference: VariableReference, _ suggestions: NameGuess) -> Diagnostic {
    let name = reference.name
    return Diagnostic(
      .error, rule: WorkflowCheck.unknownName.id,
      "undefined name `\(name)`",
      help: suggestions.help(
        for: name,
        or: reference.isTemplate
          ? "use `${env:\(name)}` for an environment variable, or declare the name in `inputs`"
          : "declare it in `inputs` or capture it in an earlier step"),
      at: reference.place)
  }

  fileprivate static func readBeforeSet(_ name: String, at place: FileSpan) -> Diagnostic {
    Diagnostic(
      .error, rule: WorkflowCheck.unknownName.id, "`\(name)` is read before any step captures it",
      help: "move the step that captures it before this one", at: place)
  }
}
