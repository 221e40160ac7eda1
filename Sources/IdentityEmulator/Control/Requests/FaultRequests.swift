import Documents
import HTTPTypes

extension ControlRequest {
  static let faults = ControlRequest(
    method: .get, path: "faults", summary: "list active and used faults, in the order in which the emulator tries them"
  ) { call in call.faultList }

  static let addFaults = ControlRequest(
    method: .post, path: "faults", summary: "add a list of faults for requests in the same isolation",
    requiresBody: true
  ) { call throws(ControlError) in
    try call.simulate(.array(try call.list().map { ["fault": $0] }))
    return call.faultList
  }

  static let removeFaults = ControlRequest(
    method: .delete, path: "faults", summary: "remove the faults of an isolation, or all faults"
  ) { call in
    let isolation = call.isolation
    call.platform.withState { state in
      state.faults.removeAll { isolation == nil || $0.isolation == isolation }
    }
    return call.faultList
  }
}

extension ControlRequest {
  static let removeFault = ControlRequest(
    method: .delete, path: "faults/{number}", summary: "remove a single fault"
  ) { call throws(ControlError) in
    let number = Int(call.values[0])
    let isRemoved = call.platform.withState { state -> Bool in
      let count = state.faults.count
      state.faults.removeAll { $0.number == number }
      return state.faults.count < count
    }
    guard isRemoved else {
      throw ControlError(
        "unknown fault `\(call.values[0].prefix(20))`; `GET /_authflow/faults` lists the numbers of all faults",
        status: .notFound)
    }
    return call.faultList
  }
}

extension ControlCall {
  fileprivate var faultList: JSON {
    let isolation = isolation
    return platform.withState { state in ["version": 1, "faults": Self.faults(state, isolation)] }
  }
}
