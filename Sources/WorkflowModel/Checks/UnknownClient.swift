import Diagnostics
import Directory
import Documents
import OrderedCollections

extension WorkflowCheck {
  /// A `client` that is none of the clients.
  static let unknownClient = WorkflowCheck(
    "unknown-client", .error, speaksOfUsed: false, "every client that a step names is one of the clients"
  ) { checked in
    let known = checked.workflow.clients
    let guess = NameGuess(Array(known.keys))
    let steps = checked.everyStep.compactMap { step -> Diagnostic? in
      guard let client = step.client, known[client.value] == nil else { return nil }
      return .unknownClient(client, guess, known.count)
    }
    // What happens may also name an app by its client id, which only its settings know; a single app is called `app`.
    let apps: Set<String> = known.isEmpty ? ["app"] : Set(known.keys)
    let guessedApp = known.isEmpty ? NameGuess(["app"]) : guess
    let events = checked.everyEvent.compactMap { event -> Diagnostic? in
      guard let name = event.written.literal?.event.subject.client, !apps.contains(name), !name.isGUID else {
        return nil
      }
      return .unknownClient(Positioned(name, at: event.place(of: name)), guessedApp, apps.count)
    }
    return steps + events
  }
}

extension Diagnostic {
  fileprivate static func unknownClient(_ client: Positioned<String>, _ guess: NameGuess, _ known: Int) -> Diagnostic {
    Diagnostic(
      .error, rule: WorkflowCheck.unknownClient.id, "there is no client called \"\(client.value)\"",
      help: guess.nearest(to: client.value).map { "did you mean \"\($0)\"?" }
        ?? (known == 0
          ? "declare it: clients: {\(client.value): Settings.plist}"
          : known == 1 ? "the only one is \(guess.list)" : "it is one of \(guess.list)"),
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
