import Documents

extension StepKind {
  static let parallel = StepKind(
    "parallel", "several steps at the same time", example: "[silent, silent]",
    outcomes: [.success("all members succeeded")],
    passesOutcomesOn: true, schema: ["type": "array", "minItems": 1, "items": ["$ref": "#/$defs/step"]]
  ) { node, reader, problems in
    guard node.kind == .array else {
      problems.mismatch(node, expected: "a list of steps, such as [silent, silent]")
      return nil
    }
    guard node.count > 0 else {
      problems.error("empty-value", "nothing is done together here", help: "list the steps: [silent, silent]", at: node)
      return nil
    }
    var counts: [String: Int] = [:]
    var members: [Step] = []
    for element in node.elements {
      guard var step = reader.step(element, &problems) else { continue }
      counts[step.spelling, default: 0] += 1
      if !step.isNamed { step.id = "\(step.spelling)#\(counts[step.spelling] ?? 1)" }
      if let reason = step.reasonAgainstParallel {
        problems.error("parallel", reason, help: "make it a step of its own", at: element)
        continue
      }
      members.append(step)
    }
    return .parallel(members)
  }
}

extension Step {
  /// Why the step cannot be a member: the way through the workflow is the `parallel` step's alone.
  fileprivate var reasonAgainstParallel: String? {
    switch action {
    case .parallel: return "steps that are done together cannot be nested"
    case .use: return "another workflow cannot be one of several steps at the same time"
    default: break
    }
    if case .fallback = when { return "a member of parallel cannot be a fallback" }
    if !on.isEmpty { return "a member of parallel goes nowhere: `on` belongs to the parallel step" }
    return nil
  }
}
