import Diagnostics
import Documents
import Synchronization

/// The workflows in other files, each read once however many steps use it.
final class WorkflowFiles: Sendable {
  private let load: @Sendable (String) -> ReadResult
  /// Nil for a file that cannot be used, which was told.
  private let known = Mutex<[String: Workflow?]>([:])

  init(_ load: @escaping @Sendable (String) -> ReadResult) {
    self.load = load
  }

  /// The workflow in a file, with everything wrong with it told the first time.
  /// - Parameters:
  ///   - chain: the files that lead here, outermost first.
  ///   - path: as the workflow spells it.
  func workflow(
    _ name: String, chain: [String], writtenAs path: String, at node: Node, _ problems: inout DiagnosticCollector
  ) -> Workflow? {
    if let known = known.withLock({ $0[name] }) { return known }
    let workflow = read(name, chain, path, node, &problems)
    known.withLock { $0[name] = workflow }
    return workflow
  }

  /// The document in a file that another file names, with its problems reported; nil if it cannot be used.
  ///
  /// Duplicate keys don't make it unusable: the first one counts.
  /// - Parameters:
  ///   - path: as the other file spells it.
  ///   - rule: the rule that reports a file that cannot be read.
  ///   - node: the path in the other file.
  func document(
    _ name: String, writtenAs path: String, rule: String, at node: Node, _ problems: inout DiagnosticCollector
  ) -> Document? {
    let reading = load(name)
    // Problems without a place in the file are reported at its path.
    problems.add(contentsOf: YAMLPitfalls.explained(reading.diagnostics.filter { $0.place.span != nil }))
    for diagnostic in reading.diagnostics where diagnostic.place.span == nil {
      problems.error(rule, "\(path) cannot be read: \(diagnostic.message)", help: diagnostic.help, at: node)
    }
    let isBroken = reading.diagnostics.contains { $0.severity == .error && $0.rule != "duplicate-key" }
    guard let document = reading.document, !isBroken else {
      if !reading.diagnostics.hasErrors { problems.error(rule, "\(path) cannot be read", at: node) }
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
        "use-file", "`\(path)` is a scenarios file, not a workflow", help: "name the workflow that it tests", at: node)
      return nil
    }
    let (workflow, diagnostics) = WorkflowDecoder.read(document, chain: chain + [name], files: self)
    problems.add(contentsOf: diagnostics)
    if workflow == nil { problems.error("use-file", "\(path) is no workflow that can be used", at: node) }
    return workflow
  }
}
