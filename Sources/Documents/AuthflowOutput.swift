/// JSON files that authflow writes and marks with the `authflow` key. Workflows use the same key.
package enum AuthflowOutput {
  /// The possible values of the key: `suite` for the results of `test --json`, and `golden` for golden traces. In
  /// workflows, the value is the number 1.
  package static let kinds: Set<String> = ["suite", "golden"]

  /// Returns whether a document is one of these files rather than a workflow.
  package static func recognizes(_ root: Node) -> Bool { root["authflow"]?.string.map(kinds.contains) ?? false }
}
