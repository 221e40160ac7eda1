import Documents

extension StepKind {
  static let assert = StepKind(
    "assert", "expectations that must hold at this point; nothing is executed", .requiresValue,
    outcomes: [
      Outcome(.holds, .success, "all expectations hold"), Outcome(.violated, "an expectation failed"),
    ],
    syntax: .value(example: "{who: Megan Bowen}", schema: ["$ref": "#/$defs/expectations"]) { node, _, problems in
      guard let expectations = Codec<[Expectation]>.expectations.read(node, &problems) else { return nil }
      if node.count == 0 {
        problems.error(
          "empty-value", "empty `assert`", help: "add an expectation, such as `{who: Megan Bowen}`", at: node)
        return nil
      }
      return .assert(expectations)
    })
}
