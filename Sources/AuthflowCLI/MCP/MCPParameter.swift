import Diagnostics
import Documents
import EditorProtocols
import OrderedCollections

/// An argument of a tool, from which the tool's input schema is generated.
struct MCPParameter: Sendable {
  enum Kind: Sendable {
    case text(limit: Int)
    case bool
    case number(ClosedRange<Int>)
    case choice([String])
    /// A list of strings.
    case texts
    /// An object whose values are strings, numbers, or Booleans.
    case values
  }

  let name: String
  let kind: Kind
  let description: String
  var isRequired = false

  static func path(_ description: String, isRequired: Bool = true) -> MCPParameter {
    MCPParameter(name: "path", kind: .text(limit: 4096), description: description, isRequired: isRequired)
  }

  var schema: JSON {
    var schema: JSON =
      switch kind {
      case .text(let limit): ["type": "string", "minLength": 1, "maxLength": .integer(Int64(limit))]
      case .bool: ["type": "boolean"]
      case .number(let range):
        [
          "type": "integer", "minimum": .integer(Int64(range.lowerBound)),
          "maximum": .integer(Int64(range.upperBound)),
        ]
      case .choice(let values): ["type": "string", "enum": .array(values.map { .string($0) })]
      case .texts: ["type": "array", "items": ["type": "string", "minLength": 1]]
      case .values: ["type": "object", "additionalProperties": ["type": ["string", "number", "boolean"]]]
      }
    schema["description"] = .string(description)
    return schema
  }

  /// Returns the description of the expected value if a value is not valid, or nil if it is.
  private func expectation(for value: JSON) -> String? {
    switch kind {
    case .text(let limit):
      guard let text = value.string else { return "a string" }
      if text.isEmpty { return "a string that is not empty" }
      return text.utf8.count > limit ? "a string of at most \(limit) bytes" : nil
    case .bool: return value.bool == nil ? "`true` or `false`" : nil
    case .number(let range):
      let isValid = value.integer.map { range.contains(Int($0)) } ?? false
      return isValid ? nil : "an integer from \(range.lowerBound) to \(range.upperBound)"
    case .choice(let values):
      return value.string.map(values.contains) == true ? nil : "one of \(values.joined(separator: ", "))"
    case .texts:
      let isValid = value.array?.allSatisfy { $0.string?.isEmpty == false } ?? false
      return isValid ? nil : "an array of strings"
    case .values:
      let isValid = value.object?.values.allSatisfy { $0.string != nil || $0.number != nil || $0.bool != nil } ?? false
      return isValid ? nil : "an object whose values are strings, numbers, or Booleans"
    }
  }

  /// Checks the arguments of a tool call.
  /// - Throws: `.invalidParams` with the name of the argument and the fix.
  static func check(_ arguments: JSON, of tool: String, _ parameters: [MCPParameter]) throws(MCPError) {
    guard let members = arguments.object else {
      throw .invalidParams("`arguments` of `\(tool)` must be an object, not \(arguments.typeName)")
    }
    let names = parameters.map(\.name)
    for (name, value) in members {
      guard let parameter = parameters.first(where: { $0.name == name }) else {
        let shown = CaretFrame.visible(String(name.prefix(80)))
        let help =
          Suggestion.nearest(to: name, among: names).map { "did you mean `\($0)`?" }
          ?? "use \(names.map { "`\($0)`" }.joined(separator: ", "))"
        throw .invalidParams("unknown argument `\(shown)` of `\(tool)`; \(help)")
      }
      if let expectation = parameter.expectation(for: value) {
        throw .invalidParams("argument `\(name)` of `\(tool)` must be \(expectation), not \(shown(value))")
      }
    }
    if let missing = parameters.first(where: { $0.isRequired && members[$0.name] == nil }) {
      throw .invalidParams("missing argument `\(missing.name)` of `\(tool)`: \(missing.description)")
    }
  }

  private static func shown(_ value: JSON) -> String {
    let text = value.text()
    return text.utf8.count <= 80 ? "`\(CaretFrame.visible(text))`" : value.typeName
  }
}
