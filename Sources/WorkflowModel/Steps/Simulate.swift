import Documents

extension StepKind {
  static let simulate = StepKind(
    "simulate", "simulated events; not supported with the live service", .requiresValue,
    outcomes: [.success("the events occurred"), .invalidParameter],
    syntax: .value(example: "[passwordChanged]", schema: ["$ref": "#/$defs/events"]) { node, _, problems in
      Codec<[ScriptedEvent]>.nonEmptyEvents.read(node, &problems).map { .simulate($0) }
    })
}
