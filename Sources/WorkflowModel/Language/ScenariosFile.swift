import Diagnostics
import Documents
import OrderedCollections

/// A file that contains the scenarios of a workflow in another file.
struct ScenariosFile: Sendable {
  var version: Int?
  var name: String?
  var description: String?
  /// The path of the workflow, relative to this file.
  var workflow: Positioned<String>?
  var scenarios: Node?

  static let fields = Fields<ScenariosFile>(
    "a scenarios file",
    [
      Field(
        "authflow", .languageVersion, into: { $0.version = $1 }, required: true,
        "version of the workflow language; always 1"),
      .schemaReference,
      Field("name", .nonEmptyString, into: { $0.name = $1 }, "title for readers"),
      Field("description", .string, into: { $0.description = $1 }, "description for readers"),
      Field(
        "workflow", Codec<String>.nonEmptyString.located, into: { $0.workflow = $1 }, required: true,
        "path of the workflow that the scenarios test, relative to this file"),
      Field(
        "scenarios", schema: Codec<[Scenario]>.mappingSchema, required: true,
        "scenarios: preconditions, user behavior, and expectations"
      ) { node, file, _ in file.scenarios = node },
    ])

  /// Returns whether a document appears to be a scenarios file, because it refers to a workflow or contains only
  /// scenarios.
  static func recognizes(_ root: Node) -> Bool {
    guard root["authflow"] != nil, root["steps"] == nil else { return false }
    if root["workflow"] != nil { return true }
    return root["scenarios"]?.kind == .mapping && root["settings"] == nil && root["clients"] == nil
  }
}

extension ScenariosFile {
  /// Reads a scenarios file and the workflow to which it refers.
  static func read(_ document: Document, files: WorkflowFiles) -> (workflow: Workflow?, diagnostics: [Diagnostic]) {
    var problems = DiagnosticCollector()
    var file = ScenariosFile()
    _ = fields.read(document.root, into: &file, &problems)
    guard let path = file.workflow, let target = file.target(path, of: document, files, &problems) else {
      return (nil, problems.diagnostics)
    }
    let name = FilePath.join("", target.source.name)
    var (draft, isUsable) = WorkflowDecoder.draft(target, chain: [name], files: files, &problems)
    file.addScenarios(document, to: &draft.workflow, &problems)
    return (isUsable ? draft.workflow : nil, problems.diagnostics)
  }

  /// Reads the scenarios file to which a workflow refers.
  /// - Parameter node: The path of the scenarios file in the workflow.
  static func read(
    namedBy node: Node, for workflow: inout Workflow, files: WorkflowFiles, _ problems: inout DiagnosticCollector
  ) {
    guard let path = Codec<String>.nonEmptyString.read(node, &problems) else { return }
    let name = FilePath.join(FilePath.folder(of: workflow.document.source.name), path)
    workflow.scenarioFile = name
    guard let document = files.document(name, writtenAs: path, rule: rule, at: node, &problems) else { return }
    let root = document.root
    guard root.kind == .mapping, root["steps"] == nil, root["workflow"] != nil || root["scenarios"] != nil else {
      problems.error(
        rule, "`\(path)` is \(root["steps"] == nil ? "not" : "a workflow, not") a scenarios file",
        help: "use a file with the keys `authflow`, `workflow`, and `scenarios`", at: node)
      return
    }
    var file = ScenariosFile()
    _ = fields.read(root, into: &file, &problems)
    if let path = file.workflow, !names(path, in: document, workflow, files) {
      problems.add(
        Diagnostic(
          .error, rule: rule, "scenarios file is for another workflow: `\(path.value)`",
          help: "change it to `\(workflow.document.source.name)`, or change `scenarios` in that workflow",
          at: path.place,
          related: [.init("the workflow refers to this scenarios file here", at: node.place)]))
    }
    file.addScenarios(document, to: &workflow, &problems)
  }

  static let rule = "scenarios-file"

  /// Returns the document of the workflow to which a scenarios file refers, or nil after reporting why the document is
  /// not a workflow.
  private func target(
    _ path: Positioned<String>, of document: Document, _ files: WorkflowFiles, _ problems: inout DiagnosticCollector
  ) -> Document? {
    guard let node = document.root["workflow"] else { return nil }
    let name = FilePath.join(FilePath.folder(of: document.source.name), path.value)
    guard let target = files.document(name, writtenAs: path.value, rule: Self.rule, at: node, &problems) else {
      return nil
    }
    let isScenariosFile = Self.recognizes(target.root)
    guard target.root["authflow"] != nil, !isScenariosFile else {
      problems.error(
        Self.rule, "`\(path.value)` is \(isScenariosFile ? "a scenarios file, not" : "not") a workflow",
        help: "use a file with the keys `authflow` and `steps`", at: node)
      return nil
    }
    return target
  }

  /// Returns whether the path in a scenarios file refers to this workflow.
  private static func names(
    _ path: Positioned<String>, in document: Document, _ workflow: Workflow, _ files: WorkflowFiles
  ) -> Bool {
    let source = workflow.document.source
    let name = FilePath.join(FilePath.folder(of: document.source.name), path.value)
    // The same file has a different name if it is read through a link or from standard input.
    return name == FilePath.join("", source.name) || files.bytes(of: name) == source.bytes
  }

  /// Reads the scenarios into the workflow.
  private func addScenarios(_ document: Document, to workflow: inout Workflow, _ problems: inout DiagnosticCollector) {
    workflow.scenarioFile = document.source.name
    workflow.scenarioDocument = document
    guard let scenarios else { return }
    if scenarios.kind == .null || scenarios.kind == .mapping && scenarios.count == 0 {
      problems.warning(
        "empty-value", "scenarios file contains no scenarios",
        help: "add one, or run `authflow explore FILE --write FILE`", at: scenarios)
      return
    }
    workflow.scenarios = Codec<[Scenario]>.scenarios(workflow).read(scenarios, &problems) ?? []
  }
}
