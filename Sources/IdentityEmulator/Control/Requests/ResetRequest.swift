import Documents
import Effects
import HTTPTypes

extension ControlRequest {
  static let reset = ControlRequest(
    method: .post, path: "reset",
    summary: "reset all state except registered apps, or only the faults, counts, and log of an isolation"
  ) { call in
    if let isolation = call.isolation {
      call.platform.withState { $0.remove(isolation: isolation) }
    } else {
      call.platform.withState { $0.reset(to: call.platform.directory, now: call.platform.clock.now) }
    }
    return call.state
  }
}
