import Diagnostics
import Documents
import OrderedCollections

extension WorkflowCheck {
  /// Unknown result fields and steps in `expect`, `capture`, `when`, and `assert`.
  static let unknownResultField = WorkflowCheck(
    "unknown-word", .error, "unknown step or result field"
  ) { checked in
    let check = ResultFieldCheck(checked.workflow)
    return checked.everyStep.flatMap { step in
      var found = step.expect.compactMap { check.checkInStep($0.address, values: $0.matcher, step) }
      found += step.capture.flatMap { $0.addresses.compactMap { check.checkInStep($0, values: nil, step) } }
      if case .holds(let expectations) = step.when {
        found += expectations.compactMap { check.checkOutsideStep($0, in: "when") }
      }
      if case .assert(let expectations) = step.action {
        found += expectations.compactMap { check.checkOutsideStep($0, in: "assert") }
      }
      return found
    }
  }
}

/// Checks the addresses of a workflow: steps, result fields, and expected values. The lookup tables are shared.
final class ResultFieldCheck {
  let ids: Set<String>
  let names: Set<String>
  /// The steps of both lists by ID, without and with the members of `parallel`.
  private let own: [String: (step: Step, isFinally: Bool)]
  private let steps: [String: Step]
  /// The checks of nested workflows by the ID of the `use` step, created on demand.
  private var used: [String: ResultFieldCheck] = [:]
  private let fieldGuess = NameGuess(ResultField.allCases.map(\.rawValue))
  /// Suggestions for unknown step IDs.
  private(set) lazy var stepGuess = NameGuess(ids.sorted())

  init(_ workflow: Workflow) {
    ids = workflow.stepIDs
    own = workflow.ownSteps
    let steps = (workflow.steps + workflow.finally).flatMap(\.withMembers)
    self.steps = Dictionary(steps.map { ($0.id, $0) }) { first, _ in first }
    names = Set(workflow.inputs.keys).union(steps.flatMap(\.capturedNames))
  }

  /// Checks an address in `expect` and `capture`: a field of the step itself, or `step.field`.
  func checkInStep(_ address: ValuePath, values matcher: Matcher?, _ step: Step) -> Diagnostic? {
    if case .named(let named) = address.subject, address.field == nil, !names.contains(named.id) {
      return .unknownResultField(
        "unknown result field `\(address.text)`",
        suggestion: fieldGuess.nearest(to: address.text) ?? (step.kind.has("$") ? "$.\(address.text)" : nil),
        fieldGuess.list, at: address.place)
    }
    if case .own = address.subject, let field = address.field,
      let diagnostic = unavailable(field, of: step, at: address.place)
    {
      return diagnostic
    }
    return check(address, matcher)
  }

  /// A diagnostic if steps of this type never have the field.
  private func unavailable(_ field: String, of step: Step, at place: FileSpan) -> Diagnostic? {
    guard field == "$" || ResultField(rawValue: field) != nil, !step.kind.has(field) else { return nil }
    return Diagnostic(
      .error, rule: WorkflowCheck.unknownResultField.id, "`\(step.spelling)` has no result field `\(field)`",
      help: "use one of \(step.kind.allFields.map { "`\($0)`" }.joined(separator: ", "))", at: place)
  }

  /// The step with an ID, which can be a member of `parallel` or inside a nested workflow.
  private func step(_ id: String) -> Step? {
    if let step = steps[id] { return step }
    guard let slash = id.firstIndex(of: "/"), let outer = steps[String(id[..<slash])] else { return nil }
    return usedWorkflowCheck(outer)?.step(String(id[id.index(after: slash)...]))
  }

  /// The check of the workflow that a step uses, or nil for other steps.
  private func usedWorkflowCheck(_ step: Step) -> ResultFieldCheck? {
    guard case .use(let use) = step.action, let workflow = use.workflow else { return nil }
    if let known = used[step.id] { return known }
    let check = ResultFieldCheck(workflow)
    used[step.id] = check
    return check
  }

  /// Checks an expectation in `when` and `assert`: `step.field`, or a capture or an input.
  func checkOutsideStep(_ expectation: Expectation, in key: String) -> Diagnostic? {
    if case .own = expectation.address.subject {
      // A capture can have the name of a field.
      if let field = expectation.address.field, names.contains(field) { return nil }
      return Diagnostic(
        .error, rule: WorkflowCheck.unknownResultField.id, "`\(expectation.address.text)` does not name a step",
        help: "use `step.field` in `\(key)`, such as `silent.\(expectation.address.text)`", at: expectation.place)
    }
    return check(expectation.address, expectation.matcher)
  }

  /// Checks that the step, the field, and its member exist, and that the expected value is possible.
  func check(_ address: ValuePath, _ matcher: Matcher?) -> Diagnostic? {
    if case .named(let step) = address.subject {
      guard let field = address.field else { return nil }
      guard exists(step.id) else {
        // A name with a path can be a capture.
        if names.contains(step.id) { return nil }
        return .unknownResultField(
          "unknown step `\(step.id)`", suggestion: stepGuess.nearest(to: step.id), stepGuess.list,
          at: address.place)
      }
      guard field == "$" || ResultField(rawValue: field) != nil else {
        if names.contains(step.id) { return nil }
        return .unknownResultField(
          "unknown result field `\(field)`", suggestion: fieldGuess.nearest(to: field), fieldGuess.list,
          at: address.place)
      }
      if let step = self.step(step.id), let diagnostic = unavailable(field, of: step, at: address.place) {
        return diagnostic
      }
    }
    guard let field = address.field.flatMap(ResultField.init(rawValue:)) else { return nil }
    if let member = address.member, !field.members.isEmpty, !field.members.contains(member) {
      return .unknownResultField(
        "unknown result field `\(field.rawValue).\(member)`",
        suggestion: Suggestion.nearest(to: member, among: field.members).map { "\(field.rawValue).\($0)" },
        field.members.map { "`\(field.rawValue).\($0)`" }.joined(separator: ", "), at: address.place)
    }
    if !field.values.isEmpty, field != .screens, let matcher {
      for case .string(let value)? in matcher.constants ?? [] where !field.values.contains(value) {
        return .unknownResultField(
          "`\(field.rawValue)` is never `\(value)`", suggestion: Suggestion.nearest(to: value, among: field.values),
          field.values.map { "`\($0)`" }.joined(separator: ", "), at: matcher.place)
      }
    }
    if let form = field.form(of: address.member), let matcher,
      var diagnostic = matcher.typeMismatch(form, address.text)
    {
      diagnostic.rule = WorkflowCheck.unknownResultField.id
      return diagnostic
    }
    return nil
  }

  /// Whether a step exists, which can be inside a nested workflow: `login/silent`.
  func exists(_ id: String) -> Bool {
    if ids.contains(id) { return true }
    guard let slash = id.firstIndex(of: "/") else { return false }
    guard let outer = own[String(id[..<slash])]?.step else { return false }
    // If the nested workflow cannot be read, its steps are not known.
    return usedWorkflowCheck(outer)?.exists(String(id[id.index(after: slash)...])) ?? true
  }
}

extension Diagnostic {
  fileprivate static func unknownResultField(
    _ message: String, suggestion: String?, _ known: String, at place: FileSpan
  )
    -> Diagnostic
  {
    Diagnostic(
      .error, rule: WorkflowCheck.unknownResultField.id, message,
      help: suggestion.map { "did you mean `\($0)`?" } ?? "use one of \(known)", at: place)
  }
}
