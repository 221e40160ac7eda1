import Debugging
import Directory
import Documents
import LanguageService
import Scenarios
import WorkflowModel
import WorkflowRunner

// The simulated directory and the events that change it.

extension StudioServer {
  /// Returns the users, apps, policies, and time in the suspended run. If no run is suspended, returns the state at the
  /// start of a run.
  func directory(_ body: JSON) async throws(StudioError) -> JSON {
    if let session = currentSession, session.status == .stopped, var state = await session.platformDirectory() {
      state["source"] = "run"
      return state
    }
    let path = try Self.text("path", in: body)
    let (loaded, _) = workspace.snapshot().loadWorkflow(path)
    guard let loaded else { throw StudioError("`\(path.prefix(200))` is not a workflow") }
    let named = body["scenario"]?.string.flatMap { loaded.firstCase(of: $0) }
    guard var state = await (named ?? loaded.caseOfWorkflow).directory(in: world) else {
      throw StudioError("a run that replays a recording has no directory")
    }
    state["source"] = "start"
    return state
  }

  /// The events that a scenario can simulate. The page generates each event's form from its schema.
  static var events: JSON {
    let schemas = SimulatedEvent.codec.schema()["anyOf"]?.array?.last?["properties"] ?? [:]
    return .array(
      EventKind.allCases.map { kind in
        [
          "name": .string(kind.rawValue), "summary": .string(kind.summary), "schema": schemas[kind.rawValue] ?? [:],
          "isControlRequest": .bool(kind.side != .client),
        ]
      })
  }
}
