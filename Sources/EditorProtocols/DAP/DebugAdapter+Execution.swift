import Debugging
import Documents

// Requests that continue the run, forward or backward.

extension DebugAdapter {
  func resume(_ command: String) throws(DebugFailure) -> Reply {
    _ = try session.suspended()
    let advance: DebugSession.Advance =
      switch command {
      case "next": .toNextStep
      case "stepIn": .intoStep
      case "stepOut": .outOfStep
      default: .toBreakpoint
      }
    var reply = Reply(command == "continue" ? ["allThreadsContinued": true] : nil)
    reply.afterwards = { [session] in try? session.resume(advance) }
    return reply
  }

  func pause() throws(DebugFailure) -> Reply {
    try session.checkRunning()
    var reply = Reply()
    reply.afterwards = { [session] in try? session.pause() }
    return reply
  }

  func stepBack() throws(DebugFailure) -> Reply {
    var reply = Reply()
    reply.work = try session.stepBack()
    return reply
  }

  func reverseContinue() throws(DebugFailure) -> Reply {
    var reply = Reply(["allThreadsContinued": true])
    reply.work = try session.reverse()
    return reply
  }
}
