import DeclaredFields
import Documents

extension StepKind {
  static let happens = StepKind(
    "happens", "something happens in the world; not on the live platform", example: "[passwordChanged]",
    outcomes: [.success("it has happened"), .invalidParameter], schema: ["$ref": "#/$defs/happenings"]
  ) { node, _, problems in
    guard let happenings = Codec<[ScriptedEvent]>.happenings.read(node, &problems) else { return nil }
    if node.kind == .array, node.count == 0 {
      problems.error("empty-value", "nothing happens here", help: "list what happens: [passwordChanged]", at: node)
      return nil
    }
    return .happens(happenings)
  }
}
