import Documents

extension StepKind {
  static let simulate = StepKind(
    "simulate", "something happens in the world; not on the live platform", example: "[passwordChanged]",
    outcomes: [.success("it has happened"), .invalidParameter], schema: ["$ref": "#/$defs/events"]
  ) { node, _, problems in
    guard let events = Codec<[ScriptedEvent]>.events.read(node, &problems) else { return nil }
    if node.kind == .array, node.count == 0 {
      problems.error("empty-value", "nothing happens here", help: "list what happens: [passwordChanged]", at: node)
      return nil
    }
    return .simulate(events)
  }
}
