import Documents
import HTTPTypes

extension ControlRequest {
  static let faults = ControlRequest(
    method: .get, path: "faults", summary: "list active and used faults, in the order in which they are tried"
  ) { call in call.faultList }

  static let addFaults = ControlRequest(
    method: .post, path: "faults", summary: "add a list of faults for requests of the same isolation",
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

extension ControlCall {
  fileprivate var faultList: JSON {
    let isolation = isolation
    return platform.withState { state in ["version": 1, "faults": Self.faults(state, isolation)] }
  }
}
