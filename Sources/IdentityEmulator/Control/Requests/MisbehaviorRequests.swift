import Directory
import Documents
import HTTPTypes
import OrderedCollections

extension ControlRequest {
  static let misbehaviors = ControlRequest(
    method: .get, path: "misbehaviors",
    summary: "list all misbehaviors and whether they are active"
  ) { call in call.misbehaviors }

  static let setMisbehaviors = ControlRequest(
    method: .post, path: "misbehaviors",
    summary: "start or stop misbehaviors; `{\"on\": [NAME], \"off\": [NAME]}` or `{\"off\": \"all\"}`",
    requiresBody: true
  ) { call throws(ControlError) in
    let body = try call.body()
    try call.members(["on", "off"], of: body)
    func list(_ name: String) throws(ControlError) -> [JSON] {
      guard let value = body[name] else { return [] }
      guard let list = value.array else { throw ControlError("`\(name)` must be a list of names") }
      return list
    }
    let ends: [JSON] =
      body["off"]?.string == "all" ? ["stopsMisbehaving"] : try list("off").map { ["stopsMisbehaving": $0] }
    try call.simulate(.array(ends + (try list("on").map { ["misbehaves": $0] })))
    return call.misbehaviors
  }
}

extension ControlCall {
  fileprivate var misbehaviors: JSON {
    let active = platform.withState { $0.misbehaviors }
    return [
      "version": 1,
      "misbehaviors": .array(
        Misbehavior.allCases.map { misbehavior in
          [
            "name": .string(misbehavior.rawValue), "summary": .string(misbehavior.summary),
            "active": .bool(active.contains(misbehavior)),
          ]
        }),
    ]
  }
}
