import Documents
import Effects
import HTTPTypes

extension ControlRequest {
  static let reset = ControlRequest(
    method: .post, path: "reset",
    words: "everything as at the start, apps stay registered; of one isolation only its faults, counts and trail"
  ) { call in
    if let isolation = call.isolation {
      call.platform.withState { $0.remove(isolation: isolation) }
    } else {
      call.platform.withState { $0.reset(to: call.platform.directory, now: call.platform.clock.now) }
    }
    return call.state
  }
}
