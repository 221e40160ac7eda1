import Diagnostics
import Documents

/// Decodes workflow documents. Decoding continues after a problem, so that all problems are reported.
package enum WorkflowDecoder {
  /// Returns whether a document appears to be a workflow or a scenarios file: it has an `authflow` key but was not
  /// written by authflow.
  package static func isWorkflow(_ document: Document) -> Bool {
    document.root["authflow"] != nil && !AuthflowOutput.recognizes(document.root)
  }

  /// Returns whether a document appears to be a scenarios file.
  package static func isScenariosFile(_ document: Document) -> Bool { ScenariosFile.recognizes(document.root) }

  /// Reads a workflow, or a scenarios file with the workflow to which it refers.
  /// - Parameters:
  ///   - readsScenarios: Whether to read the scenarios of a workflow. Scenarios in a scenarios file are always read.
  ///   - load: A closure that reads another file. Its path is relative to the same folder as the document's own path.
  /// - Returns: The valid parts of the workflow, or nil if it has no valid steps.
  package static func read(
    _ document: Document, readsScenarios: Bool = true, load: @escaping @Sendable (_ path: String) -> ReadResult
  ) -> (workflow: Workflow?, diagnostics: [Diagnostic]) {
    let files = WorkflowFiles(load, readsScenarios: readsScenarios)
    if isScenariosFile(document) { return ScenariosFile.read(document, files: files) }
    return read(document, chain: [FilePath.join("", document.source.name)], files: files)
  }

  /// Decodes a result of `DocumentReader`. The returned diagnostics include the reader's diagnostics, with explanations
  /// of YAML pitfalls.
  package static func read(
    _ reading: ReadResult, readsScenarios: Bool = true, load: @escaping @Sendable (_ path: String) -> ReadResult
  ) -> (workflow: Workflow?, diagnostics: [Diagnostic]) {
    let readerDiagnostics = YAMLPitfalls.explained(reading.diagnostics)
    guard let document = reading.document else { return (nil, readerDiagnostics) }
    let (workflow, diagnostics) = read(document, readsScenarios: readsScenarios, load: load)
    // After a syntax error, parts of the document are missing. A duplicate scenario name is not a syntax error: the
    // first scenario with the name is used, and the steps are complete.
    let isIncomplete = readerDiagnostics.contains { diagnostic in
      diagnostic.severity == .error
        && (diagnostic.rule != "duplicate-key" || workflow?.hasScenarios(at: diagnostic.place) != true)
    }
    let followUpRules: Set<String> = ["missing-key", "missing-step-type", "empty-value"]
    return isIncomplete
      ? (nil, readerDiagnostics + diagnostics.filter { !followUpRules.contains($0.rule) })
      : (workflow, readerDiagnostics + diagnostics)
  }

  /// Reads a workflow.
  /// - Parameter chain: The files that lead to the document through `use` steps, outermost first, and the document
  ///   itself.
  static func read(
    _ document: Document, chain: [String], files: WorkflowFiles
  ) -> (workflow: Workflow?, diagnostics: [Diagnostic]) {
    var problems = DiagnosticCollector()
    if document.root.kind == .mapping, document.root["authflow"] == nil, document.root.count > 0 {
      // Without the `authflow` key, the document might not be a workflow. Report only the missing key.
      var draft = WorkflowDraft(workflow: Workflow(document))
      let versionField = Fields<WorkflowDraft>(
        "a workflow", WorkflowDraft.fields.fields.filter { $0.key == "authflow" }, others: { _, _, _, _ in true })
      _ = versionField.read(document.root, into: &draft, &problems)
      return (nil, problems.diagnostics.filter { $0.rule == "missing-key" })
    }
    var (draft, isUsable) = draft(document, chain: chain, files: files, &problems)
    if let node = draft.scenarios, files.readsScenarios {
      switch node.kind {
      // Scenarios of a nested workflow are not part of the outer workflow.
      case .string where chain.count == 1:
        ScenariosFile.read(namedBy: node, for: &draft.workflow, files: files, &problems)
      case .string: break
      default: draft.workflow.scenarios = Codec<[Scenario]>.scenarios(draft.workflow).read(node, &problems) ?? []
      }
    }
    return (isUsable ? draft.workflow : nil, problems.diagnostics)
  }

  /// Reads a workflow without its scenarios.
  /// - Returns: The workflow, and whether it can run.
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
          "empty-value", "workflow has no steps", help: "add a step, such as `- loadAccount`", at: node)
      }
    }
    if let node = draft.finally { draft.workflow.finally = reader.steps(node, &problems) ?? [] }
    draft.workflow.unreadableSteps = reader.unreadable
    draft.workflow.summary = WorkflowSummary(draft.workflow.steps + draft.workflow.finally)
    problems.reportDuplicateIDs(draft.workflow.steps + draft.workflow.finally)
    return (draft, isComplete && !draft.workflow.steps.isEmpty)
  }
}

extension DiagnosticCollector {
  /// Reports steps with the same ID.
  fileprivate mutating func reportDuplicateIDs(_ steps: [Step]) {
    var stepsByID: [String: Step] = [:]
    for step in steps {
      guard let first = stepsByID[step.id] else {
        stepsByID[step.id] = step
        continue
      }
      add(
        Diagnostic(
          .error, rule: "duplicate-id",
          step.isNamed ? "duplicate step ID `\(step.id)`" : "more than one `\(step.spelling)` step without an `id`",
          help: step.isNamed ? "use a different ID" : "add a unique `id`", at: step.place,
          related: [.init("first step is here", at: first.place)]))
    }
  }
}
