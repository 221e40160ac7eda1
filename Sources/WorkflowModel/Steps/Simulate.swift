import Documents

extension StepKind {
  static let simulate = StepKind(
    "simulate", "simulated events; not supported with the live service", example: "[passwordChanged]",
    outcomes: [.success("the events occurred"), .invalidParameter], schema: ["$ref": "#/$defs/events"]
  ) { node, _, problems in
    guard let events = Codec<[ScriptedEvent]>.events.read(node, &problems) else { return nil }
    if node.kind == .array, node.count == 0 {
      problems.error(
        "empty-value", "empty list of events", help: "add an event, such as `passwordChanged`", at: node)
      return nil
    }
    return .simulate(events)
  }
}
