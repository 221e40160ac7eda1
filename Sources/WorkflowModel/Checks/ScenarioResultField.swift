import Diagnostics
import Documents
import OrderedCollections

extension WorkflowCheck {
  /// Scenario expectations that refer to unknown steps or result fields, or that never hold.
  static let scenarioResultField = WorkflowCheck(
    "scenario-result-field", .error,
    "expectation that uses an unknown step or result field, or that never holds"
  ) { checked in
    let check = ResultFieldCheck(checked.workflow)
    let stepsByID = checked.workflow.ownSteps
    return checked.cases.flatMap { scenario -> [Diagnostic] in
      guard let expect = scenario.body.expect else { return [] }
      let runs = expect.path?.runs
      let findings = expect.facts.compactMap { expectation -> Diagnostic? in
        if var diagnostic = check.check(expectation.address, expectation.matcher) {
          diagnostic.rule = "scenario-result-field"
          return diagnostic
        }
        guard case .named(let reference) = expectation.address.subject, let step = stepsByID[reference.id]?.step else {
          return nil
        }
        return expectation.neverHolds(for: step, reference, runs)
      }
      let typeMismatches =
        [
          expect.interactions?.typeMismatch(.number, "interactions"), expect.pages?.typeMismatch(.number, "pages"),
        ]
        + expect.requests.map { name, matcher in matcher.typeMismatch(.number, "requests.\(name)") }
        + [expect.accounts?.accountsTypeMismatch]
      return findings + typeMismatches.compactMap { $0 }
    }.withoutDuplicates
  }
}

extension PathPattern {
  /// The outcomes of each step's runs, in order, or nil if the pattern contains `...`.
  var runs: [String: [OutcomeSelector]]? {
    var runs: [String: [OutcomeSelector]] = [:]
    for element in elements {
      guard case .entry(let step, let outcome) = element.value else { return nil }
      runs[step, default: []].append(outcome)
    }
    return runs
  }
}

extension Matcher {
  /// Whether the matcher holds for a missing value, as `{exists: false}` does.
  fileprivate var holdsWithoutValue: Bool { (try? evaluate(.nothing, in: ValueScope()).holds) ?? true }

  /// Returns a diagnostic if the matcher never holds for a value of this type.
  func typeMismatch(_ type: ResultField.ValueType, _ subject: String) -> Diagnostic? {
    for condition in conditions {
      let isImpossible =
        switch (condition, type) {
        case (.equals(.value(let value)), .number): value.number == nil && !value.isNull
        case (.equals(.value(let value)), .string): value.string == nil && !value.isNull
        case (.equals(.value(let value)), .list): value.array == nil && !value.isNull
        case (.equals(.list), .number), (.equals(.list), .string), (.equals(.members), .number),
          (.equals(.members), .string), (.equals(.members), .list):
          true
        case (.contains, .number), (.startsWith, .number), (.endsWith, .number), (.matches, .number), (.count, .number):
          true
        case (.startsWith, .list), (.endsWith, .list), (.matches, .list), (.greaterThan, .list), (.lessThan, .list):
          true
        case (.greaterThan(.value(let value)), .number), (.lessThan(.value(let value)), .number): value.number == nil
        default: false
        }
      guard isImpossible else { continue }
      let help =
        switch type {
        case .number: "use a number, or a matcher such as `{greaterThan: 1}`"
        case .string: "use a string in quotes"
        case .list: "use a list, or a matcher such as `{contains: …}`"
        }
      return Diagnostic(
        .error, rule: WorkflowCheck.scenarioResultField.id,
        "expectation never holds: `\(subject)` is a \(type.rawValue)", help: help, at: place
      )
    }
    return nil
  }

  /// A diagnostic if the matcher of `accounts` is a single username instead of a number or a list.
  fileprivate var accountsTypeMismatch: Diagnostic? {
    let name: String
    if let text = constant?.string {
      name = text
    } else if case .equals(.text(_, let place))? = conditions.first, let span = place.span {
      name = place.source.text(in: span)
    } else {
      return nil
    }
    return Diagnostic(
      .error, rule: WorkflowCheck.scenarioResultField.id,
      "expectation never holds: `accounts` is a number or a list of usernames",
      help: "use `[\(name)]` or `{contains: \(name)}`", at: place)
  }
}

extension Expectation {
  /// Returns a diagnostic if the expectation for a step's result field never holds.
  /// - Parameter runs: The outcomes of each step on the expected path, or nil if the path is not fixed.
  fileprivate func neverHolds(
    for step: Step, _ reference: ValuePath.StepReference, _ runs: [String: [OutcomeSelector]]?
  ) -> Diagnostic? {
    guard let field = address.field else { return nil }
    if field == ResultField.duration.rawValue, !matcher.holdsWithoutValue {
      return error(
        "`\(address.text)` is available only with the live service", help: "use `attempts` or the path instead")
    }
    if field == ResultField.outcome.rawValue {
      for case .string(let name)? in matcher.constants ?? []
      where step.outcome(selectedBy: OutcomeSelector(name)) == nil {
        return .unknownOutcome(name, of: step, among: step.outcomes.map(\.name.rawValue), at: matcher.place)
      }
    }
    guard let runs, !matcher.holdsWithoutValue else { return nil }
    let outcomes = runs[step.id] ?? []
    guard
      let outcome = reference.run.map({ outcomes.indices.contains($0 - 1) ? outcomes[$0 - 1] : nil }) ?? outcomes.last
    else {
      let path =
        outcomes.isEmpty
        ? "does not contain step `\(step.id)`"
        : "contains step `\(step.id)` only \(outcomes.count == 1 ? "once" : "\(outcomes.count) times")"
      return notAvailable(
        "the expected path \(path)", help: "remove the expectation, or add `\(step.id)` to the path")
    }
    if field == ResultField.outcome.rawValue {
      let holds = try? matcher.evaluate(.value(.string(outcome.text)), in: ValueScope()).holds
      guard holds == false else { return nil }
      return error(
        "contradicts the expected path, in which step `\(step.id)` has outcome `\(outcome)`",
        help: "change the expectation or the path", at: matcher.place)
    }
    return neverHolds(for: step, field, outcome)
  }

  /// Returns a diagnostic if the step's result does not contain the field for this outcome.
  private func neverHolds(for step: Step, _ field: String, _ selector: OutcomeSelector) -> Diagnostic? {
    if !selector.isPerformed {
      return notAvailable(
        "step `\(step.id)` is \(selector) on the expected path", help: "remove the expectation")
    }
    guard let outcome = step.outcome(selectedBy: selector), let field = ResultField(rawValue: field) else { return nil }
    let reason = "step `\(step.id)` has outcome `\(selector)` on the expected path"
    if field == .error, !outcome.isFailure { return notAvailable(reason, help: "remove the expectation") }
    if field.needsSuccess, outcome.isFailure {
      return notAvailable(reason, help: "remove the expectation, or change the outcome in the path")
    }
    return nil
  }

  private func notAvailable(_ reason: String, help: String) -> Diagnostic {
    error("`\(address.text)` is not available: \(reason)", help: help)
  }

  private func error(_ message: String, help: String, at place: FileSpan? = nil) -> Diagnostic {
    Diagnostic(.error, rule: WorkflowCheck.scenarioResultField.id, message, help: help, at: place ?? self.place)
  }
}
