import Documents
import OrderedCollections

/// A nested workflow, which runs with the settings, token cache, and user behavior of the outer workflow.
package struct Use: Sendable {
  package var path: String?
  package var with: OrderedDictionary<String, Resolvable<JSON>> = [:]
  /// The nested workflow. Nil if it cannot be loaded. A diagnostic reports the reason.
  package var workflow: Workflow?
  var pathNode: Node?
  var withNode: Node?
}

extension StepKind {
  static let use = StepKind(
    "use", "nested workflow with the same settings, token cache, and user behavior",
    [.requiresValue, .canBeFallback, .propagatesOutcomes], outcomes: [.success("the nested workflow succeeded")],
    syntax: .parameters(
      Use(), Use.fields, short: ShortForm(Codec<Node>.fileNode, into: { $0.pathNode = $1 }),
      check: { use, node, reader, problems in use.load(at: node, &reader, &problems) }
    ) { .use($0) })
}

extension Use {
  /// Loads the nested workflow and checks its inputs.
  /// - Returns: Whether the step has a path.
  fileprivate mutating func load(
    at node: Node, _ reader: inout StepReader, _ problems: inout DiagnosticCollector
  ) -> Bool {
    guard let pathNode, let path = pathNode.string else {
      if node["workflow"] == nil {
        problems.error(
          "missing-key", "missing key `workflow` in `use`", help: "write `use: {workflow: sign-in.yaml}`", at: node)
      }
      return false
    }
    self.path = path
    workflow = reader.load(path, at: pathNode, &problems)
    guard let inputs = workflow?.inputs else { return true }
    if let withNode {
      for (key, _) in withNode.entries {
        let name = key.string ?? ""
        guard inputs[name] == nil else { continue }
        problems.unknownName(name, kind: "an input of `\(path)`", among: Array(inputs.keys), at: key)
      }
    }
    for input in inputs.values where input.isRequired && with[input.name] == nil {
      problems.error(
        "missing-input", "missing required input `\(input.name)` of `\(path)`",
        help: "add `with: {\(input.name): …}`", at: node)
    }
    return true
  }

  package static let fields = Fields<Use>(
    "`use`",
    [
      Field(
        "workflow", .fileNode, into: { $0.pathNode = $1 }, required: true,
        "path of the nested workflow, relative to this file"),
      Field("with", schema: ["type": "object"], "values of the nested workflow's inputs") { node, use, problems in
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
  /// A path as a document node, so that diagnostics about the file can refer to the path's location.
  fileprivate static var fileNode: Self {
    Self(expecting: "the path of a workflow", schema: ["type": "string", "minLength": 1]) { node, problems in
      Codec<String>.nonEmptyString.read(node, &problems).map { _ in node }
    }
  }
}
