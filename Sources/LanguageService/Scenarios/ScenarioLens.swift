import AppRegistration
import Diagnostics
import Documents
import WorkflowModel

/// An action on a workflow or a scenario, shown above its first line.
package struct ScenarioLens: Sendable {
  package enum Action: Sendable {
    case run, debug, report
    /// Showing the latest result, which the title contains.
    case result
  }

  package var title: String
  package var action: Action
  /// The name of the scenario, or nil for the workflow.
  package var scenario: String?
  /// The span of the scenario's name, or of the workflow's first key.
  package var span: SourceSpan
}

extension SnapshotDocument {
  /// Returns the actions on the workflow and on its scenarios, with the latest results.
  package func lenses(_ results: ScenarioResults) -> [ScenarioLens] {
    guard kind == .workflow || kind == .scenarios, let root = tree?.root else { return [] }
    var lenses: [ScenarioLens] = []
    if let key = (root.entry("authflow") ?? Array(root.entries).first)?.key {
      lenses += Self.lenses(of: nil, at: key.span, result: title(ofWorkflowIn: root, results))
    }
    for entry in scenarios {
      let outcomes =
        entry.hasMatrix
        ? results.rows(of: entry.title, inFile: path)
        : results.outcome(of: entry.title, inFile: path).map { [$0] } ?? []
      lenses += Self.lenses(of: entry.title, at: entry.name, result: Self.title(of: outcomes, each: "row"))
    }
    return lenses
  }

  private static func lenses(of scenario: String?, at span: SourceSpan, result: String?) -> [ScenarioLens] {
    var lenses = [
      ScenarioLens(title: "Run", action: .run, scenario: scenario, span: span),
      ScenarioLens(title: "Debug", action: .debug, scenario: scenario, span: span),
      ScenarioLens(title: "Report", action: .report, scenario: scenario, span: span),
    ]
    if let result {
      lenses.insert(ScenarioLens(title: result, action: .result, scenario: scenario, span: span), at: 0)
    }
    return lenses
  }

  /// Returns the result of the workflow or of its scenarios, which can be in another file.
  private func title(ofWorkflowIn root: Node, _ results: ScenarioResults) -> String? {
    let name = root["scenarios"]?.string
    let file = name.map { FilePath.join(FilePath.folder(of: path), $0) } ?? path
    let scenarios = results.outcomes(inFile: file).filter { !$0.name.isEmpty }
    if scenarios.isEmpty { return results.outcome(of: "", inFile: path)?.summary }
    return Self.title(of: scenarios, each: "scenario")
  }

  /// Returns a one-line result for a scenario, for the rows of its matrix, or for all scenarios.
  private static func title(of outcomes: [ScenarioOutcome], each noun: String) -> String? {
    guard let first = outcomes.first else { return nil }
    if outcomes.count == 1 { return first.summary }
    let failed = outcomes.filter { $0.status != .passed }
    guard let failure = failed.first else { return "✓ \(outcomes.count.counting(noun)) passed" }
    return "✗ \(failed.count) of \(outcomes.count.counting(noun)) failed: \(failure.summary.dropFirst(2))"
  }
}
