import Directory
import Documents
import Effects
import OrderedCollections
import PublicClient
import RunTrace
import WorkflowModel

/// The default user and app of an event.
struct EventContext: Sendable {
  var scope: ValueScope
  var userBehavior: UserBehaviorProvider.Occupant
  var app: AppClient
}

extension StepPerformer {
  /// Executes the preconditions. The run counts requests and interactions only after the preconditions.
  func bringAbout(_ given: [WorkflowModel.ScriptedEvent], scope: ValueScope) async throws(UnresolvedValue) {
    if !given.isEmpty, let app = apps.values.first {
      let context = EventContext(scope: scope, userBehavior: userBehavior([], scope), app: app)
      let report = try await simulate(given, context)
      guard report.outcome == .success else { throw UnresolvedValue("preconditions were interrupted") }
    }
    await startCounting()
  }

  /// Executes the events that occur before a step.
  func bringAbout(
    _ events: [WorkflowModel.ScriptedEvent], before step: String, scope: ValueScope
  ) async throws(UnresolvedValue) {
    guard let app = apps.values.first else { return }
    let report = try await simulate(events, EventContext(scope: scope, userBehavior: userBehavior([], scope), app: app))
    guard report.outcome == .success else { throw UnresolvedValue("interrupted") }
  }

  /// Executes events in order. The control interface executes platform events, as it does for the tests of other
  /// programs. This method itself executes clock and app events.
  func simulate(
    _ events: [WorkflowModel.ScriptedEvent], _ context: EventContext
  ) async throws(UnresolvedValue) -> StepReport {
    for event in events {
      guard let written = try event.source.resolved(in: context.scope) else { continue }
      do throws(EventError) {
        switch written.event.event {
        case .wait(let length): try await pass(length)
        case .clock(let instant):
          guard let set = setup.setClock else { throw .impossible("this run cannot change its clock", help: nil) }
          set(instant)
        case .accessTokenExpired:
          guard try await passUntilAccessTokensExpire() else {
            throw .impossible("the cache contains no access token", help: "add `signedIn` before this event")
          }
        case .refreshTokenExpired:
          try await ask(event, written, context)
          // An access token never expires later than the refresh token in the same response.
          _ = try await passUntilAccessTokensExpire()
        case .signedIn:
          try await uncounted { () throws(EventError) in try await signIn(written.event.subject, context) }
        case .signedOut:
          try await uncounted { () throws(EventError) in try await signOut(written.event.subject, context) }
        case .deviceShared: try share()
        case .cacheCorrupted:
          try corruptCaches()
          traceCache(reason: "the cache was damaged", evenIfEmpty: true)
        case .cacheLoaded(let file):
          try loadCache(file, namedAt: event.place)
          traceCache(reason: "the cache was replaced", evenIfEmpty: true)
        default: try await ask(event, written, context)
        }
      } catch {
        switch error {
        case .interrupted: return StepReport(.timedOut)
        case .impossible(let reason, let help):
          throw UnresolvedValue("`\(event.kind.rawValue)` failed: \(reason)", help: help, at: event.place)
        }
      }
      trace.recordDecision("event", event.kind.rawValue, reason: event.kind.summary)
    }
    return StepReport(.success)
  }

  /// An error that explains why an event failed.
  enum EventError: Error {
    case interrupted
    case impossible(String, help: String?)
  }

  func pass(_ length: Duration) async throws(EventError) {
    do { try await setup.world.clock.sleep(for: length) } catch { throw .interrupted }
  }

  /// Executes an event without counting its requests in the run.
  private func uncounted(_ body: () async throws(EventError) -> Void) async throws(EventError) {
    let before = requests(reportedBy: await platformState())
    try await body()
    let after = requests(reportedBy: await platformState())
    baseline.leaveOut(after.merging(before) { $0 - $1 })
  }
}
