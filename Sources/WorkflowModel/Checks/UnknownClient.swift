import DeclaredFields
import Diagnostics
import Directory
import OrderedCollections

extension WorkflowCheck {
  /// A `client` that is none of the clients.
  static let unknownClient = WorkflowCheck(
    "unknown-client", .error, speaksOfUsed: false, "every client that a step names is one of the clients"
  ) { checked in
    let known = Array(checked.workflow.clients.keys)
    let steps = checked.everyStep.compactMap { step -> Diagnostic? in
      guard let client = step.client, !known.contains(client.value) else { return nil }
      return .unknownClient(client, known)
    }
    // What happens may also name an app by its client id, which only its settings know; a single app is called `app`.
    let apps = known.isEmpty ? ["app"] : known
    let happenings = checked.everyHappening.compactMap { happening -> Diagnostic? in
      guard let name = happening.written.literal?.happening.subject.client, !apps.contains(name), !name.isGUID else {
        return nil
      }
      return .unknownClient(Located(name, at: happening.place(of: name)), apps)
    }
    return steps + happenings
  }
}

extension Diagnostic {
  fileprivate static func unknownClient(_ client: Located<String>, _ known: [String]) -> Diagnostic {
    Diagnostic(
      .error, rule: WorkflowCheck.unknownClient.id, "there is no client called \"\(client.value)\"",
      help: Suggestion.nearest(to: client.value, among: known).map { "did you mean \"\($0)\"?" }
        ?? (known.isEmpty
          ? "declare it: clients: {\(client.value): Settings.plist}"
          : known.count == 1 ? "the only one is \(known[0])" : "it is one of \(known.joined(separator: ", "))"),
      at: client.place)
  }
}

extension String {
  /// Whether it is written as client ids are: 8-4-4-4-12 hexadecimal digits.
  fileprivate var isGUID: Bool {
    let groups = split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.joined().allSatisfy(\.isHexDigit)
  }
}
