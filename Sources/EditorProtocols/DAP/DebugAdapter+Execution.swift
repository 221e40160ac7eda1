import Documents
import Scenarios
import Synchronization
import WorkflowModel
import WorkflowRunner

// Requests that continue the run, forward or backward.

extension DebugAdapter {
  /// Returns the suspended run.
  func suspended() throws(DebugRequestFailure) -> (control: RunControl, stop: RunStop, program: DebugProgram) {
    let (control, stop, program, hasEnded) = state.withLock { ($0.control, $0.stop, $0.program, $0.hasEnded) }
    guard let control, let stop, let program else {
      if hasEnded { throw DebugRequestFailure("the run has ended") }
      throw control == nil ? DebugRequestFailure("the run has not started") : .notSuspended
    }
    return (control, stop, program)
  }

  func resume(_ command: String) throws(DebugRequestFailure) -> Reply {
    let (control, stop, _) = try suspended()
    let depth = stop.run.frames.count
    let mode: RunControl.Mode =
      switch command {
      case "next": .next(depth: max(1, depth))
      case "stepIn": .stepIn
      case "stepOut": .stepOut(depth: depth)
      default: .run
      }
    state.withLock { $0.stop = nil }
    var reply = Reply(command == "continue" ? ["allThreadsContinued": true] : nil)
    reply.afterwards = { control.resume(mode) }
    return reply
  }

  func pause() throws(DebugRequestFailure) -> Reply {
    let (control, stop) = state.withLock { ($0.control, $0.stop) }
    guard let control else { throw DebugRequestFailure("the run is not running") }
    guard stop == nil else { throw DebugRequestFailure("the run is already suspended") }
    var reply = Reply()
    reply.afterwards = { control.pause() }
    return reply
  }

  /// Runs the scenario again up to the previous step.
  func stepBack() throws(DebugRequestFailure) -> Reply {
    let (control, stop, program) = try suspended()
    guard let target = control.earlierStep(than: stop) else { throw DebugRequestFailure("there is no earlier step") }
    return travel(to: target, .step, from: control, program)
  }

  /// Runs the scenario again up to the previous breakpoint, or to the first step.
  func reverseContinue() throws(DebugRequestFailure) -> Reply {
    let (control, stop, program) = try suspended()
    guard let first = control.firstStep, first < stop.number else {
      throw DebugRequestFailure("there is no earlier step")
    }
    let simulated = control.simulated.filter { $0.number < stop.number }
    let (search, number) = self.control(.search(before: stop.number), program, simulated: simulated)
    var reply = Reply(["allThreadsContinued": true])
    reply.afterwards = { control.abort() }
    reply.work = { [world, tool] in
      _ = await program.test.run(in: world, tool: tool, debugger: search)
      guard self.state.withLock({ $0.execution == number }) else { return }
      let target = search.lastBreakpoint ?? first
      let reason: RunStop.Reason = search.lastBreakpoint == nil ? .entry : .breakpoint
      let (travel, next) = self.control(
        .travel(to: target, reason), program, simulated: simulated.filter { $0.number < target })
      await self.execute(program, travel, next)
    }
    return reply
  }

  /// Replaces the run with an execution that stops at an earlier point.
  private func travel(
    to target: Int, _ reason: RunStop.Reason, from control: RunControl, _ program: DebugProgram
  ) -> Reply {
    let (travel, number) = self.control(
      .travel(to: target, reason), program, simulated: control.simulated.filter { $0.number < target })
    var reply = Reply()
    reply.afterwards = { control.abort() }
    reply.work = { await self.execute(program, travel, number) }
    return reply
  }
}
