import Documents

extension StepKind {
  static let wait = StepKind(
    "wait", "delay in virtual time, or in real time (at most 60 s) with the live service", .requiresValue,
    outcomes: [.success("the time elapsed"), .invalidParameter],
    syntax: .value(example: "5m", schema: Codec<Duration>.durationText.resolvable.schema()) { node, _, problems in
      Codec<Duration>.durationText.resolvable.read(node, &problems).map { .wait($0) }
    })
}
