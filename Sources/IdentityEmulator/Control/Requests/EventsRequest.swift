import Documents
import HTTPTypes

extension ControlRequest {
  static let events = ControlRequest(
    method: .post, path: "events", words: "a list of events, as in a scenario's given; all or none happen",
    takesBody: true
  ) { call throws(ControlError) in
    try call.simulate(try call.body())
    return call.state
  }
}
