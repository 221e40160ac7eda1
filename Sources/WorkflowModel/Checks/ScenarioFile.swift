import Diagnostics
import Directory
import Documents
import OrderedCollections

extension WorkflowCheck {
  /// A token cache that is to be loaded from a file that is not there, or is no cache.
  static let scenarioFile = WorkflowCheck(
    "scenario-file", .error, speaksOfUsed: false, "the cache that a scenario loads is a file beside the workflow"
  ) { checked in
    guard let surroundings = checked.surroundings else { return [] }
    return checked.everyEvent.compactMap { event -> Diagnostic? in
      guard case .cacheLoaded(let name)? = event.written.literal?.event.event else { return nil }
      let path = FilePath.join(FilePath.folder(of: event.place.source.name), name)
      let reading = surroundings.load(path)
      let place = event.place(of: name)
      if reading.document == nil || reading.diagnostics.hasErrors {
        let reason = reading.diagnostics.first { $0.severity == .error }?.message
        return Diagnostic(
          .error, rule: "scenario-file", "the cache cannot be loaded from \(path)\(reason.map { ": \($0)" } ?? "")",
          help: "it is looked for beside the workflow; authflow cache export writes one", at: place)
      }
      guard reading.document?.root.kind != .mapping else { return nil }
      return Diagnostic(
        .error, rule: "scenario-file", "\(path) holds no token cache",
        help: "it must hold MSAL's unified schema as JSON; authflow cache export writes one", at: place)
    }.withoutRepetitions
  }
}

extension CheckedWorkflow {
  /// Everything that happens in a step, before a scenario or on its way, each once: the rows of a matrix share theirs.
  var everyEvent: [ScriptedEvent] {
    var seen: Set<FileSpan.Start> = []
    return (everyStep.flatMap(\.events) + cases.flatMap(\.body.events)).filter {
      $0.place.span == nil || seen.insert($0.place.identity).inserted
    }
  }
}

extension Step {
  /// What happens where the step is one of that kind.
  var events: [ScriptedEvent] { if case .simulate(let all) = action { all } else { [] } }
}

extension ScenarioBody {
  /// What is given, and what happens on the way.
  var events: [ScriptedEvent] { (given ?? []) + before.values.flatMap(\.events) }
}
