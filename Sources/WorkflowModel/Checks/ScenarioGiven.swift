import Diagnostics
import Directory
import OrderedCollections

extension WorkflowCheck {
  /// Preconditions that contradict each other or have no effect. A contradiction is an error. A precondition without an
  /// effect is a warning, because the scenario does not test the intended situation.
  static let scenarioGiven = WorkflowCheck(
    "scenario-given", .error, appliesToUsedWorkflows: false, "precondition that is impossible or has no effect"
  ) { checked in
    guard let context = checked.context, checked.isEmulated else { return [] }
    let workflow = checked.workflow
    // An event can remove a policy that an earlier event adds, and events in steps can occur in any order.
    let addedPolicies = checked.everyEvent.compactMap { event -> String? in
      guard case .policyAdded(let policy)? = event.source.literal?.event.event else { return nil }
      return policy.name.lowercased()
    }
    let hasUnresolvedEvents = checked.everyEvent.contains { $0.source.literal == nil }
    return checked.cases.flatMap { scenario -> [Diagnostic] in
      guard !scenario.body.events.isEmpty,
        let directory = context.directory(of: scenario, in: workflow)
      else { return [] }
      let scope = ValueScope(names: workflow.inputValues(scenario.body.inputs))
      let users = scenario.body.user.map { $0.over(workflow.user) } ?? workflow.user
      let username =
        (try? users?[0].username?.resolved(in: scope)).flatMap { $0 } ?? directory.firstUser?.username
      var state = PreconditionState(directory, user: username)
      let findings = (scenario.body.given ?? []).compactMap { state.apply($0, in: scope) }
      guard !hasUnresolvedEvents else { return findings }
      return findings
        + scenario.body.before.values.flatMap(\.events).compactMap {
          state.checkDuringRun($0, added: addedPolicies, in: scope)
        }
    }.withoutDuplicates
  }
}
