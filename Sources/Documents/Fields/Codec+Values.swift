import Diagnostics
import OrderedCollections

extension Codec where Value == String {
  /// Any string.
  package static var string: Self {
    Self(expecting: "a string", schema: ["type": "string"], accepting: \.string)
  }

  /// A string that holds more than white space.
  package static var nonEmptyString: Self {
    Self(expecting: "a string that is not empty", schema: ["type": "string", "minLength": 1]) { node, problems in
      guard let text = node.string else {
        problems.mismatch(node, expected: "a string")
        return nil
      }
      guard text.contains(where: { !$0.isWhitespace }) else {
        problems.error("empty-value", "a value is needed here, the string is empty", at: node)
        return nil
      }
      return text
    }
  }

  /// One of a few words, with a did-you-mean.
  package static func oneOf(_ words: [String]) -> Self {
    Self(
      expecting: "one of \(words.joined(separator: ", "))",
      schema: ["type": "string", "enum": .array(words.map { .string($0) })]
    ) { node, problems in
      guard let text = node.string else {
        problems.mismatch(node, expected: "one of \(words.joined(separator: ", "))")
        return nil
      }
      if words.contains(text) { return text }
      if problems.reportRenamed(text, among: words, at: node) { return nil }
      let meant = Suggestion.nearest(to: text, among: words)
      problems.error(
        "unknown-value", "\"\(text)\" is not one of \(words.joined(separator: ", "))",
        help: meant.map { "did you mean \"\($0)\"?" }, at: node)
      return nil
    }
  }
}

extension Codec where Value == Bool {
  package static var bool: Self {
    Self(expecting: "true or false", schema: ["type": "boolean"], accepting: \.bool)
  }
}

extension Codec where Value == Int {
  package static var integer: Self { integer(in: Int(Int32.min)...Int(Int32.max)) }

  package static func integer(in range: ClosedRange<Int>) -> Self {
    Self(
      expecting: "a whole number",
      schema: [
        "type": "integer", "minimum": .integer(Int64(range.lowerBound)), "maximum": .integer(Int64(range.upperBound)),
      ]
    ) { node, problems in
      guard let number = node.integer else {
        problems.mismatch(node, expected: "a whole number")
        return nil
      }
      guard let value = Int(exactly: number), range.contains(value) else {
        problems.error(
          "out-of-range", "\(number) is not between \(range.lowerBound) and \(range.upperBound)", at: node)
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
  /// Anything at all, without its places.
  package static var any: Self { Self(expecting: "a value", schema: true, accepting: { $0.json }) }
}

extension Codec where Value == Node {
  /// Anything at all, kept with its places for a later reader.
  package static var node: Self { Self(expecting: "a value", schema: true, accepting: { $0 }) }
}

extension Codec {
  /// One of an enumeration's raw values.
  package static func enumeration(_ type: Value.Type = Value.self) -> Self
  where Value: CaseIterable & RawRepresentable<String> {
    let words = Value.allCases.map(\.rawValue)
    let strings = Codec<String>.oneOf(words)
    return Self(expecting: strings.expectation, schema: strings.schema()) { node, problems in
      strings.read(node, &problems).flatMap(Value.init(rawValue:))
    }
  }

  /// A list; elements that cannot be read are told and left out.
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

  /// A list, or one element standing for a list of one.
  package static func listOrOne<Element>(of element: Codec<Element>) -> Self where Value == [Element] {
    let list = Codec<[Element]>.list(of: element)
    return Self(
      expecting: "\(element.expectation) or a list", schema: ["anyOf": [element.schema(), list.schema()]]
    ) { node, problems in
      if node.kind == .array { return list.read(node, &problems) }
      return element.read(node, &problems).map { [$0] }
    }
  }

  /// A mapping from names to values, in the order of the document.
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

  /// A mapping whose keys are declared.
  package static func record(_ fields: Fields<Value>, empty: Value) -> Self {
    Self(expecting: "a mapping", schema: fields.schema) { node, problems in
      var value = empty
      return fields.read(node, into: &value, &problems) ? value : nil
    }
  }

  /// A codec that is named where it is used and described once under `$defs`, so that it may contain itself.
  package static func reference(_ definition: String, _ codec: @escaping @autoclosure @Sendable () -> Self) -> Self {
    Self(expecting: "a \(definition)", schema: ["$ref": .string("#/$defs/\(definition)")]) { node, problems in
      codec().read(node, &problems)
    }
  }
}
