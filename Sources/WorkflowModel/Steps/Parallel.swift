import Documents

extension StepKind {
  static let parallel = StepKind(
    "parallel", "steps that run at the same time", [.requiresValue, .propagatesOutcomes],
    outcomes: [.success("all members succeeded")],
    syntax: .value(
      example: "[silent, silent]", schema: ["type": "array", "minItems": 1, "items": ["$ref": "#/$defs/step"]],
      read: readMembers))

  private static func readMembers(
    _ node: Node, _ reader: inout StepReader, _ problems: inout DiagnosticCollector
  ) -> StepAction? {
    guard node.kind == .array else {
      problems.mismatch(node, expected: "a list of steps, such as `[silent, silent]`")
      return nil
    }
    guard node.count > 0 else {
      problems.error("empty-value", "empty `parallel`", help: "add steps, such as `[silent, silent]`", at: node)
      return nil
    }
    var counts: [String: Int] = [:]
    var members: [Step] = []
    for element in node.elements {
      guard var step = reader.step(element, &problems) else { continue }
      counts[step.spelling, default: 0] += 1
      if !step.isNamed { step.id = "\(step.spelling)#\(counts[step.spelling] ?? 1)" }
      if let reason = step.reasonNotParallel {
        problems.error("parallel", reason, help: "move it out of `parallel`", at: element)
        continue
      }
      members.append(step)
    }
    return .parallel(members)
  }
}

extension Step {
  /// The reason that the step cannot be a member of `parallel`, or nil if it can be a member. A member has no
  /// transitions, because the path contains only the `parallel` step itself.
  fileprivate var reasonNotParallel: String? {
    switch action {
    case .parallel: return "`parallel` cannot be nested"
    case .use: return "`use` is not supported in `parallel`"
    default: break
    }
    if case .fallback = when { return "a fallback is not supported in `parallel`" }
    if !on.isEmpty { return "`on` is not supported in members of `parallel`; use it in the `parallel` step" }
    return nil
  }
}
