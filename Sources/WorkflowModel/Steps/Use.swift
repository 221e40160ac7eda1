import Documents
import OrderedCollections

/// Another workflow, run inside this one with the caller's settings, cache and user.
package struct Use: Sendable {
  package var path: String?
  package var with: OrderedDictionary<String, Resolvable<JSON>> = [:]
  /// The workflow, once it was loaded; nil where that failed, which was told.
  package var workflow: Workflow?
  var pathNode: Node?
  var withNode: Node?
}

extension StepKind {
  static let use = StepKind(
    "use", "another workflow, with the same settings, cache and user", standsAlone: false, canBeFallback: true,
    outcomes: [.success("it ended with success")], passesOutcomesOn: true,
    empty: Use(), fields: Use.fields, short: ShortForm(Codec<Node>.fileNode, into: \.pathNode),
    check: { use, node, reader, problems in
      guard let pathNode = use.pathNode, let path = pathNode.string else {
        if node["workflow"] == nil {
          problems.error(
            "missing-key", "use needs the key \"workflow\"", help: "write use: {workflow: sign-in.yaml}", at: node)
        }
        return false
      }
      use.path = path
      use.workflow = reader.load(path, at: pathNode, &problems)
      guard let inputs = use.workflow?.inputs else { return true }
      if let withNode = use.withNode {
        for (key, _) in withNode.entries {
          let name = key.string ?? ""
          guard inputs[name] == nil else { continue }
          problems.unknownName(name, kind: "an input of \(path)", among: Array(inputs.keys), at: key)
        }
      }
      for input in inputs.values where input.isRequired && use.with[input.name] == nil {
        problems.error(
          "missing-input", "\(path) needs the input \"\(input.name)\"", help: "write with: {\(input.name): …}", at: node
        )
      }
      return true
    }
  ) { .use($0) }
}

extension Use {
  package static let fields = Fields<Use>(
    "use",
    [
      Field("workflow", .fileNode, into: \.pathNode, required: true, "the other workflow's file, relative to this one"),
      Field("with", schema: ["type": "object"], "values for its inputs") { node, use, problems in
        guard node.kind == .mapping else {
          problems.mismatch(node, expected: "a mapping from inputs to values")
          return
        }
        use.withNode = node
        for (key, value) in node.entries {
          if let name = key.string { use.with[name] = Codec<JSON>.any.resolvable.read(value, &problems) }
        }
      },
    ])
}

extension Codec where Value == Node {
  /// A path that is read later, kept with its place.
  fileprivate static var fileNode: Self {
    Self(expecting: "the path of a workflow", schema: ["type": "string", "minLength": 1]) { node, problems in
      Codec<String>.nonEmptyString.read(node, &problems).map { _ in node }
    }
  }
}
