import Diagnostics
import Documents

/// A variable that a step captures, such as `who: $.displayName`. If there are several addresses, the variable has the
/// first value that is not null.
package struct Capture: Sendable {
  package var name: String
  package var addresses: [ValuePath]
  /// The location of the name.
  package var place: FileSpan

  /// Returns the value, or null if no address has a value.
  /// - Parameter own: The result of the step that captures the variable.
  /// - Throws: An error if the evaluation of a JSONPath exceeds its limits.
  package func value(_ context: EvaluationContext, own: JSON?) throws(UnresolvedValue) -> JSON {
    for address in addresses {
      if let value = try context.find(address, own: own).json, !value.isNull { return value }
    }
    return .null
  }
}

extension Codec where Value == [Capture] {
  static var captures: Self {
    let path: JSON = ["type": "string", "description": "a result field, `step.field`, or a JSONPath"]
    return Self(
      expecting: "a mapping from variables to paths",
      schema: [
        "type": "object", "propertyNames": ["pattern": "^[A-Za-z0-9_-]+$"],
        "additionalProperties": ["anyOf": [path, ["type": "array", "items": path, "minItems": 1]]],
      ]
    ) { node, problems in
      guard node.kind == .mapping else {
        problems.mismatch(node, expected: "a mapping from variables to paths, such as `{who: $.displayName}`")
        return nil
      }
      var captures: [Capture] = []
      for (key, value) in node.entries {
        if problems.reportSplitAtComma(key, value) { continue }
        guard let name = problems.name(key, of: "variable"),
          let paths = Codec<[Node]>.listOrOne(of: .node).read(value, &problems)
        else { continue }
        var addresses: [ValuePath] = []
        for path in paths {
          guard let text = Codec<String>.string.read(path, &problems) else { continue }
          if let address = ValuePath(text, at: path, &problems) { addresses.append(address) }
        }
        captures.append(Capture(name: name, addresses: addresses, place: key.place))
      }
      return captures
    }
  }
}
