import Diagnostics
import Directory
import Documents
import OrderedCollections

extension WorkflowCheck {
  /// A `client` that is not declared in `clients`.
  static let unknownClient = WorkflowCheck(
    "unknown-client", .error, appliesToUsedWorkflows: false, "unknown client"
  ) { checked in
    let known = checked.workflow.clients
    let suggestions = NameGuess(Array(known.keys))
    let steps = checked.everyStep.compactMap { step -> Diagnostic? in
      guard let client = step.client, known[client.value] == nil else { return nil }
      return .unknownClient(client, suggestions, known.count)
    }
    // Events can also refer to an app by its client ID, which only the settings contain. A single app is named `app`.
    let apps: Set<String> = known.isEmpty ? ["app"] : Set(known.keys)
    let appSuggestions = known.isEmpty ? NameGuess(["app"]) : suggestions
    let events = checked.everyEvent.compactMap { event -> Diagnostic? in
      guard let name = event.source.literal?.event.subject.client, !apps.contains(name), !name.isGUID else {
        return nil
      }
      return .unknownClient(Positioned(name, at: event.place(of: name)), appSuggestions, apps.count)
    }
    return steps + events
  }
}

extension Diagnostic {
  fileprivate static func unknownClient(
    _ client: Positioned<String>, _ suggestions: NameGuess, _ knownCount: Int
  ) -> Diagnostic {
    let alternative: String? =
      switch knownCount {
      case 0: "declare it: `clients: {\(client.value): Settings.plist}`"
      case 1: "use \(suggestions.list)"
      default: nil
      }
    return Diagnostic(
      .error, rule: WorkflowCheck.unknownClient.id, "unknown client `\(client.value)`",
      help: suggestions.help(for: client.value, or: alternative), at: client.place)
  }
}

extension String {
  /// Whether the string looks like a client ID: 8-4-4-4-12 hexadecimal digits.
  fileprivate var isGUID: Bool {
    let groups = split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.joined().allSatisfy(\.isHexDigit)
  }
}
