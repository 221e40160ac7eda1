import Diagnostics
import Documents
import JSONPath
import OrderedCollections

/// An expression about the state of a run, for debuggers: `silent.outcome`, `silent.outcome == interactionRequired`,
/// `$.displayName`, `${who}`, or an expectation such as `silent.error.code: {startsWith: AADSTS}`.
package struct RunExpression: Sendable {
  package struct SyntaxError: Error, Hashable, Sendable {
    package var message: String

    package init(message: String) { self.message = message }
  }

  /// A comparison of two values.
  enum Comparison: String, CaseIterable, Sendable {
    case equal = "==", notEqual = "!=", atLeast = ">=", atMost = "<=", greater = ">", less = "<"
    case contains, startsWith, endsWith, matches
  }

  enum Operand: Sendable {
    case literal(JSON)
    case template(Template)
    case path(ValuePath)
  }

  indirect enum Form: Sendable {
    case value(Operand)
    case comparison(Operand, Comparison, Operand)
    case expectations([Expectation])
    case all([Form]), any([Form]), not(Form)
  }

  let form: Form
  /// The expression as written.
  package let text: String

  /// The maximum length of an expression in bytes.
  package static let maxLength = 4_096

  package init(parsing text: String) throws(SyntaxError) {
    guard text.utf8.count <= Self.maxLength else {
      throw SyntaxError(message: "expression longer than \(Self.maxLength) bytes")
    }
    self.text = text
    var parser = RunExpressionParser()
    form = try parser.parse(text[...])
  }

  /// Evaluates the expression.
  /// - Parameter own: The result of the step to which `$` and bare result fields refer, if any.
  /// - Throws: An error if a name is unknown, or if a value cannot be resolved.
  package func evaluate(_ context: EvaluationContext, own: JSON?) throws(UnresolvedValue) -> JSON {
    if case .value(let operand) = form {
      let value = try operand.find(context, own: own)
      if case .path(let address) = operand, value == .nothing { throw context.missing(address) }
      return value.json ?? .null
    }
    return .bool(try Self.holds(form, context, own))
  }

  /// Evaluates the expression as a condition. The condition does not hold for a missing value, null, or `false`.
  package func holds(_ context: EvaluationContext, own: JSON?) throws(UnresolvedValue) -> Bool {
    try Self.holds(form, context, own)
  }

  private static func holds(_ form: Form, _ context: EvaluationContext, _ own: JSON?) throws(UnresolvedValue) -> Bool {
    switch form {
    case .value(let operand):
      let value = try operand.find(context, own: own)
      return value.exists && value.json != .null && value.json != .bool(false)
    case .comparison(let left, let comparison, let right):
      let value = try left.find(context, own: own)
      return try comparison.holds(value, try right.comparand(context, own: own), context.scope)
    case .expectations(let expectations):
      for expectation in expectations where !(try expectation.evaluate(context, own: own).holds) { return false }
      return true
    case .all(let forms):
      for form in forms where !(try holds(form, context, own)) { return false }
      return true
    case .any(let forms):
      for form in forms where try holds(form, context, own) { return true }
      return false
    case .not(let form): return !(try holds(form, context, own))
    }
  }
}

extension RunExpression.Operand {
  fileprivate func find(_ context: EvaluationContext, own: JSON?) throws(UnresolvedValue) -> ValueLookup {
    switch self {
    case .literal(let value): return .value(value)
    case .template(let template): return .value(try template.resolved(in: context.scope))
    case .path(let address):
      let value = try context.find(address, own: own)
      guard value == .nothing, address.segments.isEmpty, case .named(let step) = address.subject else { return value }
      // A step ID without a field is the complete result of the step.
      return context.facts.facts(of: step, prefix: context.prefix).map { .value($0) } ?? .nothing
    }
  }

  /// Returns the value on the right side of a comparison. A word that is not the name of a value is a string.
  fileprivate func comparand(_ context: EvaluationContext, own: JSON?) throws(UnresolvedValue) -> JSON {
    if case .path(let address) = self, case .named(let step) = address.subject, address.segments.isEmpty {
      return context.scope.names[step.id] ?? .string(address.text)
    }
    let value = try find(context, own: own)
    if case .path(let address) = self, value == .nothing { return .string(address.text) }
    return value.json ?? .null
  }
}

extension RunExpression.Comparison {
  fileprivate func holds(_ value: ValueLookup, _ other: JSON, _ scope: ValueScope) throws(UnresolvedValue) -> Bool {
    func test(_ condition: Matcher.Condition) throws(UnresolvedValue) -> Bool {
      var matcher = Matcher(equals: .null, at: .file("<expression>"))
      matcher.conditions = [condition]
      return try matcher.evaluate(value, in: scope).holds
    }
    let tree = TemplateTree.value(other)
    switch self {
    case .equal: return try test(.equals(tree))
    case .notEqual: return try test(.notEquals(tree))
    case .greater: return try test(.greaterThan(tree))
    case .less: return try test(.lessThan(tree))
    case .atLeast:
      if try test(.greaterThan(tree)) { return true }
      return try test(.equals(tree))
    case .atMost:
      if try test(.lessThan(tree)) { return true }
      return try test(.equals(tree))
    case .contains: return try test(.contains(tree))
    case .startsWith: return try test(.startsWith(tree))
    case .endsWith: return try test(.endsWith(tree))
    case .matches: return try test(.matchesTemplate(tree))
    }
  }
}

extension EvaluationContext {
  /// Returns the error for an address without a value.
  fileprivate func missing(_ address: ValuePath) -> UnresolvedValue {
    let name: String
    switch address.subject {
    case .own: return UnresolvedValue("`\(address.text)` has no value here")
    case .named(let step): name = step.id
    }
    if facts.runs[prefix + name] != nil { return UnresolvedValue("`\(address.text)` has no value") }
    if stepIDs.contains(name) { return UnresolvedValue("step `\(name)` has not finished") }
    if scope.names[name] != nil { return UnresolvedValue("`\(address.text)` has no value") }
    let suggestion = Suggestion.nearest(to: name, among: stepIDs.sorted() + scope.names.keys)
    return UnresolvedValue(
      "unknown step, capture, or input `\(name)`", help: suggestion.map { "did you mean `\($0)`?" })
  }
}

extension ScriptedEvent {
  /// The source name for events that are entered in a debugger console.
  package static let consoleSource = "<event>"

  /// Parses events as in a `simulate` step: `offline`, `wait: 2h`, or a list.
  package static func parse(_ text: String) -> (events: [ScriptedEvent]?, diagnostics: [Diagnostic]) {
    let reading = DocumentReader.read(text, named: consoleSource, options: ReadingOptions(syntax: .yaml))
    guard let document = reading.document, !reading.diagnostics.hasErrors else { return (nil, reading.diagnostics) }
    var problems = DiagnosticCollector()
    let events = Codec<[ScriptedEvent]>.nonEmptyEvents.read(document.root, &problems)
    return (problems.diagnostics.hasErrors ? nil : events, problems.diagnostics)
  }
}
