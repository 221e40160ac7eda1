import Diagnostics
import Documents
import OrderedCollections

extension WorkflowCheck {
  /// Expectations of a scenario that mean nothing, or that can never hold.
  static let scenarioWord = WorkflowCheck(
    "scenario-word", .error,
    "a scenario's expectations use existing steps and words, and can hold on the expected path"
  ) { checked in
    let words = ResultFieldCheck(checked.workflow)
    let own = checked.workflow.ownSteps
    return checked.cases.flatMap { scenario -> [Diagnostic] in
      guard let expect = scenario.body.expect else { return [] }
      let runs = expect.path?.runs
      var found = expect.facts.compactMap { fact -> Diagnostic? in
        if var diagnostic = words.check(fact.address, fact.matcher) {
          diagnostic.rule = "scenario-word"
          return diagnostic
        }
        guard case .named(let reference) = fact.address.subject, let step = own[reference.id]?.step else { return nil }
        return .neverHolds(fact, of: step, reference, runs)
      }
      if let told = expect.interactions?.neverFits(.number, "interactions") { found.append(told) }
      for (name, matcher) in expect.requests {
        if let told = matcher.neverFits(.number, "requests.\(name)") { found.append(told) }
      }
      if let told = expect.accounts?.neverFitsAccounts { found.append(told) }
      return found
    }.withoutRepetitions
  }
}

extension PathPattern {
  /// The outcomes of each step's runs, in order; nil where `...` leaves them open.
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
  /// Whether it holds where nothing is found: `{exists: false}`.
  fileprivate var holdsOfNothing: Bool { (try? evaluate(.nothing, in: ValueScope()).holds) ?? true }

  /// Why it never holds of a value of this form.
  func neverFits(_ form: ResultField.Form, _ subject: String) -> Diagnostic? {
    for condition in conditions {
      let isImpossible =
        switch (condition, form) {
        case (.equals(.value(let value)), .number): value.number == nil && !value.isNull
        case (.equals(.value(let value)), .text): value.string == nil && !value.isNull
        case (.equals(.value(let value)), .list): value.array == nil && !value.isNull
        case (.equals(.list), .number), (.equals(.list), .text), (.equals(.members), .number),
          (.equals(.members), .text), (.equals(.members), .list):
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
        case .number: "write a number, or a test such as {greaterThan: 1}"
        case .text: "write a text in quotes"
        case .list: "write a list, or a test such as {contains: …}"
        }
      let what = form == .list ? "a list" : "a \(form.rawValue)"
      return Diagnostic(
        .error, rule: WorkflowCheck.scenarioWord.id, "\(subject) is \(what), so this never holds", help: help, at: place
      )
    }
    return nil
  }

  /// Accounts are counted, or listed by their usernames.
  fileprivate var neverFitsAccounts: Diagnostic? {
    let name: String
    if let text = constant?.string {
      name = text
    } else if case .equals(.text(_, let place))? = conditions.first, let span = place.span {
      name = place.source.text(in: span)
    } else {
      return nil
    }
    return Diagnostic(
      .error, rule: WorkflowCheck.scenarioWord.id, "accounts is a number or a list of usernames, so this never holds",
      help: "write [\(name)], or {contains: \(name)}", at: place)
  }
}

extension Diagnostic {
  /// Why an expectation of a step's word can never hold; nil where it can.
  fileprivate static func neverHolds(
    _ fact: Expectation, of step: Step, _ reference: ValuePath.StepReference, _ runs: [String: [String]]?
  ) -> Diagnostic? {
    guard let word = fact.address.word else { return nil }
    func told(_ message: String, _ help: String?, at place: FileSpan? = nil) -> Diagnostic {
      Diagnostic(.error, rule: WorkflowCheck.scenarioWord.id, message, help: help, at: place ?? fact.place)
    }
    if word == ResultField.duration.rawValue, !fact.matcher.holdsOfNothing {
      return told("\(fact.address.text) is known on the live platform only", "compare attempts, or the path")
    }
    if word == ResultField.outcome.rawValue {
      for case .string(let name)? in fact.matcher.constants ?? [] where step.outcome(named: name) == nil {
        return .unknownOutcome(name, of: step, among: step.outcomes.map(\.name), at: fact.matcher.place)
      }
    }
    guard let runs, !fact.matcher.holdsOfNothing else { return nil }
    let outcomes = runs[step.id] ?? []
    guard
      let outcome = reference.run.map({ outcomes.indices.contains($0 - 1) ? outcomes[$0 - 1] : nil }) ?? outcomes.last
    else {
      let times =
        outcomes.isEmpty
        ? "never comes to \(step.id)"
        : "comes to \(step.id) only \(outcomes.count == 1 ? "once" : "\(outcomes.count) times")"
      return told(
        "nothing is known of \(fact.address.text): the expected path \(times)",
        "take it away, or put \(step.id) on the path")
    }
    if word == ResultField.outcome.rawValue {
      let holds = try? fact.matcher.evaluate(.value(.string(outcome)), in: ValueScope()).holds
      guard holds == false else { return nil }
      return told(
        "the expected path says that \(step.id) ends in \(outcome)", "take one of them away", at: fact.matcher.place)
    }
    if outcome == Outcome.skipped.name || outcome == Outcome.exhausted.name {
      return told(
        "nothing is known of \(fact.address.text): on the expected path \(step.id) is \(outcome)", "take it away")
    }
    guard let known = step.outcome(named: outcome), let name = ResultField(rawValue: word) else { return nil }
    let succeeds = known.sort == .success || known.sort == .neutral
    if name == .error, succeeds {
      return told(
        "there is no \(fact.address.text): on the expected path \(step.id) ends in \(outcome)", "take it away")
    }
    if name.needsSuccess, !succeeds {
      return told(
        "there is no \(fact.address.text): on the expected path \(step.id) ends in \(outcome)",
        "take it away, or expect \(step.id) to succeed")
    }
    return nil
  }
}
