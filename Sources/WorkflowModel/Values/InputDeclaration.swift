import Diagnostics
import Documents
import OrderedCollections

/// A typed parameter of a workflow: `top: {type: integer, default: 5}`.
package struct InputDeclaration: Sendable {
  package enum ValueType: String, Sendable, CaseIterable {
    case string, integer, number, boolean, array, duration
  }

  package var name: String = ""
  package var type: ValueType = .string
  package var defaultNode: Node?
  package var isRequired = false
  package var description: String?
  /// Where the name stands.
  package var place: FileSpan

  package init(name: String, type: ValueType, isRequired: Bool = false, at place: FileSpan) {
    self.name = name
    self.type = type
    self.isRequired = isRequired
    self.place = place
  }

  /// What is taken when nobody sets it: null where no default is declared.
  package var defaultValue: JSON { defaultNode?.json ?? .null }

  package static let fields = Fields<InputDeclaration>(
    "an input",
    [
      Field("type", .enumeration(ValueType.self), into: \.type, default: "string", "what kind of value it is"),
      Field("default", .node, into: \.defaultNode, "what is taken when nobody sets it; without one it is null"),
      Field("required", .bool, into: \.isRequired, default: false, "whether a run must set it"),
      Field("description", .string, into: \.description, "what it is for"),
    ])

  /// Whether a value fits the declared type; null always does.
  package func accepts(_ value: JSON) -> Bool {
    if value.isNull { return true }
    return switch type {
    case .string: value.string != nil
    case .integer: value.integer != nil
    case .number: value.number != nil
    case .boolean: value.bool != nil
    case .array: value.array != nil
    case .duration: value.string.flatMap { DurationText.parse($0) } != nil
    }
  }

  /// The value that a text on the command line means: `--set top=3`. An empty text is null for all but strings.
  /// - Returns: nil where the text does not fit the type.
  package func value(parsing text: String) -> JSON? {
    switch type {
    case .string: return .string(text)
    case .duration: return DurationText.parse(text).map { _ in .string(text) }
    case .boolean: return Bool(text).map { .bool($0) }
    case .integer: return Int64(text).map { .integer($0) }
    case .number: return Double(text).flatMap { $0.isFinite ? JSON(number: $0) : .none }
    case .array:
      if text.hasPrefix("[") {
        guard let json = try? JSON(parsing: Array(text.utf8)), json.array != nil else { return nil }
        return json
      }
      return .array(text.isEmpty ? [] : text.split(separator: ",").map { .string(String($0)) })
    }
  }
}

extension Codec where Value == OrderedDictionary<String, InputDeclaration> {
  /// The `inputs` of a workflow.
  static var inputs: Self {
    Self(
      expecting: "a mapping from names to inputs",
      schema: [
        "type": "object", "propertyNames": ["pattern": "^[A-Za-z0-9_-]+$"],
        "additionalProperties": InputDeclaration.fields.schema,
      ]
    ) { node, problems in
      guard node.kind == .mapping else {
        problems.mismatch(node, expected: "a mapping from names to inputs")
        return nil
      }
      var inputs: OrderedDictionary<String, InputDeclaration> = [:]
      for (key, value) in node.entries {
        guard let name = problems.name(key, of: "an input") else { continue }
        guard value.kind == .mapping else {
          problems.error(
            "wrong-type", "an input is a mapping, found \(value.typeName)",
            help: "write \(name): {type: \(InputDeclaration.guess(value).rawValue), default: …}", at: value)
          continue
        }
        var input = InputDeclaration(name: name, type: .string, at: key.place)
        // Without a type the default tells it.
        if value["type"] == nil, let given = value["default"] { input.type = InputDeclaration.guess(given) }
        guard InputDeclaration.fields.read(value, into: &input, &problems) else { continue }
        if let given = input.defaultNode, !input.accepts(given.json) {
          problems.error(
            "input-default", "the default of \"\(name)\" is \(given.typeName), its type says \(input.type.rawValue)",
            at: given)
        }
        if input.isRequired, let given = input.defaultNode {
          problems.warning("input-default", "\"\(name)\" is required, so its default is never taken", at: given)
        }
        inputs[name] = input
      }
      return inputs
    }
  }
}

extension InputDeclaration {
  fileprivate static func guess(_ node: Node) -> ValueType {
    switch node.kind {
    case .integer: .integer
    case .real: .number
    case .bool: .boolean
    case .array: .array
    default: .string
    }
  }
}

extension DiagnosticCollector {
  /// A key that must be a name; nil after it was told that it is none.
  mutating func name(_ key: Node, of owner: String) -> String? {
    let text = key.string ?? key.scalarText ?? ""
    if Template.isName(text) { return text }
    error(
      "invalid-name", "\"\(text)\" cannot be the name of \(owner)", help: "use letters, digits, \"_\" and \"-\"",
      at: key)
    return nil
  }
}
