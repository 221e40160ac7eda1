import Diagnostics
import Documents

/// A name that a step binds: `who: $.displayName`; of several addresses the first that is not null.
package struct Capture: Sendable {
  package var name: String
  package var addresses: [ValuePath]
  /// Where the name stands.
  package var place: FileSpan

  /// The value; null where nothing was found.
  /// - Throws: if a path exceeds the budget of its evaluation.
  package func value(_ knowledge: EvaluationContext, own: JSON?) throws(UnresolvedValue) -> JSON {
    for address in addresses {
      if let value = try knowledge.find(address, own: own).json, !value.isNull { return value }
    }
    return .null
  }
}

extension Codec where Value == [Capture] {
  static var captures: Self {
    let path: JSON = ["type": "string", "description": "a word, a step.word, or a JSONPath"]
    return Self(
      expecting: "a mapping from names to what they capture",
      schema: [
        "type": "object", "propertyNames": ["pattern": "^[A-Za-z0-9_-]+$"],
        "additionalProperties": ["anyOf": [path, ["type": "array", "items": path, "minItems": 1]]],
      ]
    ) { node, problems in
      guard node.kind == .mapping else {
        problems.mismatch(node, expected: "a mapping such as {who: $.displayName}")
        return nil
      }
      var captures: [Capture] = []
      for (key, value) in node.entries {
        if problems.tellSplitAtComma(key, value) { continue }
        guard let name = problems.name(key, of: "a capture"),
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
