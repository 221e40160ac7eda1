import Documents
import Effects
import HTTPTypes

extension ControlRequest {
  static let clock = ControlRequest(method: .get, path: "clock", words: "the platform's time") { call in call.time }

  static let setClock = ControlRequest(
    method: .post, path: "clock", words: "{\"set\": an instant} or {\"advance\": a duration such as 1h}",
    takesBody: true
  ) { call throws(ControlError) in
    let body = try call.body()
    try call.members(["set", "advance"], of: body)
    switch (body["set"], body["advance"]) {
    case (let instant?, nil): try call.simulate([["clock": instant]])
    case (nil, let length?): try call.simulate([["wait": length]])
    default: throw ControlError("say either set or advance")
    }
    return call.time
  }
}

extension ControlCall {
  fileprivate var time: JSON {
    let shift = platform.withState { $0.clockShift }
    return [
      "version": 1, "now": .string(platform.now.rfc3339(fractionDigits: 3)),
      // How far it is from the machine's own clock.
      "shiftSeconds": .integer(shift.components.seconds),
    ]
  }
}
