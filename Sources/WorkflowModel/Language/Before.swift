import Diagnostics
import Documents
import OrderedCollections

/// The events that occur immediately before a step of a scenario, such as `before: {silent: [offline]}`.
package struct BeforeStep: Sendable {
  /// The step and the one-based number of its run, as in `silent[2]`. The default is the first run.
  package var step: ValuePath.StepReference
  package var events: [ScriptedEvent]
  /// The location of the step's name.
  package var place: FileSpan

  /// The reference to the step, such as `silent` or `login/silent[2]`.
  package var text: String { step.run == 1 ? step.id : "\(step.id)[\(step.run ?? 1)]" }
}

/// The events before each step. `silent` and `silent[1]` are the same key.
package typealias BeforeSteps = OrderedDictionary<ValuePath.StepReference, BeforeStep>

extension Codec where Value == BeforeSteps {
  static var beforeSteps: Self {
    let events = Codec<[ScriptedEvent]>.nonEmptyEvents
    return Self(
      expecting: "a mapping from steps to events",
      schema: ["type": "object", "additionalProperties": events.schema()]
    ) { node, problems in
      guard node.kind == .mapping else {
        problems.mismatch(node, expected: "a mapping such as `{silent: [offline]}`")
        return nil
      }
      var beforeSteps: BeforeSteps = [:]
      for (key, value) in node.entries {
        let text = key.scalarText ?? ""
        guard var step = ValuePath.reference(text) else {
          problems.error(
            "result-path", "invalid step reference `\(text)`",
            help: "use a reference such as `silent`, `silent[2]`, `login/silent`, or `silent#1`", at: key)
          continue
        }
        step.run = step.run ?? 1
        if let first = beforeSteps[step] {
          problems.add(
            Diagnostic(
              .error, rule: "duplicate-key", "duplicate key for step `\(first.text)`",
              help: "merge the two lists", at: key.place, related: [.init("first key is here", at: first.place)]))
          continue
        }
        guard let list = events.read(value, &problems) else { continue }
        beforeSteps[step] = BeforeStep(step: step, events: list, place: key.place)
      }
      return beforeSteps
    }
  }
}
