import Documents
import HTTPTypes

extension ControlRequest {
  static let happenings = ControlRequest(
    method: .post, path: "happenings", words: "a list of happenings, as in a scenario's given; all or none happen",
    takesBody: true
  ) { call throws(ControlError) in
    try call.happen(try call.body())
    return call.state
  }
}
