import Documents

extension StepKind {
  static let assert = StepKind(
    "assert", "what must be true now; nothing is done", example: "{who: Megan Bowen}",
    outcomes: [Outcome("holds", .success, "it is all true"), Outcome("violated", "something is not true")],
    schema: ["$ref": "#/$defs/expectations"]
  ) { node, _, problems in
    guard let expectations = Codec<[Expectation]>.expectations.read(node, &problems) else { return nil }
    if node.count == 0 {
      problems.error(
        "empty-value", "an assert that asserts nothing", help: "write what must be true: {who: Megan Bowen}", at: node)
      return nil
    }
    return .assert(expectations)
  }
}
