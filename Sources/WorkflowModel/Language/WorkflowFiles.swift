import Diagnostics
import Documents
import Synchronization

/// Reads the workflows in other files. Each file is decoded once, even if several steps use it.
final class WorkflowFiles: Sendable {
  private let load: @Sendable (String) -> ReadResult
  /// The decoded workflows by name. The value is nil if the file is invalid. Diagnostics report an invalid file.
  private let workflows = Mutex<[String: Workflow?]>([:])

  /// Whether to decode the scenarios of a workflow.
  let readsScenarios: Bool

  init(_ load: @escaping @Sendable (String) -> ReadResult, readsScenarios: Bool = true) {
    self.load = load
    self.readsScenarios = readsScenarios
  }

  /// Returns the workflow in a file. Reports the file's problems only the first time.
  /// - Parameters:
  ///   - chain: The files that lead to the workflow through `use` steps, outermost first.
  ///   - path: The path as written in the workflow.
  func workflow(
    _ name: String, chain: [String], writtenAs path: String, at node: Node, _ problems: inout DiagnosticCollector
  ) -> Workflow? {
    if let workflow = workflows.withLock({ $0[name] }) { return workflow }
    let workflow = read(name, chain, path, node, &problems)
    workflows.withLock { $0[name] = workflow }
    return workflow
  }

  /// Returns the document in a file to which another file refers. Returns nil after reporting why the file is invalid.
  ///
  /// A document with duplicate keys is valid. The first of several duplicate keys is used.
  /// - Parameters:
  ///   - path: The path as written in the other file.
  ///   - rule: The rule for a file that cannot be read.
  ///   - node: The location of the path in the other file.
  func document(
    _ name: String, writtenAs path: String, rule: String, at node: Node, _ problems: inout DiagnosticCollector
  ) -> Document? {
    let result = load(name)
    // A problem without a location in the file is reported at the path.
    problems.add(contentsOf: YAMLPitfalls.explained(result.diagnostics.filter { $0.place.span != nil }))
    for diagnostic in result.diagnostics where diagnostic.place.span == nil {
      problems.error(rule, "cannot read `\(path)`: \(diagnostic.message)", help: diagnostic.help, at: node)
    }
    let isInvalid = result.diagnostics.contains { $0.severity == .error && $0.rule != "duplicate-key" }
    guard let document = result.document, !isInvalid else {
      if !result.diagnostics.hasErrors { problems.error(rule, "cannot read `\(path)`", at: node) }
      return nil
    }
    return document
  }

  /// Returns the bytes of a document, or nil if it cannot be read.
  func bytes(of name: String) -> [UInt8]? { load(name).document?.source.bytes }

  private func read(
    _ name: String, _ chain: [String], _ path: String, _ node: Node, _ problems: inout DiagnosticCollector
  ) -> Workflow? {
    guard let document = document(name, writtenAs: path, rule: "use-file", at: node, &problems) else { return nil }
    guard !ScenariosFile.recognizes(document.root) else {
      problems.error(
        "use-file", "`\(path)` is a scenarios file, not a workflow", help: "use the path of the workflow that it tests",
        at: node)
      return nil
    }
    let (workflow, diagnostics) = WorkflowDecoder.read(document, chain: chain + [name], files: self)
    problems.add(contentsOf: diagnostics)
    if workflow == nil { problems.error("use-file", "workflow `\(path)` cannot be used", at: node) }
    return workflow
  }
}
