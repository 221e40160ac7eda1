/// Files with the key `authflow` that authflow writes as JSON. Workflows have the same key.
package enum AuthflowOutput {
  /// The values of the key: `suite` for results of `test --json`, `golden` for golden traces. Workflows have the number
  /// 1.
  package static let kinds: Set<String> = ["suite", "golden"]

  /// Whether a document is one of these files and not a workflow.
  package static func recognizes(_ root: Node) -> Bool { root["authflow"]?.string.map(kinds.contains) ?? false }
}
