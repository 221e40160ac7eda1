import Diagnostics
import Documents
import OrderedCollections

/// A typed parameter of a workflow, such as `top: {type: integer, default: 5}`.
package struct InputDeclaration: Sendable {
  package enum ValueType: String, Sendable, CaseIterable {
    case string, integer, number, boolean, array, duration
  }

  package var name: String = ""
  package var type: ValueType = .string
  package var defaultNode: Node?
  package var isRequired = false
  package var description: String?
  /// The location of the name.
  package var place: FileSpan

  package init(name: String, type: ValueType, isRequired: Bool = false, at place: FileSpan) {
    self.name = name
    self.type = type
    self.isRequired = isRequired
    self.place = place
  }

  /// The value of an input that is not set. Null if there is no `default`.
  package var defaultValue: JSON { defaultNode?.json ?? .null }

  package static let fields = Fields<InputDeclaration>(
    "an input",
    [
      Field(
        "type", .enumeration(ValueType.self), into: { $0.type = $1 }, default: "string", "type of the value"),
      Field(
        "default", .node, into: { $0.defaultNode = $1 }, "value if none is set; null by default"),
      Field("required", .bool, into: { $0.isRequired = $1 }, default: false, "whether a run must set a value"),
      Field("description", .string, into: { $0.description = $1 }, "description for readers"),
    ])

  /// Returns whether a value has the declared type. Null is valid for every type.
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

  /// Parses a command-line value, as in `--set top=3`. Empty text means null, except for strings.
  /// - Returns: The value, or nil if the text does not match the type.
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
      expecting: "a mapping from names to input declarations",
      schema: [
        "type": "object", "propertyNames": ["pattern": "^[A-Za-z0-9_-]+$"],
        "additionalProperties": InputDeclaration.fields.schema,
      ]
    ) { node, problems in
      guard node.kind == .mapping else {
        problems.mismatch(node, expected: "a mapping from names to input declarations")
        return nil
      }
      var inputs: OrderedDictionary<String, InputDeclaration> = [:]
      for (key, value) in node.entries {
        guard let name = problems.name(key, of: "input") else { continue }
        guard value.kind == .mapping else {
          problems.error(
            "wrong-type", "input `\(name)` requires a mapping, found \(value.typeName)",
            help: "write `\(name): {type: \(InputDeclaration.inferredType(of: value).rawValue), default: …}`", at: value
          )
          continue
        }
        var input = InputDeclaration(name: name, type: .string, at: key.place)
        if value["type"] == nil, let value = value["default"] { input.type = InputDeclaration.inferredType(of: value) }
        guard InputDeclaration.fields.read(value, into: &input, &problems) else { continue }
        if let value = input.defaultNode, !input.accepts(value.json) {
          problems.error(
            "input-default",
            "default of input `\(name)` is not of type \(input.type.rawValue), found \(value.typeName)",
            at: value)
        }
        if input.isRequired, let value = input.defaultNode {
          problems.warning(
            "input-default", "default of required input `\(name)` is never used",
            help: "remove `default` or `required`", at: value)
        }
        inputs[name] = input
      }
      return inputs
    }
  }
}

extension InputDeclaration {
  /// Returns the type of an input with this default value.
  fileprivate static func inferredType(of node: Node) -> ValueType {
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
  /// Returns the text of a key that must be a valid name, or nil after reporting that the name is invalid.
  mutating func name(_ key: Node, of owner: String) -> String? {
    let text = key.scalarText ?? ""
    if Template.isName(text) { return text }
    error(
      "invalid-name", "invalid \(owner) name `\(text)`", help: "use letters, digits, `_`, and `-`",
      at: key)
    return nil
  }
}
