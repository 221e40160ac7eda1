import Diagnostics
import Directory
import Documents
import OrderedCollections

extension WorkflowCheck {
  /// A `cacheLoaded` event whose file does not exist or is not a token cache.
  static let scenarioFile = WorkflowCheck(
    "scenario-file", .error, appliesToUsedWorkflows: false, "token cache file that cannot be loaded"
  ) { checked in
    guard let context = checked.context else { return [] }
    return checked.everyEvent.compactMap { event -> Diagnostic? in
      guard case .cacheLoaded(let name)? = event.source.literal?.event.event else { return nil }
      let path = FilePath.join(FilePath.folder(of: event.place.source.name), name)
      let result = context.load(path)
      let place = event.place(of: name)
      if result.document == nil || result.diagnostics.hasErrors {
        let reason = result.diagnostics.first { $0.severity == .error }?.message
        return Diagnostic(
          .error, rule: "scenario-file", "cannot load token cache `\(path)`\(reason.map { ": \($0)" } ?? "")",
          help: "use a path relative to the workflow; `authflow cache export` writes a token cache", at: place)
      }
      guard result.document?.root.kind != .mapping else { return nil }
      return Diagnostic(
        .error, rule: "scenario-file", "`\(path)` is not a token cache",
        help: "use a file with MSAL's unified schema in JSON; `authflow cache export` writes one", at: place)
    }.withoutDuplicates
  }
}

extension CheckedWorkflow {
  /// All events in steps and scenarios. An event that several matrix rows share is listed only once.
  var everyEvent: [ScriptedEvent] {
    var seen: Set<FileSpan.Start> = []
    return (everyStep.flatMap(\.events) + cases.flatMap(\.body.events)).filter {
      $0.place.span == nil || seen.insert($0.place.identity).inserted
    }
  }
}

extension Step {
  /// The events of a `simulate` step. Empty for other step types.
  var events: [ScriptedEvent] { if case .simulate(let events) = action { events } else { [] } }
}

extension ScenarioBody {
  /// The preconditions and the events before steps.
  var events: [ScriptedEvent] { (given ?? []) + before.values.flatMap(\.events) }
}
