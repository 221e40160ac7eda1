/// Files that authflow writes as JSON with the key `authflow`, which also marks workflows.
package enum AuthflowOutput {
  /// The values of the key: results of `test --json`, and golden traces. Workflows have the number 1.
  package static let kinds: Set<String> = ["suite", "golden"]

  /// Whether a document is such a file and not a workflow.
  package static func isOne(_ root: Node) -> Bool { root["authflow"]?.string.map(kinds.contains) ?? false }
}
