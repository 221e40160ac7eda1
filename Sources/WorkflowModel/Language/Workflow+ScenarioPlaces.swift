import Diagnostics
import Documents

extension Workflow {
  /// The file that contains the scenarios: the workflow itself, or a scenarios file.
  package var scenarioFileName: String { scenarioFile ?? document.source.name }

  /// The document that contains the scenarios, or nil if the scenarios file cannot be read.
  package var scenarioSource: Document? { scenarioFile == nil ? document : scenarioDocument }

  /// Replaces the scenarios with the scenarios of another workflow, as if this workflow contained them.
  package mutating func replaceScenarios(of other: Workflow) {
    scenarios = other.scenarios
    (scenarioFile, scenarioDocument) = (nil, nil)
  }

  /// The mapping from names to scenarios.
  var scenarioEntries: Node? { scenarioSource?.root["scenarios"] }

  /// Separates diagnostics in scenarios that do not run from all other diagnostics.
  ///
  /// Without a scenario name, no scenario runs. In that case, diagnostics in scenarios do not matter, including
  /// diagnostics in the scenarios file and in the workflows that steps use. With a name, diagnostics in other scenarios
  /// do not matter, except for diagnostics that concern all scenarios.
  package func separate(
    _ diagnostics: [Diagnostic], running scenario: String? = nil
  ) -> (relevant: [Diagnostic], unused: [Diagnostic]) {
    var relevant: [Diagnostic] = []
    var unused: [Diagnostic] = []
    let runningSpan = scenario.map { span(ofScenario: $0) }
    for diagnostic in diagnostics {
      let isUnused =
        if let runningSpan {
          isInOtherScenario(diagnostic, than: runningSpan)
        } else {
          hasScenarios(at: diagnostic.place)
        }
      if isUnused { unused.append(diagnostic) } else { relevant.append(diagnostic) }
    }
    return (relevant, unused)
  }

  /// Returns whether a location is inside the scenarios of this workflow or of a workflow that this workflow's steps
  /// use.
  func hasScenarios(at place: FileSpan) -> Bool {
    if place.source.name == scenarioFile { return true }
    if place.source.name == document.source.name {
      guard let entry = document.root.entry("scenarios"), let span = place.span else { return false }
      return entry.key.span.start <= span.start && span.start < max(entry.value.span.end, entry.key.span.end)
    }
    return used.contains { $0.hasScenarios(at: place) }
  }

  /// Returns the span of a scenario's name and body, or nil if the scenario does not exist. `name` can include a matrix
  /// row.
  private func span(ofScenario name: String) -> SourceSpan? {
    let entries = scenarioEntries?.kind == .mapping ? scenarioEntries.map { Array($0.entries) } ?? [] : []
    let entry =
      entries.first { $0.key.scalarText == name }
      ?? entries.first { name.hasPrefix("\($0.key.scalarText ?? "") (") }
    return entry.map { SourceSpan(start: $0.key.span.start, end: max($0.key.span.end, $0.value.span.end)) }
  }

  /// - Parameter running: The span of the scenario that runs, or nil if there is no such scenario.
  private func isInOtherScenario(_ diagnostic: Diagnostic, than running: SourceSpan?) -> Bool {
    guard let all = scenarioEntries, all.kind == .mapping else { return false }
    func isInside(_ place: FileSpan, _ span: SourceSpan) -> Bool {
      place.source.name == scenarioFileName
        && place.span.map { span.start <= $0.start && $0.start < span.end } ?? false
    }
    guard isInside(diagnostic.place, all.span) else {
      return used.contains { $0.hasScenarios(at: diagnostic.place) }
    }
    guard let running else { return true }
    return !([diagnostic.place] + diagnostic.related.map(\.place)).contains { isInside($0, running) }
  }
}
