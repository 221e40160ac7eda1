import Diagnostics
import Directory
import OrderedCollections

extension WorkflowCheck {
  /// Preconditions that contradict each other (an error), or that have no effect (a warning, because the scenario does
  /// not test what it appears to).
  static let scenarioGiven = WorkflowCheck(
    "scenario-given", .error, appliesToUsedWorkflows: false, "precondition that is impossible or has no effect"
  ) { checked in
    guard let context = checked.context, checked.isEmulated else { return [] }
    let workflow = checked.workflow
    // A later step can remove a policy that an earlier one adds.
    let added = checked.everyEvent.compactMap { event -> String? in
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
      var found = (scenario.body.given ?? []).compactMap { state.apply($0, in: scope) }
      // During the run, users sign in and time passes. Only deleted users and policies are certain.
      for event in scenario.body.before.values.flatMap(\.events) where !hasUnresolvedEvents {
        found += [state.impossibleLater(event, added: added, in: scope)].compactMap { $0 }
      }
      return found
    }.withoutDuplicates
  }
}
