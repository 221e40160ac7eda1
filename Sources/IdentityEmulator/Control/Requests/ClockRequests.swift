import Documents
import Effects
import HTTPTypes

extension ControlRequest {
  static let clock = ControlRequest(method: .get, path: "clock", summary: "show the platform's time") { call in
    call.time
  }

  static let setClock = ControlRequest(
    method: .post, path: "clock",
    summary: "set the clock; `{\"set\": INSTANT}` or `{\"advance\": DURATION}`, such as `1h`",
    requiresBody: true
  ) { call throws(ControlError) in
    let body = try call.body()
    try call.members(["set", "advance"], of: body)
    switch (body["set"], body["advance"]) {
    case (let instant?, nil): try call.simulate([["clock": instant]])
    case (nil, let length?): try call.simulate([["wait": length]])
    default: throw ControlError("specify either `set` or `advance`")
    }
    return call.time
  }
}

extension ControlCall {
  fileprivate var time: JSON {
    let shift = platform.withState { $0.clockShift }
    return [
      "version": 1, "now": .string(platform.now.rfc3339(fractionDigits: 3)),
      // The offset of the emulator's clock from the machine's clock.
      "shiftSeconds": .integer(shift.components.seconds),
    ]
  }
}
