import Documents
import WorkflowModel

extension WorkflowWalkthrough {
  /// The JSON for `explain FILE --format json`.
  package var json: JSON {
    [
      "title": .string(title), "description": description.map { .string($0) } ?? .null,
      "setup": .array(setup.map { .string($0) }), "steps": .array(steps.map(\.json)),
      "scenarios": .array(scenarios.map(\.json)),
    ]
  }
}

extension WorkflowWalkthrough.StepDescription {
  fileprivate var json: JSON {
    [
      "id": .string(id), "kind": .string(kind), "does": .string(does),
      "description": description.map { .string($0) } ?? .null, "finally": .bool(isFinal),
      "details": .array(details.map { .string($0) }),
      "internals": [
        "summary": .string(internals.summary), "details": .array(internals.details.map { .string($0) }),
        "pages": internals.pages.map { .string($0) } ?? .null,
      ],
      "branches": .array(
        branches.map { ["outcomes": .array($0.outcomes.map { .string($0) }), "effect": .string($0.effect)] }),
      "outcomes": .array(
        outcomes.map {
          [
            "name": .string($0.name), "summary": .string($0.summary), "effect": .string($0.effect),
            "scenarios": .array($0.scenarios.map { .string($0) }),
          ]
        }),
    ]
  }
}

extension WorkflowWalkthrough.ScenarioDescription {
  fileprivate var json: JSON {
    [
      "name": .string(name), "description": description.map { .string($0) } ?? .null, "outcome": .string(outcome.text),
      "path": path.map { .array($0.map { .string($0) }) } ?? .null,
    ]
  }
}
