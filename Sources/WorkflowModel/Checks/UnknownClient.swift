import Diagnostics
import Directory
import Documents
import OrderedCollections

extension WorkflowCheck {
  /// A `client` that `clients` does not declare.
  static let unknownClient = WorkflowCheck(
    "unknown-client", .error, appliesToUsedWorkflows: false, "unknown client"
  ) { checked in
    let known = checked.workflow.clients
    let guess = NameGuess(Array(known.keys))
    let steps = checked.everyStep.compactMap { step -> Diagnostic? in
      guard let client = step.client, known[client.value] == nil else { return nil }
      return .unknownClient(client, guess, known.count)
    }
    // Events can also name an app by its client ID, which only the settings contain. A single app is named `app`.
    let apps: Set<String> = known.isEmpty ? ["app"] : Set(known.keys)
    let guessedApp = known.isEmpty ? NameGuess(["app"]) : guess
    let events = checked.everyEvent.compactMap { event -> Diagnostic? in
      guard let name = event.source.literal?.event.subject.client, !apps.contains(name), !name.isGUID else {
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
      .error, rule: WorkflowCheck.unknownClient.id, "unknown client `\(client.value)`",
      help: guess.nearest(to: client.value).map { "did you mean `\($0)`?" }
        ?? (known == 0
          ? "declare it: `clients: {\(client.value): Settings.plist}`"
          : known == 1 ? "use \(guess.list)" : "use one of \(guess.list)"),
      at: client.place)
  }
}

extension String {
  /// Whether the string has the form of a client ID: 8-4-4-4-12 hexadecimal digits.
  fileprivate var isGUID: Bool {
    let groups = split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.joined().allSatisfy(\.isHexDigit)
  }
}
