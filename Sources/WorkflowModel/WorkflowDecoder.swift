import Diagnostics
import Documents

/// Documents into workflows. Everything that is wrong is told at once; reading never stops at the first mistake.
package enum WorkflowDecoder {
  /// Whether a document is meant to be a workflow, or the scenarios of one: it has the key `authflow`, and is not a file
  /// that authflow wrote.
  package static func isWorkflow(_ document: Document) -> Bool {
    document.root["authflow"] != nil && !AuthflowOutput.isOne(document.root)
  }

  /// Whether a document is meant to be a scenarios file.
  package static func isScenariosFile(_ document: Document) -> Bool { ScenariosFile.isOne(document.root) }

  /// Reads a workflow, or a scenarios file with the workflow that it names.
  /// - Parameter load: reads another file by its path, seen from the same folder as the document's own name.
  /// - Returns: the workflow, with everything in it that could be read; nil where it has no steps to speak of.
  package static func read(
    _ document: Document, load: @escaping @Sendable (_ path: String) -> ReadResult
  ) -> (workflow: Workflow?, diagnostics: [Diagnostic]) {
    let files = WorkflowFiles(load)
    if isScenariosFile(document) { return ScenariosFile.read(document, files: files) }
    return read(document, chain: [FilePath.join("", document.source.name)], files: files)
  }

  /// The same for what `DocumentReader` gave: its diagnostics come along, YAML's known traps explained.
  package static func read(
    _ reading: ReadResult, load: @escaping @Sendable (_ path: String) -> ReadResult
  ) -> (workflow: Workflow?, diagnostics: [Diagnostic]) {
    let told = YAMLPitfalls.explained(reading.diagnostics)
    guard let document = reading.document else { return (nil, told) }
    // What YAML could not read is missing in the tree: complaints about that would only confuse.
    let (workflow, diagnostics) = read(document, load: load)
    let echoes: Set<String> = ["missing-key", "missing-kind", "empty-value"]
    // Of two scenarios with the same name the first counts: the steps are whole.
    let isBroken = told.contains { problem in
      problem.severity == .error
        && (problem.rule != "duplicate-key" || workflow?.hasScenarios(at: problem.place) != true)
    }
    return isBroken ? (nil, told + diagnostics.filter { !echoes.contains($0.rule) }) : (workflow, told + diagnostics)
  }

  static func read(
    _ document: Document, chain: [String], files: WorkflowFiles
  ) -> (workflow: Workflow?, diagnostics: [Diagnostic]) {
    var problems = DiagnosticCollector()
    if document.root.kind == .mapping, document.root["authflow"] == nil, document.root.count > 0 {
      // Without the key this may be anything; the missing key is said, the rest would be guesswork.
      var draft = WorkflowDraft(workflow: Workflow(document))
      _ = WorkflowDraft.fields.read(document.root, into: &draft, &problems)
      return (nil, problems.diagnostics.filter { $0.rule == "missing-key" && $0.message.contains("authflow") })
    }
    var (draft, isUsable) = draft(document, chain: chain, files: files, &problems)
    if let node = draft.scenarios {
      switch node.kind {
      // The scenarios of a workflow that another one uses are not part of the other.
      case .string where chain.count == 1:
        ScenariosFile.read(namedBy: node, for: &draft.workflow, files: files, &problems)
      case .string: break
      default: draft.workflow.scenarios = Codec<[Scenario]>.scenarios(draft.workflow).read(node, &problems) ?? []
      }
    }
    return (isUsable ? draft.workflow : nil, problems.diagnostics)
  }

  /// Decodes a workflow without its scenarios.
  /// - Returns: the workflow, and whether it can be run.
  static func draft(
    _ document: Document, chain: [String], files: WorkflowFiles, _ problems: inout DiagnosticCollector
  ) -> (draft: WorkflowDraft, isUsable: Bool) {
    var draft = WorkflowDraft(workflow: Workflow(document))
    let root = document.root
    let isComplete = WorkflowDraft.fields.read(root, into: &draft, &problems)
    guard root.kind == .mapping else { return (draft, false) }
    var reader = StepReader(files: files, chain: chain)
    if let node = draft.steps {
      draft.workflow.steps = reader.steps(node, &problems) ?? []
      if node.kind == .array, node.count == 0 {
        problems.error(
          "empty-value", "a workflow without steps does nothing", help: "begin with - loadAccount", at: node)
      }
    }
    if let node = draft.finally { draft.workflow.finally = reader.steps(node, &problems) ?? [] }
    draft.workflow.lostSteps = reader.lost
    draft.workflow.summary = WorkflowSummary(draft.workflow.steps + draft.workflow.finally)
    problems.tellEqualIDs(draft.workflow.steps + draft.workflow.finally)
    return (draft, isComplete && !draft.workflow.steps.isEmpty)
  }
}

extension DiagnosticCollector {
  /// A second step with the same id.
  fileprivate mutating func tellEqualIDs(_ steps: [Step]) {
    var first: [String: Step] = [:]
    for step in steps {
      guard let other = first[step.id] else {
        first[step.id] = step
        continue
      }
      add(
        Diagnostic(
          .error, rule: "duplicate-id",
          step.isNamed ? "there are two steps called \"\(step.id)\"" : "a second \(step.spelling) must name itself",
          help: step.isNamed ? "give one of them another id" : "add `id:` with a name of its own", at: step.place,
          related: [.init("the first is here", at: other.place)]))
    }
  }
}
