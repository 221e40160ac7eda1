import Diagnostics
import Documents
import OrderedCollections

extension WorkflowCheck {
  /// An API call that can run before any step acquires a token. Without a token, authflow does not send the request.
  static let callBeforeToken = WorkflowCheck(
    "call-before-token", .warning, appliesToUsedWorkflows: false, needsEveryStep: true,
    "API call that can run without an access token"
  ) { checked in
    let graph = checked.main
    let defaultClient = checked.workflow.clients.keys.first ?? ""
    let clientsWithToken: (Step, Outcome) -> Set<String> = { step, outcome in
      outcome.sort == .success ? step.clientsWithToken(default: defaultClient) : []
    }
    let onAllPaths = StepDataflow(graph, .allPaths, adding: clientsWithToken)
    let onAnyPath = StepDataflow(graph, .anyPath, adding: clientsWithToken)
    return graph.steps.indices.flatMap { position in
      graph.steps[position].withMembers.compactMap { step -> Diagnostic? in
        guard step.isProtectedCall, !step.expects(outcome: .unauthorized) else { return nil }
        let client = step.client?.value ?? defaultClient
        let places = StepGraph.places(of: position).filter { !graph.edges(from: $0).isEmpty }
        guard places.contains(where: { onAllPaths.has(client, at: $0) == false }) else { return nil }
        return .callBeforeToken(step, canHaveToken: onAnyPath.has(client, at: position) ?? false)
      }
    }
  }
}

extension Step {
  fileprivate var isProtectedCall: Bool {
    switch action {
    case .callGraph: true
    case .callAPI(let call): !call.isAnonymous
    default: false
    }
  }

  /// Returns the clients that have a token after the step succeeds.
  fileprivate func clientsWithToken(default client: String) -> Set<String> {
    if case .parallel(let members) = action {
      return members.reduce(into: []) { $0.formUnion($1.clientsWithToken(default: client)) }
    }
    return acquiresToken ? [self.client?.value ?? client] : []
  }
}

extension Diagnostic {
  fileprivate static func callBeforeToken(_ step: Step, canHaveToken: Bool) -> Diagnostic {
    Diagnostic(
      .warning, rule: WorkflowCheck.callBeforeToken.id,
      canHaveToken
        ? "API call `\(step.id)` can run without a token; its outcome is then `unauthorized`"
        : "API call `\(step.id)` without a token; its outcome is always `unauthorized`",
      help: canHaveToken
        ? "acquire a token on every path to this step"
        : "add `loadAccount`, `silent`, and `interactive-fallback` before this step",
      at: step.place)
  }
}
