import Diagnostics
import Documents
import OrderedCollections

extension WorkflowCheck {
  /// A call of a protected API that can be reached before a token was acquired.
  static let callBeforeToken = WorkflowCheck(
    "call-before-token", .warning, speaksOfUsed: false, needsEveryStep: true,
    "a token is acquired on every way to a call: without one nothing is sent"
  ) { checked in
    let graph = checked.main
    let defaultClient = checked.workflow.clients.keys.first ?? ""
    let gain: (Step, Outcome) -> Set<String> = { step, outcome in
      outcome.sort == .success ? step.clientsWithToken(default: defaultClient) : []
    }
    let always = StepDataflow(graph, .always, gain: gain)
    let ever = StepDataflow(graph, .ever, gain: gain)
    return graph.steps.indices.flatMap { position in
      graph.steps[position].withMembers.compactMap { step -> Diagnostic? in
        guard step.isProtectedCall, !step.expects(outcome: "unauthorized") else { return nil }
        let client = step.client?.value ?? defaultClient
        let places = [true, false].map { StepGraph.Place(position: position, entered: $0) }.filter {
          !graph.edges(from: $0).isEmpty
        }
        guard places.contains(where: { always.has(client, at: $0) == false }) else { return nil }
        let isEver = ever.hasEver(client, at: position) ?? false
        return .callBeforeToken(step, isEver: isEver)
      }
    }
  }
}

extension Step {
  fileprivate var isProtectedCall: Bool {
    switch action {
    case .callGraph, .callAPI: true
    default: false
    }
  }

  /// The apps that have a token once the step has succeeded.
  fileprivate func clientsWithToken(default client: String) -> Set<String> {
    if case .parallel(let members) = action {
      return members.reduce(into: []) { $0.formUnion($1.clientsWithToken(default: client)) }
    }
    return acquiresToken ? [self.client?.value ?? client] : []
  }
}

extension Diagnostic {
  fileprivate static func callBeforeToken(_ step: Step, isEver: Bool) -> Diagnostic {
    Diagnostic(
      .warning, rule: WorkflowCheck.callBeforeToken.id,
      isEver
        ? "\(step.id) can be reached without a token: then nothing is sent, and it ends in unauthorized"
        : "no token was acquired before \(step.id): nothing is sent, and it ends in unauthorized",
      help: isEver
        ? "see to it that every way there acquires one" : "put loadAccount, silent and interactive-fallback before it",
      at: step.place)
  }
}
