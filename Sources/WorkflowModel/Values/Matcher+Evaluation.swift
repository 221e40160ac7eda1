import Documents
import JSONPath
import OrderedCollections

extension Matcher {
  /// Compares a value with the matcher.
  /// - Throws: An error if a `${…}` in the matcher cannot be resolved.
  package func evaluate(_ lookup: ValueLookup, in scope: ValueScope) throws(UnresolvedValue) -> MatchResult {
    var expected: [String] = []
    var holds = true
    for condition in conditions {
      let (conditionHolds, description) = try Self.evaluate(condition, lookup, scope)
      holds = holds && conditionHolds
      expected.append(description)
    }
    return MatchResult(
      holds: holds, expected: expected.isEmpty ? "anything" : expected.joined(separator: ", and "),
      actual: Self.show(lookup))
  }

  /// Evaluates a condition.
  /// - Returns: Whether the condition holds, and a description of the expected value.
  private static func evaluate(
    _ condition: Condition, _ lookup: ValueLookup, _ scope: ValueScope
  ) throws(UnresolvedValue) -> (holds: Bool, description: String) {
    // A missing value is null, as in captures. Only `exists` and `type` distinguish between the two.
    let value = lookup.json ?? .null
    switch condition {
    case .equals(let tree):
      let expected = try tree.resolved(in: scope) ?? .null
      return (value == expected, show(expected))
    case .notEquals(let tree):
      let excluded = try tree.resolved(in: scope) ?? .null
      return (value != excluded, "anything but \(show(excluded))")
    case .contains(let tree):
      let part = try tree.resolved(in: scope) ?? .null
      return (contains(value, part), "a value that contains \(show(part))")
    case .startsWith(let tree):
      let prefix = try tree.resolved(in: scope)?.string ?? ""
      let holds = value.string?.utf8.starts(with: prefix.utf8) ?? false
      return (holds, "a string that starts with \(show(.string(prefix)))")
    case .endsWith(let tree):
      let suffix = try tree.resolved(in: scope)?.string ?? ""
      let holds = value.string?.utf8.reversed().starts(with: suffix.utf8.reversed()) ?? false
      return (holds, "a string that ends with \(show(.string(suffix)))")
    case .greaterThan(let tree):
      let bound = try tree.resolved(in: scope) ?? .null
      return (isLess(bound, than: value), "greater than \(show(bound))")
    case .lessThan(let tree):
      let bound = try tree.resolved(in: scope) ?? .null
      return (isLess(value, than: bound), "less than \(show(bound))")
    case .oneOf(let tree):
      let choices = try tree.resolved(in: scope)?.array ?? []
      return (choices.contains(value), "one of \(choices.map(show).joined(separator: ", "))")
    case .matches(let pattern, let text):
      return (try matches(value, pattern), "a string that matches \(show(.string(text)))")
    case .matchesTemplate(let tree):
      let text = try tree.resolved(in: scope)?.string ?? ""
      guard let pattern = try? IRegexp(parsing: text) else {
        throw UnresolvedValue("invalid I-Regexp \(show(.string(text)))")
      }
      return (try matches(value, pattern), "a string that matches \(show(.string(text)))")
    case .exists(let isExpected):
      return (lookup.exists == isExpected, isExpected ? "present" : "absent")
    case .type(let name):
      let hasType = name == "integer" ? value.integer != nil : value.typeName == name && lookup != .nothing
      return (hasType, withArticle(name))
    case .count(let matcher):
      let count: ValueLookup = count(of: value).map { .value(.integer(Int64($0))) } ?? .nothing
      let result = try matcher.evaluate(count, in: scope)
      return (count != .nothing && result.holds, "a value with a count of \(result.expected)")
    case .not(let matcher):
      let result = try matcher.evaluate(lookup, in: scope)
      return (!result.holds, "not \(result.expected)")
    }
  }

  private static func matches(_ value: JSON, _ pattern: IRegexp) throws(UnresolvedValue) -> Bool {
    guard let text = value.string else { return false }
    do throws(QueryFailure) {
      return try pattern.matches(text)
    } catch {
      throw UnresolvedValue(
        "matching a string of \(text.utf8.count) bytes with \(show(.string(pattern.text))) takes too many steps",
        help: "use smaller numbers in `{n,m}`, or compare only part of the string")
    }
  }

  private static func contains(_ value: JSON, _ part: JSON) -> Bool {
    switch value {
    case .string(let text): part.string.map { $0.isEmpty || text.contains($0) } ?? false
    case .array(let elements): elements.contains(part)
    case .object(let members): part.string.map { members[$0] != nil } ?? false
    default: false
    }
  }

  private static func count(of value: JSON) -> Int? {
    switch value {
    case .array(let elements): elements.count
    case .object(let members): members.count
    case .string(let text): text.count
    default: nil
    }
  }

  /// Compares numbers by value and strings by code points. A duration can also be compared with a number of seconds.
  private static func isLess(_ left: JSON, than right: JSON) -> Bool {
    if case .integer(let left) = left, case .integer(let right) = right { return left < right }
    if let left = left.string, let right = right.string {
      if let left = DurationText.parse(left), let right = DurationText.parse(right) { return left < right }
      return left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
    }
    if let left = seconds(left), let right = seconds(right) { return left < right }
    return false
  }

  private static func seconds(_ value: JSON) -> Double? {
    value.number ?? value.string.flatMap { DurationText.parse($0) }.map(DurationText.seconds)
  }

  private static func withArticle(_ type: String) -> String {
    switch type {
    case "integer", "array", "object": "an \(type)"
    case "null": "null"
    default: "a \(type)"
    }
  }

  private static func show(_ lookup: ValueLookup) -> String {
    lookup.json.map(show) ?? "nothing"
  }

  /// Returns the value as JSON, truncated if it is long.
  static func show(_ value: JSON) -> String {
    let text = value.text()
    return text.count > 200 ? "\(text.prefix(199))…" : text
  }
}
