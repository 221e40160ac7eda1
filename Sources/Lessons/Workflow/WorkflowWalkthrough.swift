import Diagnostics
import Documents
import OrderedCollections
import WorkflowModel

/// A workflow told as a lesson: what it needs, what each step does, what MSAL does inside, what can come of it and where that
/// leads, what the user sees, and what the scenarios show.
package struct WorkflowWalkthrough: Sendable {
  package struct Branch: Hashable, Sendable {
    /// What becomes of the step.
    package var outcomes: [String]
    /// Where it leads: `on to silent`, `falls back on interactive-fallback`, `the workflow fails`.
    package var leads: String
    /// Whether it is the way of everything else, which needs no list.
    package var isRest: Bool
  }

  /// One thing that can become of a step, in this workflow.
  package struct OutcomeDescription: Hashable, Sendable {
    package var name: String
    /// What happened then.
    package var words: String
    package var leads: String
    /// The scenarios whose path says so, in their order.
    package var shownBy: [String]
  }

  package struct ScenarioDescription: Hashable, Sendable {
    package var name: String
    package var description: String?
    /// The way that it must go, entry by entry; nil where it does not say.
    package var path: [String]?
    /// How it must end: `success` where it says nothing.
    package var outcome: String
  }

  package struct StepDescription: Hashable, Sendable {
    package var id: String
    /// As it is written: `interactive-fallback`.
    package var kind: String
    /// What steps of this kind do.
    package var does: String
    package var description: String?
    /// What is said about this one: `scopes: User.Read`, `only where code is AADB2C90118`.
    package var details: [String]
    /// What MSAL does inside at this point.
    package var inside: StepInternals
    package var ways: [Branch]
    /// Each outcome that can occur, by itself.
    package var outcomes: [OutcomeDescription]
    package var isFinal: Bool
  }

  package var title: String
  package var description: String?
  /// Settings, platform, directory, user, inputs: a sentence each.
  package var circumstances: [String]
  package var steps: [StepDescription]
  package var scenarios: [ScenarioDescription]

  package init(_ workflow: Workflow) {
    title = workflow.title
    description = workflow.description
    circumstances = Self.circumstances(of: workflow)
    let diagram = MachineDiagram(workflow)
    let all = workflow.steps + workflow.finally
    let scenarios = workflow.scenarios.flatMap(\.cases).map(ScenarioDescription.init)
    steps = zip(diagram.states.indices, all).map { index, step in
      let transitions = diagram.transitions.filter { $0.from == index }
      return StepDescription(
        id: step.id, kind: step.spelling, does: step.kind.words, description: step.description,
        details: step.inWords, inside: StepInternals(step),
        ways: Self.shortened(transitions.map { Self.way($0, in: diagram) }),
        outcomes: transitions.flatMap { Self.outcomes($0, of: step, in: diagram, scenarios) },
        isFinal: index >= workflow.steps.count)
    }
    self.scenarios = scenarios
  }

  private static func circumstances(of workflow: Workflow) -> [String] {
    var lines: [String] = []
    if let settings = workflow.settings {
      lines.append("The app's settings \(Self.words(settings)).")
    }
    if !workflow.clients.isEmpty {
      let apps = workflow.clients.map { "\($0.key) (\(Self.words($0.value)))" }.joined(separator: ", ")
      lines.append("Several apps take part: \(apps).")
    }
    switch workflow.platform {
    case .live: lines.append("It runs on the real platform, with real accounts.")
    case .replay(let file): lines.append("It runs against the recording \(file).")
    case .emulated, nil: lines.append("It runs on the embedded platform, unless --platform says otherwise.")
    }
    switch workflow.directory {
    case .file(let file): lines.append("The tenants and users are those of \(file.value).")
    case .inline: lines.append("The tenants and users are written in the workflow itself.")
    case .contoso, nil: break
    }
    let users = workflow.user?.entries.compactMap { $0.username?.literal } ?? []
    if let first = users.first { lines.append("\(first) sits at the keyboard.") }
    for input in workflow.inputs.values {
      let standard =
        input.isRequired ? "must be given" : "default \(input.defaultValue.string ?? input.defaultValue.text())"
      lines.append("Input \(input.name): \(input.type.rawValue), \(standard) (--set \(input.name)=…).")
    }
    return lines
  }

  private static func words(_ source: Workflow.Source) -> String {
    switch source {
    case .file(let file): "stand in \(file.value)"
    case .inline: "stand in the workflow itself"
    }
  }

  private static func way(_ transition: MachineDiagram.Transition, in diagram: MachineDiagram) -> Branch {
    let target: String
    switch transition.to {
    case .state(let index): target = diagram.states[index].id
    case .success: target = ""
    case .failure: target = ""
    }
    let leads: String
    switch (transition.to, transition.sort) {
    case (.failure, .said): leads = "the workflow fails, as `on` says"
    case (.failure, _): leads = "the workflow fails"
    case (.success, .said): leads = "the workflow ends with success, as `on` or `expect` says"
    case (.success, _): leads = "the workflow ends with success"
    case (.state, .fallback): leads = "falls back on \(target)"
    case (.state, .detour): leads = "asks \(target) again with the claims, then makes this call once more"
    case (.state, .said): leads = "on to \(target), as `on` or `expect` says"
    case (.state, _): leads = "on to \(target)"
    }
    return Branch(
      outcomes: transition.outcomes, leads: leads,
      isRest: transition.sort == .failure && transition.outcomes.count > 1)
  }

  private static func outcomes(
    _ transition: MachineDiagram.Transition, of step: Step, in diagram: MachineDiagram,
    _ scenarios: [ScenarioDescription]
  ) -> [OutcomeDescription] {
    let leads = way(transition, in: diagram).leads
    return transition.outcomes.map { name in
      let entry = "\(step.id).\(name)"
      return OutcomeDescription(
        name: name, words: step.outcomes.first { $0.name == name }?.words ?? "", leads: leads,
        shownBy: scenarios.filter { $0.path?.contains(entry) ?? false }.map(\.name))
    }
  }

  /// Of several lists only the longest is "everything else".
  private static func shortened(_ ways: [Branch]) -> [Branch] {
    var ways = ways
    guard
      let longest = ways.indices.filter({ ways[$0].isRest }).max(by: {
        ways[$0].outcomes.count < ways[$1].outcomes.count
      })
    else { return ways }
    for index in ways.indices where index != longest { ways[index].isRest = false }
    ways.append(ways.remove(at: longest))
    return ways
  }
}

extension WorkflowWalkthrough.ScenarioDescription {
  fileprivate init(_ scenario: Scenario) {
    name = scenario.name
    description = scenario.body.description
    path = scenario.body.expect?.path?.elements.map(\.value.text)
    outcome = scenario.body.expect?.outcome?.value ?? "success"
  }
}
