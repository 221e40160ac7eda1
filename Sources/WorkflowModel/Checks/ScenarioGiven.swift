import Diagnostics
import Directory
import OrderedCollections

extension WorkflowCheck {
  /// What is given contradicts itself, so that it cannot come about: an error. What comes about and changes nothing is
  /// worth a warning: the scenario does not test what it seems to.
  static let scenarioGiven = WorkflowCheck(
    "scenario-given", .error, speaksOfUsed: false, "what is given can come about, in its order, and changes something"
  ) { checked in
    guard let surroundings = checked.surroundings, checked.isEmulated else { return [] }
    let workflow = checked.workflow
    // A policy or a misbehavior that a step begins may be ended before a later one.
    let added = checked.everyEvent.compactMap { event -> String? in
      guard case .policyAdded(let policy)? = event.written.literal?.event.event else { return nil }
      return policy.name.lowercased()
    }
    let hasOpenNames = checked.everyEvent.contains { $0.written.literal == nil }
    return checked.cases.flatMap { scenario -> [Diagnostic] in
      guard !scenario.body.events.isEmpty,
        let directory = surroundings.directory(of: scenario, in: workflow)
      else { return [] }
      let scope = ValueScope(names: workflow.inputValues(scenario.body.inputs))
      let sittings = scenario.body.user.map { $0.over(workflow.user) } ?? workflow.user
      let who = (try? sittings?[0].username?.resolved(in: scope)).flatMap { $0 } ?? directory.firstUser?.username
      var world = PreconditionState(directory, user: who)
      var found = (scenario.body.given ?? []).compactMap { world.take($0, in: scope) }
      // On the way the run itself signs people in and lets time pass: only what is gone for good is known then.
      for event in scenario.body.before.values.flatMap(\.events) where !hasOpenNames {
        found += [world.impossibleLater(event, added: added, in: scope)].compactMap { $0 }
      }
      return found
    }.withoutRepetitions
  }
}
