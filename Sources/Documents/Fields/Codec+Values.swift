import Diagnostics
import OrderedCollections

extension Codec where Value == String {
  /// Any string.
  package static var string: Self {
    Self(expecting: "a string", schema: ["type": "string"], accepting: \.string)
  }

  /// A string with at least one character that is not whitespace.
  package static var nonEmptyString: Self {
    Self(expecting: "a non-empty string", schema: ["type": "string", "minLength": 1]) { node, problems in
      guard let text = node.string else {
        problems.mismatch(node, expected: "a string")
        return nil
      }
      guard text.contains(where: { !$0.isWhitespace }) else {
        problems.error("empty-value", "empty string", at: node)
        return nil
      }
      return text
    }
  }

  /// Returns a codec for one of the given strings. For any other value, the codec suggests the most similar string.
  package static func oneOf(_ words: [String]) -> Self {
    Self(
      expecting: "one of \(words.map { "`\($0)`" }.joined(separator: ", "))",
      schema: ["type": "string", "enum": .array(words.map { .string($0) })]
    ) { node, problems in
      guard let text = node.string else {
        problems.mismatch(node, expected: "one of \(words.map { "`\($0)`" }.joined(separator: ", "))")
        return nil
      }
      if words.contains(text) { return text }
      if problems.reportRenamed(text, among: words, at: node) { return nil }
      problems.error(
        "unknown-value", "unknown value `\(text)`",
        help: Suggestion.nearest(to: text, among: words).map { "did you mean `\($0)`?" }
          ?? "use one of \(words.map { "`\($0)`" }.joined(separator: ", "))", at: node)
      return nil
    }
  }
}

extension Codec where Value == Bool {
  package static var bool: Self {
    Self(expecting: "a boolean", schema: ["type": "boolean"], accepting: \.bool)
  }
}

extension Codec where Value == Int {
  package static var integer: Self { integer(in: Int(Int32.min)...Int(Int32.max)) }

  package static func integer(in range: ClosedRange<Int>) -> Self {
    Self(
      expecting: "an integer",
      schema: [
        "type": "integer", "minimum": .integer(Int64(range.lowerBound)), "maximum": .integer(Int64(range.upperBound)),
      ]
    ) { node, problems in
      guard let number = node.integer else {
        problems.mismatch(node, expected: "an integer")
        return nil
      }
      guard let value = Int(exactly: number), range.contains(value) else {
        problems.error(
          "out-of-range", "`\(number)` is not in the range \(range.lowerBound) to \(range.upperBound)", at: node)
        return nil
      }
      return value
    }
  }
}

extension Codec where Value == Double {
  package static var number: Self {
    Self(expecting: "a number", schema: ["type": "number"], accepting: \.number)
  }
}

extension Codec where Value == JSON {
  /// Any value, without its location.
  package static var any: Self { Self(expecting: "a value", schema: true, accepting: { $0.json }) }
}

extension Codec where Value == Node {
  /// Any value, as a node that is decoded later.
  package static var node: Self { Self(expecting: "a value", schema: true, accepting: { $0 }) }
}

extension Codec {
  /// Returns a codec for an enumeration's raw values.
  package static func enumeration(_ type: Value.Type = Value.self) -> Self
  where Value: CaseIterable & RawRepresentable<String> {
    let words = Value.allCases.map(\.rawValue)
    let strings = Codec<String>.oneOf(words)
    return Self(expecting: strings.expectation, schema: strings.schema()) { node, problems in
      strings.read(node, &problems).flatMap(Value.init(rawValue:))
    }
  }

  /// Returns a codec for a list. The codec reports elements that it cannot decode, and skips them.
  package static func list<Element>(of element: Codec<Element>) -> Self where Value == [Element] {
    Self(
      expecting: "a list", schema: ["type": "array", "items": element.schema()]
    ) { node, problems in
      guard node.kind == .array else {
        problems.mismatch(node, expected: "a list")
        return nil
      }
      var values: [Element] = []
      for child in node.elements {
        if let value = element.read(child, &problems) { values.append(value) }
      }
      return values
    }
  }

  /// Returns a codec for a list, or for a single element instead of a list with one element.
  package static func listOrOne<Element>(of element: Codec<Element>) -> Self where Value == [Element] {
    let list = Codec<[Element]>.list(of: element)
    return Self(
      expecting: "\(element.expectation) or a list", schema: ["anyOf": [element.schema(), list.schema()]]
    ) { node, problems in
      if node.kind == .array { return list.read(node, &problems) }
      return element.read(node, &problems).map { [$0] }
    }
  }

  /// Returns a codec for a mapping from names to values, in document order.
  package static func map<Element>(of element: Codec<Element>) -> Self
  where Value == OrderedDictionary<String, Element> {
    Self(
      expecting: "a mapping", schema: ["type": "object", "additionalProperties": element.schema()]
    ) { node, problems in
      guard node.kind == .mapping else {
        problems.mismatch(node, expected: "a mapping")
        return nil
      }
      var values: OrderedDictionary<String, Element> = [:]
      for (key, child) in node.entries {
        guard let name = key.string, values[name] == nil, let value = element.read(child, &problems) else { continue }
        values[name] = value
      }
      return values
    }
  }

  /// Returns a codec for a mapping with declared keys.
  package static func record(_ fields: Fields<Value>, empty: Value) -> Self {
    Self(expecting: "a mapping", schema: fields.schema) { node, problems in
      var value = empty
      return fields.read(node, into: &value, &problems) ? value : nil
    }
  }

  /// Returns a codec with a name. The schema refers to the named definition under `$defs`, so the definition can be
  /// recursive.
  package static func reference(_ definition: String, _ codec: @escaping @autoclosure @Sendable () -> Self) -> Self {
    Self(expecting: "a \(definition)", schema: ["$ref": .string("#/$defs/\(definition)")]) { node, problems in
      codec().read(node, &problems)
    }
  }
}
