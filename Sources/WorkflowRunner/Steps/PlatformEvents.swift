import AppRegistration
import Directory
import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OrderedCollections
import WorkflowModel

extension StepPerformer {
  /// Executes the event through the control interface.
  func ask(
    _ event: WorkflowModel.ScriptedEvent, _ written: WorkflowModel.ScriptedEvent.Source, _ context: EventContext
  ) async throws(EventError) {
    var json = written.json
    if let keys = event.kind.subjectKeys {
      json = [event.kind.rawValue: try subject(written.event, keys, context)]
    }
    let url = "https://\(context.app.settings.authority.environment)/_authflow/events"
    let body = JSON.array([json])
    guard
      let request = RequestMessage(
        method: .post, url: url, headers: [.contentType: "application/json"], body: Array(body.text().utf8))
    else { return }
    do throws(TransportFailure) {
      let response = try await setup.world.http.send(request)
      guard response.head.status.code != 200 else {
        if event.kind == .fault { baseline.fault(at: event.place) }
        return
      }
      let problems = (try? JSON(parsing: response.body))?["problems"]?.array?.compactMap(\.string) ?? []
      throw TransportFailure.badResponse(
        problems.isEmpty ? "\(response.head.status.code)" : problems.joined(separator: "; "))
    } catch {
      if case .badResponse(let reason) = error { throw .impossible(reason, help: nil) }
      throw .impossible(error.explanation, help: nil)
    }
  }

  /// Returns the subject in the format of the control interface, which identifies an app by its client ID.
  private func subject(
    _ event: Directory.SimulatedEvent, _ keys: [Directory.SimulatedEvent.Word.SubjectKey], _ context: EventContext
  ) throws(EventError) -> JSON {
    let subject = event.subject
    let app = try app(subject, context)
    var json: JSON = [:]
    for key in keys {
      switch key {
      case .user:
        // Without a user, `browserSignedOut` applies to all users.
        let isEverybodys = event.word == .browserSignedOut && subject.user == nil
        if !isEverybodys, let name = subject.user ?? user(context) { json["user"] = .string(name) }
      case .client: json["client"] = .string(app.settings.clientID)
      case .scopes:
        let granted = event.word == .consentGranted ? app.settings.scopes : nil
        if let scopes = subject.scopes ?? granted { json["scopes"] = .array(scopes.map { .string($0) }) }
      case .to:
        switch event.event {
        case .passwordChanged(let new?), .usernameChanged(let new?): json["to"] = .string(new)
        default: break
        }
      }
    }
    return json
  }
}
