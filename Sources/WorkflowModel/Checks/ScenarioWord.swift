import Diagnostics
import Documents
import OrderedCollections

extension WorkflowCheck {
  /// Expectations of a scenario for unknown steps or fields, or that can never hold.
  static let scenarioResultField = WorkflowCheck(
    "scenario-word", .error,
    "expectation with an unknown step or result field, or that can never hold"
  ) { checked in
    let fields = ResultFieldCheck(checked.workflow)
    let own = checked.workflow.ownSteps
    return checked.cases.flatMap { scenario -> [Diagnostic] in
      guard let expect = scenario.body.expect else { return [] }
      let runs = expect.path?.runs
      var found = expect.facts.compactMap { fact -> Diagnostic? in
        if var diagnostic = fields.check(fact.address, fact.matcher) {
          diagnostic.rule = "scenario-word"
          return diagnostic
        }
        guard case .named(let reference) = fact.address.subject, let step = own[reference.id]?.step else { return nil }
        return .neverHolds(fact, of: step, reference, runs)
      }
      if let diagnostic = expect.interactions?.typeMismatch(.number, "interactions") { found.append(diagnostic) }
      for (name, matcher) in expect.requests {
        if let diagnostic = matcher.typeMismatch(.number, "requests.\(name)") { found.append(diagnostic) }
      }
      if let diagnostic = expect.accounts?.accountsTypeMismatch { found.append(diagnostic) }
      return found
    }.withoutDuplicates
  }
}

extension PathPattern {
  /// The outcomes of each step's runs, in order, or nil if the pattern contains `...`.
  var runs: [String: [String]]? {
    var runs: [String: [String]] = [:]
    for element in elements {
      guard case .entry(let step, let outcome) = element.value else { return nil }
      runs[step, default: []].append(outcome)
    }
    return runs
  }
}

extension Matcher {
  /// Whether the matcher holds for a missing value: `{exists: false}`.
  fileprivate var holdsWithoutValue: Bool { (try? evaluate(.nothing, in: ValueScope()).holds) ?? true }

  /// A diagnostic if the matcher never holds for a value of this type.
  func typeMismatch(_ form: ResultField.Form, _ subject: String) -> Diagnostic? {
    for condition in conditions {
      let isImpossible =
        switch (condition, form) {
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
        switch form {
        case .number: "use a number, or a matcher such as `{greaterThan: 1}`"
        case .string: "use a string in quotes"
        case .list: "use a list, or a matcher such as `{contains: …}`"
        }
      return Diagnostic(
        .error, rule: WorkflowCheck.scenarioResultField.id,
        "expectation never holds: `\(subject)` is a \(form.rawValue)", help: help, at: place
      )
    }
    return nil
  }

  /// A diagnostic if `accounts` is compared with a single username. It is a number or a list of usernames.
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

extension Diagnostic {
  /// A diagnostic if the expectation of a step's result field can never hold.
  fileprivate static func neverHolds(
    _ fact: Expectation, of step: Step, _ reference: ValuePath.StepReference, _ runs: [String: [String]]?
  ) -> Diagnostic? {
    guard let field = fact.address.field else { return nil }
    func error(_ message: String, _ help: String?, at place: FileSpan? = nil) -> Diagnostic {
      Diagnostic(.error, rule: WorkflowCheck.scenarioResultField.id, message, help: help, at: place ?? fact.place)
    }
    if field == ResultField.duration.rawValue, !fact.matcher.holdsWithoutValue {
      return error(
        "`\(fact.address.text)` is only available with the live service", "use `attempts` or the path instead")
    }
    if field == ResultField.outcome.rawValue {
      for case .string(let name)? in fact.matcher.constants ?? [] where step.outcome(named: name) == nil {
        return .unknownOutcome(name, of: step, among: step.outcomes.map(\.name), at: fact.matcher.place)
      }
    }
    guard let runs, !fact.matcher.holdsWithoutValue else { return nil }
    let outcomes = runs[step.id] ?? []
    guard
      let outcome = reference.run.map({ outcomes.indices.contains($0 - 1) ? outcomes[$0 - 1] : nil }) ?? outcomes.last
    else {
      let path =
        outcomes.isEmpty
        ? "does not contain step `\(step.id)`"
        : "contains step `\(step.id)` only \(outcomes.count == 1 ? "once" : "\(outcomes.count) times")"
      return error(
        "`\(fact.address.text)` is not available: the expected path \(path)",
        "remove the expectation, or add `\(step.id)` to the path")
    }
    if field == ResultField.outcome.rawValue {
      let holds = try? fact.matcher.evaluate(.value(.string(outcome)), in: ValueScope()).holds
      guard holds == false else { return nil }
      return error(
        "contradicts the expected path, in which step `\(step.id)` has outcome `\(outcome)`",
        "change the expectation or the path", at: fact.matcher.place)
    }
    if outcome == Outcome.skipped.name || outcome == Outcome.exhausted.name {
      return error(
        "`\(fact.address.text)` is not available: step `\(step.id)` is \(outcome) on the expected path",
        "remove the expectation")
    }
    guard let known = step.outcome(named: outcome), let resultField = ResultField(rawValue: field) else { return nil }
    let succeeds = known.sort == .success || known.sort == .neutral
    if resultField == .error, succeeds {
      return error(
        "`\(fact.address.text)` is not available: step `\(step.id)` has outcome `\(outcome)` on the expected path",
        "remove the expectation")
    }
    if resultField.needsSuccess, !succeeds {
      return error(
        "`\(fact.address.text)` is not available: step `\(step.id)` has outcome `\(outcome)` on the expected path",
        "remove the expectation, or change the outcome in the path")
    }
    return nil
  }
}
