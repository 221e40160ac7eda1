import Documents
import OrderedCollections

extension Workflow {
  /// The JSON Schema (2020-12) of a workflow, generated from the declarations that the decoder uses.
  package static var schema: JSON {
    var definitions = Self.scenarioDefinitions
    definitions["step"] = Step.schema
    definitions["expectations"] = Self.expectationsSchema
    return documentSchema(
      "authflow workflow, version 1", "sign-in workflow: steps and scenarios", WorkflowDraft.fields.schema,
      definitions: definitions)
  }

  /// The JSON Schema (2020-12) of a scenarios file.
  package static var scenariosFileSchema: JSON {
    documentSchema(
      "authflow scenarios, version 1", "scenarios of a workflow, in a separate file", ScenariosFile.fields.schema,
      definitions: scenarioDefinitions)
  }

  private static func documentSchema(
    _ title: String, _ description: String, _ fields: JSON, definitions: JSON
  ) -> JSON {
    var schema: JSON = [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": .string(title),
      "description": .string(description),
    ]
    for (key, value) in fields.object ?? [:] { schema[key] = value }
    schema["$defs"] = definitions
    return schema
  }

  private static var scenarioDefinitions: JSON {
    [
      "matcher": Matcher.schema,
      "user": Codec<[UserBehavior]>.listOrOne(of: .user).schema(),
      "events": Self.eventsSchema,
      "scenario": Self.scenarioSchema,
    ]
  }

  private static var expectationsSchema: JSON {
    var properties: JSON = [:]
    for field in ResultField.allCases {
      properties[field.rawValue] = ["$ref": "#/$defs/matcher", "description": .string(field.summary)]
    }
    properties["$"] = ["$ref": "#/$defs/matcher", "description": "value of the result"]
    return [
      "type": "object", "properties": properties,
      "description": "matchers by result field, `step.field`, or JSONPath",
      "additionalProperties": ["$ref": "#/$defs/matcher"],
    ]
  }

  private static var eventsSchema: JSON {
    let event = Codec<ScriptedEvent>.event.schema()
    return ["anyOf": [["type": "array", "items": event], event]]
  }

  private static var scenarioSchema: JSON {
    var schema = Codec<Scenario>.scenario(nil).schema()
    schema["type"] = ["object", "null"]
    return schema
  }
}

extension Step {
  /// The schema of a step: a bare step type, or a mapping with exactly one step type and the common keys.
  static var schema: JSON {
    var properties: OrderedDictionary<String, JSON> = [:]
    for key in StepKind.keys {
      guard let kind = StepKind.named(key) else { continue }
      var value = kind.schema()
      if kind.canBeBare {
        // An empty value is equivalent to `{}`.
        if value["type"] == "object" {
          value["type"] = ["object", "null"]
        } else {
          value = ["anyOf": [value, ["type": "null"]]]
        }
      }
      value["description"] = .string(
        key == kind.key
          ? kind.summary : "\(kind.summary); runs only as a fallback (`\(kind.key)` with `when: fallback`)")
      properties[key] = value
    }
    for (key, value) in Fields<CommonKeys>("a step", CommonKeys.fieldList).schema["properties"]?.object ?? [:] {
      properties[key] = value
    }
    let bareKeys = StepKind.keys.filter { StepKind.named($0)?.canBeBare ?? false && $0 != "use" }
    return [
      "anyOf": [
        ["enum": .array(bareKeys.map { .string($0) }), "description": "step type without parameters"],
        [
          "type": "object", "properties": .object(properties), "additionalProperties": false,
          "oneOf": .array(StepKind.keys.map { ["required": [.string($0)]] }),
        ],
      ]
    ]
  }
}
