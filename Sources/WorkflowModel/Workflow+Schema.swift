import Documents
import OrderedCollections

extension Workflow {
  /// The JSON Schema (2020-12) of a workflow, from the same declarations that the decoder reads.
  package static var schema: JSON {
    var schema: JSON = [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "authflow workflow, version 1",
      "description": "sign-in workflow: steps and scenarios",
    ]
    for (key, value) in WorkflowDraft.fields.schema.object ?? [:] { schema[key] = value }
    var definitions = Self.scenarioDefinitions
    definitions["step"] = Step.schema
    definitions["expectations"] = Self.expectationsSchema
    schema["$defs"] = definitions
    return schema
  }

  /// The JSON Schema (2020-12) of a scenarios file.
  package static var scenariosFileSchema: JSON {
    var schema: JSON = [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "authflow scenarios, version 1",
      "description": "scenarios of a workflow in a separate file",
    ]
    for (key, value) in ScenariosFile.fields.schema.object ?? [:] { schema[key] = value }
    schema["$defs"] = Self.scenarioDefinitions
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
    for word in ResultField.allCases {
      properties[word.rawValue] = ["$ref": "#/$defs/matcher", "description": .string(word.summary)]
    }
    properties["$"] = ["$ref": "#/$defs/matcher", "description": "value of the result"]
    return [
      "type": "object", "properties": properties,
      "description": "matchers by result field, `step.field`, or JSONPath",
      "additionalProperties": ["$ref": "#/$defs/matcher"],
    ]
  }

  private static var eventsSchema: JSON {
    let one = Codec<ScriptedEvent>.event.schema()
    return ["anyOf": [["type": "array", "items": one], one]]
  }

  private static var scenarioSchema: JSON {
    var schema = Codec<Scenario>.scenario(nil).schema()
    schema["type"] = ["object", "null"]
    return schema
  }
}

extension Step {
  /// A bare step type, or a mapping with exactly one step type and the common keys.
  static var schema: JSON {
    var properties: OrderedDictionary<String, JSON> = [:]
    for key in StepKind.keys {
      guard let kind = StepKind.named(key) else { continue }
      var value = kind.schema()
      if kind.canBeBare {
        // An empty value is the same as {}.
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
    let bare = StepKind.keys.filter { StepKind.named($0)?.canBeBare ?? false && $0 != "use" }
    return [
      "anyOf": [
        ["enum": .array(bare.map { .string($0) }), "description": "step type without parameters"],
        [
          "type": "object", "properties": .object(properties), "additionalProperties": false,
          "oneOf": .array(StepKind.keys.map { ["required": [.string($0)]] }),
        ],
      ]
    ]
  }
}
