import Documents

extension WorkflowWalkthrough {
  /// What `explain FILE --format json` prints of a workflow.
  package var json: JSON {
    [
      "title": .string(title), "description": description.map { .string($0) } ?? .null,
      "circumstances": .array(circumstances.map { .string($0) }), "steps": .array(steps.map(\.json)),
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
      "inside": [
        "brief": .string(inside.brief), "points": .array(inside.points.map { .string($0) }),
        "sees": inside.sees.map { .string($0) } ?? .null,
      ],
      "ways": .array(
        ways.map { ["outcomes": .array($0.outcomes.map { .string($0) }), "leads": .string($0.leads)] }),
      "outcomes": .array(
        outcomes.map {
          [
            "name": .string($0.name), "words": .string($0.words), "leads": .string($0.leads),
            "shownBy": .array($0.shownBy.map { .string($0) }),
          ]
        }),
    ]
  }
}

extension WorkflowWalkthrough.ScenarioDescription {
  fileprivate var json: JSON {
    [
      "name": .string(name), "description": description.map { .string($0) } ?? .null, "outcome": .string(outcome),
      "path": path.map { .array($0.map { .string($0) }) } ?? .null,
    ]
  }
}
