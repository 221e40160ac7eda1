import Diagnostics
import Documents
import OrderedCollections

extension Codec where Value == Matrix {
  /// Decodes a mapping of axes (`{mfa: [approve, deny], top: [1, 5]}`) or a list of rows.
  static func matrix(_ workflow: Workflow?) -> Self {
    Self(
      expecting: "a mapping of axes or a list of rows",
      schema: [
        "anyOf": [
          ["type": "object", "additionalProperties": ["type": "array", "minItems": 1]],
          ["type": "array", "items": ["type": "object"], "minItems": 1],
        ]
      ]
    ) { node, problems in
      switch node.kind {
      case .array: return Matrix.rows(node, workflow, &problems)
      case .mapping: return Matrix.axes(node, workflow, &problems)
      default:
        problems.mismatch(node, expected: "a mapping of axes such as `{top: [1, 5]}`, or a list of rows")
        return nil
      }
    }
  }
}

extension Matrix {

  fileprivate static func rows(_ node: Node, _ workflow: Workflow?, _ problems: inout DiagnosticCollector) -> Matrix? {
    let fields = Fields<ScenarioBody>("a matrix row", ScenarioBody.fieldList(workflow))
    var rows: [Row] = []
    for (position, element) in node.elements.enumerated() {
      var body = ScenarioBody()
      body.sources = [.node(element)]
      if fields.read(element, into: &body, &problems) {
        rows.append(Row(name: body.description ?? "row \(position + 1)", body: body, place: element.place))
      }
    }
    if node.count == 0 { problems.error("empty-value", "matrix has no rows", at: node) }
    return rows.isEmpty ? nil : Matrix(rows: rows, place: node.place)
  }

  /// Returns all combinations of the axes.
  fileprivate static func axes(_ node: Node, _ workflow: Workflow?, _ problems: inout DiagnosticCollector) -> Matrix? {
    var rows = [Row(name: "", body: ScenarioBody(), place: node.place)]
    for (key, value) in node.entries {
      let name = key.scalarText ?? ""
      guard value.kind == .array, value.count > 0 else {
        problems.mismatch(value, expected: "a list of values for `\(name)`")
        continue
      }
      guard rows.count * value.count <= maxRows else {
        problems.error("matrix-size", "matrix has more than \(maxRows) combinations", at: node)
        return nil
      }
      var combinations: [Row] = []
      for element in value.elements {
        guard let overrides = overrides(name, key, element, workflow, &problems) else { continue }
        let label = element.scalarText ?? Matcher.show(element.json)
        for row in rows {
          combinations.append(
            Row(
              name: row.name.isEmpty ? "\(name): \(label)" : "\(row.name), \(name): \(label)",
              body: overrides.over(row.body), place: element.place))
        }
      }
      if !combinations.isEmpty { rows = combinations }
    }
    return node.count == 0 ? nil : Matrix(rows: rows, place: node.place)
  }

  /// Returns the overrides for one value on an axis. An axis is an input, `user`, or a key of the user behavior.
  private static func overrides(
    _ name: String, _ key: Node, _ value: Node, _ workflow: Workflow?, _ problems: inout DiagnosticCollector
  ) -> ScenarioBody? {
    var body = ScenarioBody()
    if let input = workflow?.inputs[name] {
      guard input.accepts(value.json) else {
        problems.error(
          "input-type", "input `\(name)` expects type \(input.type.rawValue), found \(value.typeName)", at: value)
        return nil
      }
      body.inputs[name] = value.json
      body.sources = [.json(["inputs": [name: value.json]])]
      return body
    }
    if name == "user" {
      body.sources = [.json(["user": value.json])]
      guard let user = Codec<UserBehaviors>.userBehaviors.read(value, &problems) else { return nil }
      body.user = user
      return body
    }
    let userKey = name.hasPrefix("user.") ? String(name.dropFirst(5)) : name
    guard let field = UserBehavior.fields.field(named: userKey) else {
      problems.unknownName(
        name, kind: "an input or a key of `user`",
        among: Array(workflow?.inputs.keys ?? []) + UserBehavior.fields.fields.map(\.key), at: key)
      return nil
    }
    var user = UserBehavior()
    field.assign(value, &user, &problems)
    body.user = UserBehaviors([user], at: value.place)
    body.sources = [.json(["user": [field.key: value.json]])]
    return body
  }
}
