import Diagnostics
import Documents
import OrderedCollections

extension WorkflowCheck {
  /// An unknown result field or step in `expect`, `capture`, `when`, or `assert`.
  static let unknownResultField = WorkflowCheck(
    "unknown-result-field", .error, "unknown step or result field"
  ) { checked in
    let check = ResultFieldCheck(checked.workflow)
    return checked.everyStep.flatMap { step in
      var findings = step.expect.compactMap { check.checkInStep($0.address, values: $0.matcher, step) }
      findings += step.capture.flatMap { $0.addresses.compactMap { check.checkInStep($0, values: nil, step) } }
      if case .holds(let expectations) = step.when {
        findings += expectations.compactMap { check.checkOutsideStep($0, in: "when") }
      }
      if case .assert(let expectations) = step.action {
        findings += expectations.compactMap { check.checkOutsideStep($0, in: "assert") }
      }
      return findings
    }
  }
}

/// Checks the addresses of a workflow: step IDs, result fields, and expected values.
///
/// This is a class so that all addresses share the same lookup tables.
final class ResultFieldCheck {
  private let stepIDs: Set<String>
  private let unreadableSteps: UnreadableSteps
  /// The names of inputs and captures.
  private let variables: Set<String>
  /// The steps of the main list and of `finally` by ID, without the members of `parallel`.
  private let ownSteps: [String: (step: Step, isFinally: Bool)]
  /// The steps of the main list and of `finally` by ID, including the members of `parallel`.
  private let allSteps: [String: Step]
  /// The checks for nested workflows, by the ID of the `use` step, created on demand.
  private var nestedChecks: [String: ResultFieldCheck] = [:]
  private let fieldSuggestions = NameGuess(ResultField.allCases.map(\.rawValue))
  /// Suggestions for unknown step IDs.
  private(set) lazy var stepSuggestions = NameGuess(stepIDs.sorted())

  init(_ workflow: Workflow) {
    stepIDs = workflow.stepIDs
    unreadableSteps = workflow.unreadableSteps
    ownSteps = workflow.ownSteps
    let steps = workflow.everyStep
    allSteps = Dictionary(steps.map { ($0.id, $0) }) { first, _ in first }
    variables = Set(workflow.inputs.keys).union(steps.flatMap(\.capturedNames))
  }

  /// Checks an address in `expect` or `capture`: a field of the step itself, or `step.field`.
  func checkInStep(_ address: ValuePath, values matcher: Matcher?, _ step: Step) -> Diagnostic? {
    if case .named(let reference) = address.subject, address.field == nil, !variables.contains(reference.id) {
      return .unknownResultField(
        "unknown result field `\(address.text)`",
        suggestion: fieldSuggestions.nearest(to: address.text) ?? (step.kind.has("$") ? "$.\(address.text)" : nil),
        fieldSuggestions.list, at: address.place)
    }
    if case .own = address.subject, let field = address.field,
      let diagnostic = unavailable(field, of: step, at: address.place)
    {
      return diagnostic
    }
    return check(address, matcher)
  }

  /// Returns a diagnostic for a field that results of this step type never contain.
  private func unavailable(_ field: String, of step: Step, at place: FileSpan) -> Diagnostic? {
    guard field == "$" || ResultField(rawValue: field) != nil, !step.kind.has(field) else { return nil }
    return Diagnostic(
      .error, rule: WorkflowCheck.unknownResultField.id, "`\(step.spelling)` has no result field `\(field)`",
      help: "use one of \(step.kind.fieldNames.quotedList)", at: place)
  }

  /// Returns the step with the given ID, which can be a member of `parallel` or a step of a nested workflow.
  private func step(_ id: String) -> Step? {
    if let step = allSteps[id] { return step }
    guard let slash = id.firstIndex(of: "/"), let outer = allSteps[String(id[..<slash])] else { return nil }
    return nestedCheck(of: outer)?.step(String(id[id.index(after: slash)...]))
  }

  /// Returns the check for the workflow that a `use` step runs, or nil for other steps.
  private func nestedCheck(of step: Step) -> ResultFieldCheck? {
    guard case .use(let use) = step.action, let workflow = use.workflow else { return nil }
    if let existing = nestedChecks[step.id] { return existing }
    let check = ResultFieldCheck(workflow)
    nestedChecks[step.id] = check
    return check
  }

  /// Checks an expectation in `when` or `assert`: `step.field`, a capture, or an input.
  func checkOutsideStep(_ expectation: Expectation, in key: String) -> Diagnostic? {
    if case .own = expectation.address.subject {
      // A variable can have the same name as a result field.
      if let field = expectation.address.field, variables.contains(field) { return nil }
      return Diagnostic(
        .error, rule: WorkflowCheck.unknownResultField.id, "`\(expectation.address.text)` is not a step",
        help: "use `step.field` in `\(key)`, such as `silent.\(expectation.address.text)`", at: expectation.place)
    }
    return check(expectation.address, expectation.matcher)
  }

  /// Checks that the step, the field, and the field's member exist, and that the expected value is possible.
  func check(_ address: ValuePath, _ matcher: Matcher?) -> Diagnostic? {
    if case .named(let reference) = address.subject {
      // A name that is not a step ID can be a variable, whose members are not result fields.
      guard let field = address.field, exists(reference.id) || !variables.contains(reference.id) else { return nil }
      if let diagnostic = check(reference, field, at: address.place) { return diagnostic }
    }
    guard let field = address.field.flatMap(ResultField.init(rawValue:)) else { return nil }
    if let member = address.member, !field.members.isEmpty, !field.members.contains(member) {
      return .unknownResultField(
        "unknown result field `\(field.rawValue).\(member)`",
        suggestion: Suggestion.nearest(to: member, among: field.members).map { "\(field.rawValue).\($0)" },
        field.members.map { "\(field.rawValue).\($0)" }.quotedList, at: address.place)
    }
    if !field.values.isEmpty, field != .screens, let matcher {
      for case .string(let value)? in matcher.constants ?? [] where !field.values.contains(value) {
        return .unknownResultField(
          "`\(field.rawValue)` is never `\(value)`", suggestion: Suggestion.nearest(to: value, among: field.values),
          field.values.quotedList, at: matcher.place)
      }
    }
    if let type = field.valueType(of: address.member), let matcher,
      var diagnostic = matcher.typeMismatch(type, address.text)
    {
      diagnostic.rule = WorkflowCheck.unknownResultField.id
      return diagnostic
    }
    return nil
  }

  /// Checks that a step exists and that its result can contain the field.
  private func check(_ reference: ValuePath.StepReference, _ field: String, at place: FileSpan) -> Diagnostic? {
    guard exists(reference.id) else {
      return .unknownResultField(
        "unknown step `\(reference.id)`", suggestion: stepSuggestions.nearest(to: reference.id), stepSuggestions.list,
        at: place)
    }
    guard field == "$" || ResultField(rawValue: field) != nil else {
      if variables.contains(reference.id) { return nil }
      return .unknownResultField(
        "unknown result field `\(field)`", suggestion: fieldSuggestions.nearest(to: field), fieldSuggestions.list,
        at: place)
    }
    return step(reference.id).flatMap { unavailable(field, of: $0, at: place) }
  }

  /// Returns whether a step exists. The ID can refer to a step of a nested workflow, such as `login/silent`.
  func exists(_ id: String) -> Bool {
    if stepIDs.contains(id) || unreadableSteps.mayContain(id) { return true }
    guard let slash = id.firstIndex(of: "/"), let outer = ownSteps[String(id[..<slash])]?.step else { return false }
    // If the nested workflow is invalid, its steps are unknown.
    return nestedCheck(of: outer)?.exists(String(id[id.index(after: slash)...])) ?? true
  }
}

extension Diagnostic {
  fileprivate static func unknownResultField(
    _ message: String, suggestion: String?, _ known: String, at place: FileSpan
  ) -> Diagnostic {
    Diagnostic(
      .error, rule: WorkflowCheck.unknownResultField.id, message,
      help: suggestion.map { "did you mean `\($0)`?" } ?? "use one of \(known)", at: place)
  }
}
