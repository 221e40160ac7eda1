import AppRegistration
import Diagnostics
import Documents
import WorkflowModel

/// The result of one scenario, for display in an editor.
package struct ScenarioOutcome: Sendable {
  package enum Status: String, Sendable {
    case passed, failed
    /// The scenario could not run, or some of its events did not take effect.
    case error
  }

  /// A failed expectation, or a problem that prevented the run.
  package struct Failure: Sendable {
    /// The ID of the problem: `failed-expectation`, or a rule ID.
    package var rule: String
    package var message: String
    package var help: String?
    /// The location in the version of the text that ran.
    package var place: FileSpan
  }

  package static let failedExpectation = "failed-expectation"

  package var name: String
  package var status: Status
  /// The steps that ran with their outcomes, such as `silent.success`.
  package var path: [String]
  package var failures: [Failure] = []
  /// The actual values for the scenario's expectations, by address. Secrets are masked.
  package var values: [String: String] = [:]
  /// The results and variables at the end of the run, with secrets masked. Nil if no step ran.
  var context: EvaluationContext?
  /// The location of the scenario's name in the version of the text that ran. For a workflow, the location of its first
  /// line.
  package var place: FileSpan

  /// Returns the value at an address at the end of the run, or nil if there is none.
  func value(of address: String) -> JSON? {
    guard let context, let expression = try? RunExpression(parsing: address) else { return nil }
    return try? expression.evaluate(context, own: nil)
  }

  /// A one-line description of the result, which starts with ✓ or ✗.
  package var summary: String {
    switch status {
    case .passed: "✓ " + (path.isEmpty ? "passed" : path.joined(separator: " → "))
    case .failed, .error: "✗ " + (failures.first?.message ?? "failed")
    }
  }
}

/// The latest scenario results.
package struct ScenarioResults: Sendable {
  /// The results by the absolute path of the scenarios' file, and then by scenario name. The result of a workflow
  /// without a scenario has an empty name.
  private var outcomes: [String: [String: ScenarioOutcome]] = [:]

  package init() {}

  /// Replaces the results of a file.
  /// - Parameter isComplete: Whether to remove the results of scenarios that do not have a new result.
  package mutating func record(_ new: [ScenarioOutcome], ofFile path: String, isComplete: Bool) {
    var all = isComplete ? [:] : outcomes[path] ?? [:]
    for outcome in new { all[outcome.name] = outcome }
    outcomes[path] = all
  }

  package func outcome(of name: String, inFile path: String) -> ScenarioOutcome? { outcomes[path]?[name] }

  /// Returns all results of a file, sorted by name.
  package func outcomes(inFile path: String) -> [ScenarioOutcome] {
    (outcomes[path] ?? [:]).values.sorted { $0.name < $1.name }
  }

  /// Returns the results of a matrix scenario's rows, whose names have the format `name (row)`.
  package func rows(of name: String, inFile path: String) -> [ScenarioOutcome] {
    outcomes(inFile: path).filter { $0.name.hasPrefix("\(name) (") }
  }

  /// Returns the value at an address in the last run of the scenario at an offset, as text. If the offset is not in a
  /// scenario, returns the value from any scenario.
  /// - Parameter path: The absolute path of the file with the scenarios.
  func text(of address: String, in document: SnapshotDocument, at offset: Int, scenarios path: String) -> String? {
    let entry = document.scenarios.first { $0.span.start <= offset && offset < $0.span.end }
    return outcomes(inFile: path).filter { entry?.matches($0.name) ?? true }.lazy.compactMap {
      $0.values[address] ?? $0.value(of: address)?.text()
    }.first
  }

  /// Returns the value at an address in the last run of any scenario in a file.
  func value(of address: String, inFile path: String) -> JSON? {
    outcomes(inFile: path).lazy.compactMap { $0.value(of: address) }.first
  }

  /// Whether there are results for a file.
  package func contains(_ path: String) -> Bool { outcomes[path]?.isEmpty == false }

  /// Returns the failures as findings in the current text of the file.
  package func diagnostics(for document: SnapshotDocument) -> [Diagnostic] {
    outcomes(inFile: document.path).flatMap { outcome -> [Diagnostic] in
      guard let start = document.start(of: outcome) else { return [] }
      return outcome.failures.map { failure in
        Diagnostic(
          .error, rule: failure.rule, "\(outcome.name.isEmpty ? "" : "\(outcome.name): ")\(failure.message)",
          help: failure.help, at: FileSpan(document.source, document.span(of: failure, in: outcome, startingAt: start)))
      }
    }
  }
}

extension SnapshotDocument {
  /// Returns the current location of a scenario that ran, or nil if the scenario no longer exists.
  fileprivate func start(of outcome: ScenarioOutcome) -> Int? {
    if outcome.name.isEmpty || outcome.place.source.bytes == source.bytes { return outcome.place.span?.start ?? 0 }
    return scenarios.first { $0.matches(outcome.name) }?.name.start
  }

  /// Returns the current span of a failure. If the text around the failure has changed, the span is the scenario's
  /// name.
  fileprivate func span(of failure: ScenarioOutcome.Failure, in outcome: ScenarioOutcome, startingAt start: Int)
    -> SourceSpan
  {
    let nameSpan = scenarios.first { $0.matches(outcome.name) }?.name ?? SourceSpan.at(start)
    guard failure.place.source.name == name, let old = failure.place.span, let oldStart = outcome.place.span?.start
    else {
      return nameSpan
    }
    if failure.place.source.bytes == source.bytes { return old }
    let moved = SourceSpan(start: old.start - oldStart + start, end: old.end - oldStart + start)
    guard moved.start >= 0, moved.end <= source.bytes.count,
      source.text(in: moved) == failure.place.source.text(in: old)
    else { return nameSpan }
    return moved
  }

  /// The scenarios in the document, in order.
  package var scenarios: [ScenarioEntry] {
    guard kind == .workflow || kind == .scenarios, let all = tree?.root["scenarios"], all.kind == .mapping
    else { return [] }
    return all.entries.map { key, value in
      ScenarioEntry(
        title: key.scalarText ?? "", name: key.span, span: SourceSpan(start: key.span.start, end: value.span.end),
        hasMatrix: value["matrix"] != nil)
    }
  }
}

/// A scenario in a document.
package struct ScenarioEntry: Sendable {
  package var title: String
  /// The location of the name.
  package var name: SourceSpan
  /// The location of the name and the body.
  package var span: SourceSpan
  package var hasMatrix: Bool

  /// Whether a name belongs to the scenario or to one of its matrix rows.
  func matches(_ name: String) -> Bool { name == title || hasMatrix && name.hasPrefix("\(title) (") }
}
