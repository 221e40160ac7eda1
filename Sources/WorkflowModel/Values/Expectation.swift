import Diagnostics
import Documents

/// An entry in `expect`, `when`, or `assert`, which is a matcher for the value at an address.
package struct Expectation: Sendable {
  package var address: ValuePath
  package var matcher: Matcher
  /// The location of the key.
  package var place: FileSpan

  /// Looks up the value and evaluates the matcher.
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

  /// A failure message, such as `expected status to be 200, found 404`.
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
  /// Reads an entry. A mapping can contain several expectations, as in `error: {code: …, oauth: …}`.
  static func read(key: Node, value: Node, _ problems: inout DiagnosticCollector) -> [Expectation] {
    let text = key.scalarText ?? ""
    if problems.reportSplitAtComma(key, value) { return [] }
    guard let address = ValuePath(text, at: key, &problems) else { return [] }
    return read(address, key, value, &problems)
  }

  /// Reads the members of a mapping as separate expectations if the address is a namespace, or if all keys are paths.
  private static func read(
    _ address: ValuePath, _ key: Node, _ value: Node, _ problems: inout DiagnosticCollector
  ) -> [Expectation] {
    if value.kind == .mapping, value.count > 0, !Matcher.hasTests(value),
      address.isNamespace || value.entries.allSatisfy({ $0.key.string?.hasPrefix("$") ?? false })
    {
      var expectations: [Expectation] = []
      for (memberKey, member) in value.entries {
        let name = memberKey.scalarText ?? ""
        guard let memberAddress = address.appending(name, at: memberKey, &problems) else { continue }
        expectations += read(memberAddress, memberKey, member, &problems)
      }
      return expectations
    }
    return [Expectation(address: address, matcher: Matcher(value, &problems), place: key.place)]
  }
}

extension ValuePath {
  /// Whether the address is a result field, or a member of a result field, whose members have separate expectations.
  fileprivate var isNamespace: Bool {
    guard let field = field.flatMap(ResultField.init), field.isNamespace else { return false }
    let isNestedNamespace = (field == .sent && member == "headers") || (field == .error && member == "userInfo")
    return segments.count == 1 || (segments.count == 2 && isNestedNamespace)
  }
}
