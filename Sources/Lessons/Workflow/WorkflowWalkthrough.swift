import Diagnostics
import Documents
import OrderedCollections
import WorkflowModel

/// A walkthrough of a workflow. It lists the preconditions and, for each step, the purpose, MSAL's actions, the
/// outcomes with their targets, the pages that the user sees, and the scenarios that show the step.
package struct WorkflowWalkthrough: Sendable {
  package struct Branch: Hashable, Sendable {
    /// The outcomes that lead to the target.
    package var outcomes: [String]
    /// The target, such as `continues with silent`, `falls back to interactive-fallback`, or `the workflow fails`.
    package var effect: String
    /// Whether the branch applies to all other outcomes.
    package var isDefault: Bool
  }

  /// An outcome of a step in this workflow.
  package struct OutcomeDescription: Hashable, Sendable {
    package var name: String
    /// The description of the outcome.
    package var summary: String
    package var effect: String
    /// The scenarios whose path contains the outcome.
    package var scenarios: [String]
  }

  package struct ScenarioDescription: Hashable, Sendable {
    package var name: String
    package var description: String?
    /// The expected path, or nil if the scenario does not specify it.
    package var path: [String]?
    /// The expected outcome. The default is `success`.
    package var outcome: OutcomeSelector
  }

  package struct StepDescription: Hashable, Sendable {
    package var id: String
    /// The key of the step, such as `interactive-fallback`.
    package var kind: String
    /// The purpose of the step type.
    package var does: String
    package var description: String?
    /// The parameters of the step, such as `scopes: User.Read` or `only if code is AADB2C90118`.
    package var details: [String]
    /// MSAL's actions during the step.
    package var internals: StepInternals
    package var branches: [Branch]
    /// The possible outcomes.
    package var outcomes: [OutcomeDescription]
    package var isFinal: Bool
  }

  package var title: String
  package var description: String?
  /// Sentences about the settings, platform, directory, user, and inputs.
  package var setup: [String]
  package var steps: [StepDescription]
  package var scenarios: [ScenarioDescription]

  package init(_ workflow: Workflow) {
    title = workflow.title
    description = workflow.description
    setup = Self.setup(of: workflow)
    let diagram = MachineDiagram(workflow)
    let all = workflow.steps + workflow.finally
    let scenarios = workflow.scenarios.flatMap(\.cases).map(ScenarioDescription.init)
    steps = zip(diagram.states.indices, all).map { index, step in
      let transitions = diagram.transitions.filter { $0.from == index }
      return StepDescription(
        id: step.id, kind: step.spelling, does: step.kind.summary, description: step.description,
        details: step.inWords, internals: StepInternals(step),
        branches: Self.shortened(transitions.map { Self.branch($0, in: diagram) }),
        outcomes: transitions.flatMap { Self.outcomes($0, of: step, in: diagram, scenarios) },
        isFinal: index >= workflow.steps.count)
    }
    self.scenarios = scenarios
  }

  private static func setup(of workflow: Workflow) -> [String] {
    var lines: [String] = []
    if let settings = workflow.settings {
      lines.append("The app's settings \(Self.words(settings)).")
    }
    if !workflow.clients.isEmpty {
      let apps = workflow.clients.map { "\($0.key) (\(Self.words($0.value)))" }.joined(separator: ", ")
      lines.append("It uses several apps: \(apps).")
    }
    switch workflow.platform {
    case .live: lines.append("It runs on the live service with real accounts.")
    case .replay(let file): lines.append("It runs against the recording \(file).")
    case .emulated, nil: lines.append("It runs on the emulator, unless you pass --platform.")
    }
    switch workflow.directory {
    case .file(let file): lines.append("The tenants and users are in \(file.value).")
    case .inline: lines.append("The tenants and users are in the workflow itself.")
    case .contoso, nil: break
    }
    let users = workflow.user?.entries.compactMap { $0.username?.literal } ?? []
    if let first = users.first { lines.append("The user is \(first).") }
    for input in workflow.inputs.values {
      let standard =
        input.isRequired ? "required" : "default \(input.defaultValue.string ?? input.defaultValue.text())"
      lines.append("Input \(input.name): \(input.type.rawValue), \(standard) (--set \(input.name)=…).")
    }
    return lines
  }

  private static func words(_ source: Workflow.Source) -> String {
    switch source {
    case .file(let file): "are in \(file.value)"
    case .inline: "are in the workflow itself"
    }
  }

  private static func branch(_ transition: MachineDiagram.Transition, in diagram: MachineDiagram) -> Branch {
    let target: String
    switch transition.to {
    case .state(let index): target = diagram.states[index].id
    case .success: target = ""
    case .failure: target = ""
    }
    let effect: String
    switch (transition.to, transition.sort) {
    case (.failure, .explicit): effect = "the workflow fails, because of `on`"
    case (.failure, _): effect = "the workflow fails"
    case (.success, .explicit): effect = "the workflow succeeds, because of `on` or `expect`"
    case (.success, _): effect = "the workflow succeeds"
    case (.state, .fallback): effect = "falls back to \(target)"
    case (.state, .detour): effect = "runs \(target) again with the claims, and then repeats this call"
    case (.state, .explicit): effect = "continues with \(target), because of `on` or `expect`"
    case (.state, _): effect = "continues with \(target)"
    }
    return Branch(
      outcomes: transition.outcomes, effect: effect,
      isDefault: transition.sort == .failure && transition.outcomes.count > 1)
  }

  private static func outcomes(
    _ transition: MachineDiagram.Transition, of step: Step, in diagram: MachineDiagram,
    _ scenarios: [ScenarioDescription]
  ) -> [OutcomeDescription] {
    let effect = branch(transition, in: diagram).effect
    return transition.outcomes.map { name in
      let entry = "\(step.id).\(name)"
      return OutcomeDescription(
        name: name, summary: step.outcomes.first { $0.name.rawValue == name }?.summary ?? "", effect: effect,
        scenarios: scenarios.filter { $0.path?.contains(entry) ?? false }.map(\.name))
    }
  }

  /// Returns the branches after replacing the longest list of outcomes with "everything else".
  private static func shortened(_ branches: [Branch]) -> [Branch] {
    var branches = branches
    guard
      let longest = branches.indices.filter({ branches[$0].isDefault }).max(by: {
        branches[$0].outcomes.count < branches[$1].outcomes.count
      })
    else { return branches }
    for index in branches.indices where index != longest { branches[index].isDefault = false }
    branches.append(branches.remove(at: longest))
    return branches
  }
}

extension WorkflowWalkthrough.ScenarioDescription {
  fileprivate init(_ scenario: Scenario) {
    name = scenario.name
    description = scenario.body.description
    path = scenario.body.expect?.path?.elements.map(\.value.text)
    outcome = scenario.body.expect?.outcome?.value ?? .success
  }
}
