import Documents

extension StepKind {
  static let wait = StepKind(
    "wait", "time passes: virtual time; on the live platform at most 60 s", example: "5m",
    outcomes: [.success("the time has passed"), .invalidParameter],
    schema: Codec<Duration>.durationText.resolvable.schema()
  ) { node, _, problems in
    Codec<Duration>.durationText.resolvable.read(node, &problems).map { .wait($0) }
  }
}
