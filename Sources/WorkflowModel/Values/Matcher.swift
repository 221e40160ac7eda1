import Diagnostics
import Documents
import JSONPath

/// An expected value, or a mapping of tests that must all hold.
package struct Matcher: Sendable {
  /// The keywords in a mapping of tests.
  package enum Test: String, Sendable, CaseIterable {
    case equals, notEquals, contains, startsWith, endsWith, matches, exists, type, count, greaterThan, lessThan, oneOf
    case not

    /// A one-line description.
    package var summary: String {
      switch self {
      case .equals: "equal to this value; 1 equals 1.0 but not \"1\""
      case .notEquals: "not equal to this value"
      case .contains: "a string that contains this string, or a list that contains this element"
      case .startsWith: "a string that starts with this string"
      case .endsWith: "a string that ends with this string"
      case .matches: "a string that this I-Regexp (RFC 9485) matches completely"
      case .exists: "whether a value exists"
      case .type: "type of the value: `string`, `number`, `integer`, `boolean`, `array`, `object`, or `null`"
      case .count: "number of elements, members, or characters"
      case .greaterThan: "greater than this number or duration, or a string that sorts after this one"
      case .lessThan: "less than this number or duration, or a string that sorts before this one"
      case .oneOf: "equal to one of these values"
      case .not: "not matched by this matcher"
      }
    }
  }

  indirect enum Condition: Sendable {
    case equals(TemplateTree), notEquals(TemplateTree), contains(TemplateTree), startsWith(TemplateTree)
    case endsWith(TemplateTree), greaterThan(TemplateTree), lessThan(TemplateTree), oneOf(TemplateTree)
    case matches(IRegexp, String), matchesTemplate(TemplateTree)
    case exists(Bool), type(String)
    case count(Matcher), not(Matcher)
  }

  var conditions: [Condition]
  package let place: FileSpan

  static let types = ["string", "number", "integer", "boolean", "array", "object", "null"]

  /// The expected value. Nil if there are conditions other than equality, or if the value contains `${…}`.
  package var constant: JSON? {
    guard conditions.count == 1, case .equals(.value(let value)) = conditions[0] else { return nil }
    return value
  }

  /// The expected value, or the elements of an expected list or of `oneOf`. Nil if there are other conditions, or if a
  /// value contains `${…}`.
  package var constants: [JSON]? {
    guard conditions.count == 1 else { return nil }
    switch conditions[0] {
    case .equals(.value(let value)): return [value]
    case .equals(.list(let trees)), .oneOf(.list(let trees)):
      let values = trees.compactMap { tree -> JSON? in
        if case .value(let value) = tree { value } else { nil }
      }
      return values.count == trees.count ? values : nil
    default: return nil
    }
  }

  /// Creates a matcher for a constant.
  package init(equals value: JSON, at place: FileSpan) {
    conditions = [.equals(.value(value))]
    self.place = place
  }

  /// Returns whether a node is a mapping of tests instead of a value.
  static func hasTests(_ node: Node) -> Bool {
    guard node.kind == .mapping, node.count > 0 else { return false }
    return node.entries.contains {
      Test(rawValue: $0.key.string ?? "") != nil || misspelledTest($0.key.string ?? "") != nil
    }
  }

  /// Returns the test whose keyword differs from the key only in case or separators, such as `starts_with`.
  private static func misspelledTest(_ key: String) -> Test? {
    let folded = key.lowercased().filter { $0 != "_" && $0 != "-" }
    return Test.allCases.first { $0.rawValue != key && $0.rawValue.lowercased() == folded }
  }

  init(_ node: Node, _ problems: inout DiagnosticCollector) {
    place = node.place
    guard Self.hasTests(node) else {
      conditions = [.equals(TemplateTree(node, &problems))]
      if node.kind == .mapping, node.count == 1, let (key, _) = node.entries.first(where: { _ in true }),
        let suggestion = Suggestion.nearest(to: key.string ?? "", among: Test.allCases.map(\.rawValue))
      {
        problems.warning(
          "matcher", "unknown matcher `\(key.string ?? "")`; the mapping is compared as a value",
          help: "did you mean `\(suggestion)`? If not, use `equals: {…}`", at: key)
      }
      return
    }
    conditions = []
    for (key, value) in node.entries {
      let name = key.scalarText ?? ""
      guard let test = Test(rawValue: name) else {
        if let intended = Self.misspelledTest(name) {
          problems.error(
            "matcher", "unknown matcher `\(name)`", help: "did you mean `\(intended.rawValue)`?", at: key)
        } else {
          problems.error(
            "matcher", "unknown matcher `\(name)`",
            help: "use only matchers, or compare with a mapping: `equals: {…}`", at: key)
        }
        continue
      }
      if let condition = Self.condition(test, value, &problems) { conditions.append(condition) }
    }
  }

  private static func condition(_ test: Test, _ node: Node, _ problems: inout DiagnosticCollector) -> Condition? {
    switch test {
    case .equals: return .equals(TemplateTree(node, &problems))
    case .notEquals: return .notEquals(TemplateTree(node, &problems))
    case .contains: return .contains(TemplateTree(node, &problems))
    case .startsWith: return text(node, &problems).map { .startsWith($0) }
    case .endsWith: return text(node, &problems).map { .endsWith($0) }
    case .greaterThan: return comparable(node, &problems).map { .greaterThan($0) }
    case .lessThan: return comparable(node, &problems).map { .lessThan($0) }
    case .oneOf:
      guard node.kind == .array || (node.string.map(Template.isTemplate) ?? false) else {
        problems.mismatch(node, expected: "a list of values")
        return nil
      }
      return .oneOf(TemplateTree(node, &problems))
    case .exists: return Codec<Bool>.bool.read(node, &problems).map { .exists($0) }
    case .type: return Codec<String>.oneOf(types).read(node, &problems).map { .type($0) }
    case .count: return .count(Matcher(node, &problems))
    case .not: return .not(Matcher(node, &problems))
    case .matches:
      guard let pattern = node.string else {
        problems.mismatch(node, expected: "a string with an I-Regexp")
        return nil
      }
      if Template.isTemplate(pattern) { return .matchesTemplate(TemplateTree(node, &problems)) }
      do {
        return .matches(try IRegexp(parsing: pattern), pattern)
      } catch {
        problems.add(
          Diagnostic(
            .error, rule: "i-regexp", "invalid I-Regexp `\(pattern)`: \(error.message)",
            help: "use an I-Regexp (RFC 9485) that matches the complete string, such as `[0-9]+`",
            at: node.place(of: pattern, offset: error.offset)))
        return nil
      }
    }
  }

  private static func text(_ node: Node, _ problems: inout DiagnosticCollector) -> TemplateTree? {
    guard node.kind == .string else {
      problems.mismatch(node, expected: "a string")
      return nil
    }
    return TemplateTree(node, &problems)
  }

  private static func comparable(_ node: Node, _ problems: inout DiagnosticCollector) -> TemplateTree? {
    guard node.kind == .string || node.kind == .integer || node.kind == .real || node.kind == .date else {
      problems.mismatch(node, expected: "a number, a duration, or a string")
      return nil
    }
    return TemplateTree(node, &problems)
  }

  /// The JSON Schema of a matcher, `#/$defs/matcher`.
  static var schema: JSON {
    var properties: JSON = [:]
    for test in Test.allCases {
      var schema: JSON =
        switch test {
        case .equals, .notEquals, .contains: [:]
        case .startsWith, .endsWith, .matches: ["type": "string"]
        case .exists: ["type": "boolean"]
        case .type: ["enum": .array(types.map { .string($0) })]
        case .count, .not: ["$ref": "#/$defs/matcher"]
        case .greaterThan, .lessThan: ["type": ["number", "string"]]
        case .oneOf: ["type": ["array", "string"]]
        }
      schema["description"] = .string(test.summary)
      properties[test.rawValue] = schema
    }
    return [
      "description": "expected value, or a mapping of tests that must all hold",
      "anyOf": [
        ["type": "object", "properties": properties],
        ["type": ["string", "number", "boolean", "null", "array"]],
      ],
    ]
  }
}

/// The result of evaluating a matcher, with text for a message.
package struct MatchResult: Hashable, Sendable {
  package var holds: Bool
  /// The text after "expected … to be".
  package var expected: String
  /// The text after "found".
  package var actual: String

  package init(holds: Bool, expected: String, actual: String) {
    self.holds = holds
    self.expected = expected
    self.actual = actual
  }
}
