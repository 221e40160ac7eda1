import Diagnostics
import Documents

/// One line of an `expect`, `when` or `assert`: what is looked at, and what it must be.
package struct Expectation: Sendable {
  package var address: ValuePath
  package var matcher: Matcher
  /// Where its key stands.
  package var place: FileSpan

  /// Looks and compares.
  package func judge(_ knowledge: EvaluationContext, own: JSON?) throws(UnresolvedValue) -> ExpectationResult {
    let found = try knowledge.find(address, own: own)
    let result = try matcher.evaluate(found, in: knowledge.scope)
    return ExpectationResult(subject: address.text, result: result, place: place)
  }
}

/// How one expectation came out.
package struct ExpectationResult: Sendable {
  /// What was looked at, as the workflow writes it.
  package var subject: String
  package var result: MatchResult
  package var place: FileSpan

  package init(subject: String, result: MatchResult, place: FileSpan) {
    self.subject = subject
    self.result = result
    self.place = place
  }

  package var holds: Bool { result.holds }

  /// `expected status to be 200, found 404`.
  package var words: String { "expected \(subject) to be \(result.expected), found \(result.actual)" }
}

extension Codec where Value == [Expectation] {
  /// A mapping from addresses to matchers.
  static var expectations: Self {
    Self(expecting: "a mapping from words or paths to what they must be", schema: ["$ref": "#/$defs/expectations"]) {
      node, problems in
      guard node.kind == .mapping else {
        problems.mismatch(node, expected: "a mapping from words or paths to what they must be")
        return nil
      }
      var expectations: [Expectation] = []
      for (key, value) in node.entries {
        expectations += Expectation.read(key: key, value: value, &problems)
      }
      return expectations
    }
  }
}

extension Expectation {
  static func read(key: Node, value: Node, _ problems: inout DiagnosticCollector) -> [Expectation] {
    let text = key.string ?? key.scalarText ?? ""
    if problems.tellSplitAtComma(key, value) { return [] }
    guard let address = ValuePath(text, at: key, &problems) else { return [] }
    return read(address, key, value, &problems)
  }

  /// Below a word that is a namespace, and where every key is a path, a mapping is read member by member.
  private static func read(
    _ address: ValuePath, _ key: Node, _ value: Node, _ problems: inout DiagnosticCollector
  ) -> [Expectation] {
    if value.kind == .mapping, value.count > 0, !Matcher.isTests(value),
      address.isNamespace || value.entries.allSatisfy({ $0.key.string?.hasPrefix("$") ?? false })
    {
      var expectations: [Expectation] = []
      for (innerKey, inner) in value.entries {
        let name = innerKey.string ?? innerKey.scalarText ?? ""
        guard let deeper = address.deeper(name, at: innerKey, &problems) else { continue }
        expectations += read(deeper, innerKey, inner, &problems)
      }
      return expectations
    }
    return [Expectation(address: address, matcher: Matcher(value, &problems), place: key.place)]
  }
}

extension ValuePath {
  fileprivate var isNamespace: Bool {
    guard let word, let known = ResultField(rawValue: word), known.isNamespace else { return false }
    let isInner = (known == .sent && member == "headers") || (known == .error && member == "userInfo")
    return turns.count == 1 || (turns.count == 2 && isInner)
  }
}
