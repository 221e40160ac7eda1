import Documents
import Effects
import OrderedCollections
import RunTrace
import WorkflowModel

extension StepPerformer {
  func wait(_ duration: Resolvable<Duration>, _ performance: StepInvocation) async throws(UnresolvedValue) -> StepReport
  {
    guard let duration = try duration.resolved(in: performance.scope) else { return StepReport(.success) }
    if let longest = setup.longestWait, duration > longest {
      throw UnresolvedValue(
        "a wait of \(words(duration)) is too long for the \(setup.platform) platform",
        help: "wait at most \(words(longest)), or use the emulator, whose clock is virtual")
    }
    let until = setup.world.clock.now + duration
    trace.recordDecision(
      "wait", "begun", reason: "until \(until.rfc3339())",
      ["until": .init(until.rfc3339(fractionDigits: 3)), "detail": true])
    do {
      try await setup.world.clock.sleep(for: duration)
    } catch {
      return StepReport(.timedOut)
    }
    trace.recordDecision("wait", "over", reason: "now \(setup.world.clock.now.rfc3339())")
    return StepReport(.success, facts: ["$": .string(setup.world.clock.now.rfc3339())])
  }
}
