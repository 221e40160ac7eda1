import Directory
import Documents
import Effects
import OrderedCollections
import PublicClient
import RunTrace
import WorkflowModel

/// When something simulate: who sits there and which app it is about, where nothing else is said.
struct EventContext: Sendable {
  var scope: ValueScope
  var seat: UserBehaviorProvider.Occupant
  var app: AppClient
}

extension StepPerformer {
  /// Brings about what is given, before the first step; counting begins afterwards.
  func bringAbout(_ given: [WorkflowModel.ScriptedEvent], scope: ValueScope) async throws(UnresolvedValue) {
    if !given.isEmpty, let app = apps.values.first {
      let occasion = EventContext(scope: scope, seat: seat([], scope), app: app)
      let report = try await simulate(given, occasion)
      guard report.outcome == "success" else { throw UnresolvedValue("what is given was interrupted") }
    }
    await startCounting()
  }

  /// Brings about what is to happen right before a step.
  func bringAbout(
    _ events: [WorkflowModel.ScriptedEvent], before step: String, scope: ValueScope
  ) async throws(UnresolvedValue) {
    guard let app = apps.values.first else { return }
    let report = try await simulate(events, EventContext(scope: scope, seat: seat([], scope), app: app))
    guard report.outcome == "success" else { throw UnresolvedValue("it was interrupted") }
  }

  /// Makes things happen, in order. What the platform does goes over its control interface, the one that other programs'
  /// tests use too; what the clock and the app do happens here.
  func simulate(
    _ events: [WorkflowModel.ScriptedEvent], _ occasion: EventContext
  ) async throws(UnresolvedValue) -> StepReport {
    for event in events {
      guard let written = try event.written.resolved(in: occasion.scope) else { continue }
      do throws(EventError) {
        switch written.event.event {
        case .wait(let length): try await pass(length)
        case .clock(let instant):
          guard let set = setup.setClock else { throw .impossible("the clock of this run cannot be set", help: nil) }
          set(instant)
        case .accessTokenExpired:
          guard try await passUntilAccessTokensExpire() else {
            throw .impossible("the cache holds no access token", help: "let somebody sign in before: signedIn")
          }
        case .refreshTokenExpired:
          try await ask(event, written, occasion)
          // No access token outlives the refresh token that it came with.
          _ = try await passUntilAccessTokensExpire()
        case .signedIn:
          try await uncounted { () throws(EventError) in try await signIn(written.event.subject, occasion) }
        case .signedOut:
          try await uncounted { () throws(EventError) in try await signOut(written.event.subject, occasion) }
        case .deviceShared: try share()
        case .cacheCorrupted:
          try corruptCaches()
          tellCache(reason: "the cache was damaged", evenIfEmpty: true)
        case .cacheLoaded(let file):
          try loadCache(file, namedAt: event.place)
          tellCache(reason: "the cache was replaced", evenIfEmpty: true)
        default: try await ask(event, written, occasion)
        }
      } catch {
        switch error {
        case .interrupted: return StepReport("timedOut")
        case .impossible(let reason, let help):
          throw UnresolvedValue("\(event.kind.rawValue) did not happen: \(reason)", help: help, at: event.place)
        }
      }
      trace.recordDecision("event", event.kind.rawValue, reason: event.kind.words)
    }
    return StepReport("success")
  }

  /// Why something did not happen.
  enum EventError: Error {
    case interrupted
    case impossible(String, help: String?)
  }

  func pass(_ length: Duration) async throws(EventError) {
    do { try await setup.world.clock.sleep(for: length) } catch { throw .interrupted }
  }

  /// What the world around the app asks of the platform is none of the run's requests.
  private func uncounted(_ body: () async throws(EventError) -> Void) async throws(EventError) {
    let before = requests(toldBy: await platformState())
    try await body()
    let after = requests(toldBy: await platformState())
    chronicle.leaveOut(after.merging(before) { $0 - $1 })
  }
}
