import Diagnostics
import Documents
import OrderedCollections

/// A workflow that is being decoded. Steps and scenarios are read last, because they can be in other files.
struct WorkflowDraft: Sendable {
  var workflow: Workflow
  var version: Int?
  var steps: Node?
  var finally: Node?
  var scenarios: Node?

  static let fields = Fields<WorkflowDraft>(
    "a workflow",
    [
      Field(
        "authflow", .languageVersion, into: { $0.version = $1 }, required: true,
        "version of the workflow language; always 1; the key identifies the file as a workflow"),
      .schemaReference,
      Field("name", .nonEmptyString, into: { $0.workflow.name = $1 }, "title in traces and reports"),
      Field("description", .string, into: { $0.workflow.description = $1 }, "description for readers"),
      Field("tags", .listOrOne(of: .nonEmptyString), into: { $0.workflow.tags = $1 }, "tags for selecting scenarios"),
      Field(
        "settings", .source("settings"), into: { $0.workflow.settings = $1 },
        "app settings: a file or inline settings"),
      Field(
        "clients", .map(of: .source("settings")), into: { $0.workflow.clients = $1 },
        "settings of several apps, by name; the first app is the default"),
      Field(
        "directory", .directory, into: { $0.workflow.directory = $1 }, default: "contoso",
        "emulator directory: `contoso`, a file, or an inline directory"),
      Field(
        "platform", .platform, into: { $0.workflow.platform = $1 }, default: "emulated",
        "`emulated`, `live`, or `{replay: recording.jsonl}`"),
      Field("user", .userBehaviors, into: { $0.workflow.user = $1 }, "behavior of the simulated user"),
      Field(
        "inputs", .inputs, into: { $0.workflow.inputs = $1 },
        "typed parameters: `{top: {type: integer, default: 5}}`"),
      Field(
        "steps", schema: ["type": "array", "items": ["$ref": "#/$defs/step"], "minItems": 1], required: true,
        "steps, in order"
      ) { node, draft, _ in
        draft.steps = node
        draft.workflow.stepsPlace = node.place
      },
      Field(
        "finally", schema: ["type": "array", "items": ["$ref": "#/$defs/step"]],
        "steps that run at the end, regardless of the result"
      ) { node, draft, _ in draft.finally = node },
      Field(
        "scenarios", schema: ["anyOf": [["type": "string", "minLength": 1], Codec<[Scenario]>.mappingSchema]],
        "test cases: preconditions, user behavior, and expectations; or the path of a scenarios file"
      ) { node, draft, _ in draft.scenarios = node },
      Field(
        "maxSteps", .integer(in: 1...1_000_000), into: { $0.workflow.maxSteps = $1 }, default: 100,
        "maximum number of steps in a run; a longer run fails with `exhausted`"),
    ])
}

extension Codec where Value == Int {
  static var languageVersion: Self {
    Self(expecting: "the number 1", schema: ["const": 1]) { node, problems in
      guard let version = node.integer else {
        problems.mismatch(node, expected: "the number 1")
        return nil
      }
      guard version == 1 else {
        problems.error(
          "language-version", "unsupported version \(version)", help: "use `authflow: 1`", at: node)
        return nil
      }
      return 1
    }
  }
}

extension Codec where Value == Workflow.Source {
  /// Decodes a path, or the value itself.
  static func source(_ what: String) -> Self {
    Self(
      expecting: "a path, or the \(what)", schema: ["anyOf": [["type": "string", "minLength": 1], ["type": "object"]]]
    ) { node, problems in
      if node.kind == .mapping { return .inline(node) }
      guard node.kind == .string else {
        problems.mismatch(node, expected: "a path, or the \(what)")
        return nil
      }
      return Codec<String>.nonEmptyString.located.read(node, &problems).map { .file($0) }
    }
  }
}

extension Codec where Value == Workflow.DirectorySource {
  static var directory: Self {
    let source = Codec<Workflow.Source>.source("directory")
    return Self(expecting: "`contoso`, a path, or the directory", schema: source.schema()) { node, problems in
      if node.string == "contoso" { return .contoso }
      switch source.read(node, &problems) {
      case .file(let path): return .file(path)
      case .inline(let node): return .inline(node)
      case nil: return nil
      }
    }
  }
}

extension Codec where Value == Workflow.Platform {
  static var platform: Self {
    Self(
      expecting: "`emulated`, `live`, or `{replay: recording.jsonl}`",
      schema: [
        "anyOf": [
          ["enum": ["emulated", "live"]],
          [
            "type": "object", "properties": ["replay": ["type": "string"]], "required": ["replay"],
            "additionalProperties": false,
          ],
        ]
      ]
    ) { node, problems in
      if node.kind == .mapping {
        guard node.count == 1, let path = node["replay"]?.string, !path.isEmpty else {
          problems.error(
            "unknown-value", "unknown platform", help: "use `emulated`, `live`, or `{replay: recording.jsonl}`",
            at: node
          )
          return nil
        }
        return .replay(path)
      }
      switch Codec<String>.oneOf(["emulated", "live"]).read(node, &problems) {
      case "emulated": return .emulated
      case "live": return .live
      default: return nil
      }
    }
  }
}
