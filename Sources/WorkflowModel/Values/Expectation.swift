import Diagnostics
import Documents

/// An entry of `expect`, `when`, or `assert`: the address of a value and a matcher.
package struct Expectation: Sendable {
  package var address: ValuePath
  package var matcher: Matcher
  /// The location of its key.
  package var place: FileSpan

  /// Looks up the value and compares it.
  /// - Parameter own: The result of the step that contains the expectation, if any.
  package func evaluate(_ context: EvaluationContext, own: JSON?) throws(UnresolvedValue) -> ExpectationResult {
    let value = try context.find(address, own: own)
    let result = try matcher.evaluate(value, in: context.scope)
    return ExpectationResult(subject: address.text, result: result, place: place)
  }
}

/// The result of evaluating an expectation.
package struct ExpectationResult: Sendable {
  /// The address as written in the workflow.
  package var subject: String
  package var result: MatchResult
  package var place: FileSpan

  package init(subject: String, result: MatchResult, place: FileSpan) {
    self.subject = subject
    self.result = result
    self.place = place
  }

  package var holds: Bool { result.holds }

  /// A failure message: `expected status to be 200, found 404`.
  package var message: String { "expected \(subject) to be \(result.expected), found \(result.actual)" }
}

extension Codec where Value == [Expectation] {
  /// A mapping from addresses to matchers.
  static var expectations: Self {
    Self(expecting: "a mapping from result fields or paths to matchers", schema: ["$ref": "#/$defs/expectations"]) {
      node, problems in
      guard node.kind == .mapping else {
        problems.mismatch(node, expected: "a mapping from result fields or paths to matchers")
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
    if problems.reportSplitAtComma(key, value) { return [] }
    guard let address = ValuePath(text, at: key, &problems) else { return [] }
    return read(address, key, value, &problems)
  }

  /// Reads a mapping member by member if the address is a namespace, or if all keys are paths.
  private static func read(
    _ address: ValuePath, _ key: Node, _ value: Node, _ problems: inout DiagnosticCollector
  ) -> [Expectation] {
    if value.kind == .mapping, value.count > 0, !Matcher.isTests(value),
      address.isNamespace || value.entries.allSatisfy({ $0.key.string?.hasPrefix("$") ?? false })
    {
      var expectations: [Expectation] = []
      for (innerKey, inner) in value.entries {
        let name = innerKey.string ?? innerKey.scalarText ?? ""
        guard let deeper = address.appending(name, at: innerKey, &problems) else { continue }
        expectations += read(deeper, innerKey, inner, &problems)
      }
      return expectations
    }
    return [Expectation(address: address, matcher: Matcher(value, &problems), place: key.place)]
  }
}

extension ValuePath {
  fileprivate var isNamespace: Bool {
    guard let field, let known = ResultField(rawValue: field), known.isNamespace else { return false }
    let isInner = (known == .sent && member == "headers") || (known == .error && member == "userInfo")
    return segments.count == 1 || (segments.count == 2 && isInner)
  }
}
