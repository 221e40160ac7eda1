import Diagnostics
import Documents
import OrderedCollections

/// What happens in the middle of a scenario's run, right before one of its steps: `before: {silent: [offline]}`.
package struct BeforeStep: Sendable {
  /// Which step, and which time it runs (`silent[2]`); the first where nothing is said.
  package var step: ValuePath.StepReference
  package var events: [ScriptedEvent]
  /// Where the step is named.
  package var place: FileSpan

  /// As it is written: `silent`, `login/silent[2]`.
  package var words: String { step.run == 1 ? step.id : "\(step.id)[\(step.run ?? 1)]" }
}

/// What happens before which step; `silent` and `silent[1]` are the same.
package typealias BeforeSteps = OrderedDictionary<ValuePath.StepReference, BeforeStep>

extension Codec where Value == BeforeSteps {
  static var beforeSteps: Self {
    let events = Codec<[ScriptedEvent]>.events
    return Self(
      expecting: "a mapping from steps to what happens before them",
      schema: ["type": "object", "additionalProperties": events.schema()]
    ) { node, problems in
      guard node.kind == .mapping else {
        problems.mismatch(node, expected: "a mapping such as {silent: [offline]}")
        return nil
      }
      var all: BeforeSteps = [:]
      for (key, value) in node.entries {
        let text = key.string ?? key.scalarText ?? ""
        guard var step = ValuePath.reference(text) else {
          problems.error(
            "address", "\"\(text)\" names no step", help: "write silent, silent[2], login/silent or silent#1", at: key)
          continue
        }
        step.run = step.run ?? 1
        if let first = all[step] {
          problems.add(
            Diagnostic(
              .error, rule: "duplicate-key", "what happens before \(first.words) is said twice",
              help: "write it in one list", at: key.place, related: [.init("the first is here", at: first.place)]))
          continue
        }
        if value.kind == .array, value.count == 0 {
          problems.error("empty-value", "nothing happens here", help: "list what happens: [passwordChanged]", at: value)
          continue
        }
        guard let list = events.read(value, &problems) else { continue }
        all[step] = BeforeStep(step: step, events: list, place: key.place)
      }
      return all
    }
  }
}
