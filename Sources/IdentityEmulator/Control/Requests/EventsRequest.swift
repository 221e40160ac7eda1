import Documents
import HTTPTypes

extension ControlRequest {
  static let events = ControlRequest(
    method: .post, path: "events",
    summary: "apply a list of events, in the format of a scenario's `given`; if any event is invalid, none are applied",
    requiresBody: true
  ) { call throws(ControlError) in
    try call.simulate(try call.body())
    return call.state
  }
}
