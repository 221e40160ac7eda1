import Diagnostics
import Documents
import Synchronization

/// The workflows in other files. Each is read once, even if several steps use it.
final class WorkflowFiles: Sendable {
  private let load: @Sendable (String) -> ReadResult
  /// The loaded workflows by name. A value of nil is a file that cannot be used, for which diagnostics exist.
  private let workflows = Mutex<[String: Workflow?]>([:])

  /// Whether to read the scenarios of a workflow.
  let readsScenarios: Bool

  init(_ load: @escaping @Sendable (String) -> ReadResult, readsScenarios: Bool = true) {
    self.load = load
    self.readsScenarios = readsScenarios
  }

  /// The workflow in a file. Reports its problems the first time.
  /// - Parameters:
  ///   - chain: The files that use it, outermost first.
  ///   - path: The path as written in the workflow.
  func workflow(
    _ name: String, chain: [String], writtenAs path: String, at node: Node, _ problems: inout DiagnosticCollector
  ) -> Workflow? {
    if let workflow = workflows.withLock({ $0[name] }) { return workflow }
    let workflow = read(name, chain, path, node, &problems)
    workflows.withLock { $0[name] = workflow }
    return workflow
  }

  /// The document in a file that another file names, or nil if it cannot be used. Reports its problems.
  ///
  /// A document with duplicate keys can be used; the first key counts.
  /// - Parameters:
  ///   - path: The path as written in the other file.
  ///   - rule: The rule for a file that cannot be read.
  ///   - node: The location of the path in the other file.
  func document(
    _ name: String, writtenAs path: String, rule: String, at node: Node, _ problems: inout DiagnosticCollector
  ) -> Document? {
    let reading = load(name)
    // Problems without a location in the file are reported at its path.
    problems.add(contentsOf: YAMLPitfalls.explained(reading.diagnostics.filter { $0.place.span != nil }))
    for diagnostic in reading.diagnostics where diagnostic.place.span == nil {
      problems.error(rule, "cannot read `\(path)`: \(diagnostic.message)", help: diagnostic.help, at: node)
    }
    let isBroken = reading.diagnostics.contains { $0.severity == .error && $0.rule != "duplicate-key" }
    guard let document = reading.document, !isBroken else {
      if !reading.diagnostics.hasErrors { problems.error(rule, "cannot read `\(path)`", at: node) }
      return nil
    }
    return document
  }

  /// The bytes of a document; nil if it cannot be read.
  func bytes(of name: String) -> [UInt8]? { load(name).document?.source.bytes }

  private func read(
    _ name: String, _ chain: [String], _ path: String, _ node: Node, _ problems: inout DiagnosticCollector
  ) -> Workflow? {
    guard let document = document(name, writtenAs: path, rule: "use-file", at: node, &problems) else { return nil }
    guard !ScenariosFile.isOne(document.root) else {
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
