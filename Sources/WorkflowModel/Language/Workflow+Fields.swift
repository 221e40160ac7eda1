import Diagnostics
import Documents
import OrderedCollections

/// A workflow while it is being read: the steps need the reader of other files, so they are read afterwards.
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
        "authflow", .languageVersion, into: \.version, required: true,
        "the language's version, 1; this key makes a file a workflow"),
      Field("$schema", schema: ["type": "string"], "the JSON Schema, for editors") { node, _, problems in
        _ = Codec<String>.string.read(node, &problems)
      },
      Field("name", .nonEmptyString, into: \.workflow.name, "what it is called in traces and reports"),
      Field("description", .string, into: \.workflow.description, "what it is for"),
      Field("tags", .listOrOne(of: .nonEmptyString), into: \.workflow.tags, "words to find it by"),
      Field(
        "settings", .source("settings"), into: \.workflow.settings,
        "the app registration's settings: a file, or the settings themselves"),
      Field(
        "clients", .map(of: .source("settings")), into: \.workflow.clients,
        "several apps: a name and the settings for each; the first is the default"),
      Field(
        "directory", .directory, into: \.workflow.directory, default: "contoso",
        "what the emulated platform serves: contoso, a file, or the directory itself"),
      Field(
        "platform", .platform, into: \.workflow.platform, default: "emulated",
        "emulated, live, or {replay: recording.jsonl}"),
      Field("user", .sittings, into: \.workflow.user, "who sits at the keyboard"),
      Field("inputs", .inputs, into: \.workflow.inputs, "typed parameters: {top: {type: integer, default: 5}}"),
      Field(
        "steps", schema: ["type": "array", "items": ["$ref": "#/$defs/step"], "minItems": 1], required: true,
        "the states, in order"
      ) { node, draft, _ in
        draft.steps = node
        draft.workflow.stepsPlace = node.place
      },
      Field(
        "finally", schema: ["type": "array", "items": ["$ref": "#/$defs/step"]],
        "steps that run however the workflow ended"
      ) { node, draft, _ in draft.finally = node },
      Field(
        "scenarios", schema: ["anyOf": [["type": "string", "minLength": 1], Codec<[Scenario]>.mappingSchema]],
        "test cases: preconditions, user behavior, and expectations; or the path of a scenarios file"
      ) { node, draft, _ in draft.scenarios = node },
      Field(
        "maxSteps", .integer(in: 1...1_000_000), into: \.workflow.maxSteps, default: 100,
        "how many steps a run may do; then it has failed, exhausted"),
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
          "language-version", "version \(version) of the language is not known", help: "write authflow: 1", at: node)
        return nil
      }
      return 1
    }
  }
}

extension Codec where Value == Workflow.Source {
  /// A path, or the thing itself.
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
    return Self(expecting: "contoso, a path, or the directory", schema: source.schema()) { node, problems in
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
      expecting: "emulated, live, or {replay: recording.jsonl}",
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
            "unknown-value", "this is no platform", help: "write emulated, live, or {replay: recording.jsonl}", at: node
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
