import Diagnostics
import Documents
import OrderedCollections
import WorkflowModel
import WorkflowRunner

extension LoadedWorkflow {
  /// Returns one scenario, and the problems in its references. The scenario is nil if no scenario has this name.
  package func scenarioCase(named name: String) -> (test: ScenarioCase?, diagnostics: [Diagnostic]) {
    let (cases, diagnostics) = cases(named: name)
    return (cases.first, diagnostics)
  }

  /// Returns a scenario, or the first row of its matrix. Returns nil if no scenario has this name.
  package func firstCase(of name: String) -> ScenarioCase? {
    cases().cases.first { $0.name == name || $0.name.hasPrefix("\(name) (") }
  }

  /// Returns a scenario without preconditions, which runs the workflow with its default user and expects success.
  ///
  /// As in `authflow run`, the emulator automatically registers the tenants and APIs that occur in requests.
  package func caseWithoutScenario(inputs: OrderedDictionary<String, JSON>) -> ScenarioCase {
    var scenario = Scenario(name: workflow.title, place: workflow.stepsPlace)
    scenario.body.inputs = inputs
    return ScenarioCase(
      scenario: scenario, loaded: self, situation: situation, start: nil, recordings: RecordingCache(), isStrict: false)
  }
}

extension Workflow {
  /// The names of all scenarios, with one name for each matrix row.
  package var scenarioNames: [String] { scenarios.flatMap(\.cases).map(\.name) }

  /// Returns the name of the scenario that is most similar to a misspelled name.
  package func scenarioSuggestion(for name: String) -> String? {
    guard !name.isEmpty else { return nil }
    let names = scenarioNames
    return Suggestion.nearest(to: name, among: names)
      ?? names.first { $0.lowercased().contains(name.lowercased()) }
  }
}
