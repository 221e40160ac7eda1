import DeclaredFields
import Diagnostics
import Documents
import Synchronization

/// The workflows in other files, each read once however many steps use it.
final class WorkflowFiles: Sendable {
  private let load: @Sendable (String) -> Reading
  /// Nil for a file that cannot be used, which was told.
  private let known = Mutex<[String: Workflow?]>([:])

  init(_ load: @escaping @Sendable (String) -> Reading) {
    self.load = load
  }

  /// The workflow in a file, with everything wrong with it told the first time.
  /// - Parameters:
  ///   - chain: the files that lead here, outermost first.
  ///   - path: as the workflow spells it.
  func workflow(
    _ name: String, chain: [String], writtenAs path: String, at node: Node, _ problems: inout Problems
  ) -> Workflow? {
    if let known = known.withLock({ $0[name] }) { return known }
    let workflow = read(name, chain, path, node, &problems)
    known.withLock { $0[name] = workflow }
    return workflow
  }

  private func read(
    _ name: String, _ chain: [String], _ path: String, _ node: Node, _ problems: inout Problems
  ) -> Workflow? {
    let reading = load(name)
    // What cannot be said about a place in the other file is said here.
    problems.add(contentsOf: YAMLTraps.explained(reading.diagnostics.filter { $0.place.span != nil }))
    for diagnostic in reading.diagnostics where diagnostic.place.span == nil {
      problems.error("use-file", "\(path) cannot be read: \(diagnostic.message)", help: diagnostic.help, at: node)
    }
    guard let document = reading.document, !reading.diagnostics.hasErrors else {
      if !reading.diagnostics.hasErrors { problems.error("use-file", "\(path) cannot be read", at: node) }
      return nil
    }
    let (workflow, diagnostics) = WorkflowReading.read(document, chain: chain + [name], files: self)
    problems.add(contentsOf: diagnostics)
    if workflow == nil { problems.error("use-file", "\(path) is no workflow that can be used", at: node) }
    return workflow
  }
}
