import DeclaredFields
import Diagnostics
import OrderedCollections

extension WorkflowCheck {
  /// A `client` that is none of the clients.
  static let unknownClient = WorkflowCheck(
    "unknown-client", .error, speaksOfUsed: false, "every client that a step names is one of the clients"
  ) { checked in
    let known = Array(checked.workflow.clients.keys)
    return checked.everyStep.compactMap { step in
      guard let client = step.client, !known.contains(client.value) else { return nil }
      return .unknownClient(client, known)
    }
  }
}

extension Diagnostic {
  fileprivate static func unknownClient(_ client: Located<String>, _ known: [String]) -> Diagnostic {
    Diagnostic(
      .error, rule: WorkflowCheck.unknownClient.id, "there is no client called \"\(client.value)\"",
      help: Suggestion.nearest(to: client.value, among: known).map { "did you mean \"\($0)\"?" }
        ?? (known.isEmpty
          ? "declare it: clients: {\(client.value): Settings.plist}" : "it is one of \(known.joined(separator: ", "))"),
      at: client.place)
  }
}
