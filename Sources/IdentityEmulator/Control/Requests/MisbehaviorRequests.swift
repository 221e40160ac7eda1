import Directory
import Documents
import HTTPTypes
import OrderedCollections

extension ControlRequest {
  static let misbehaviors = ControlRequest(
    method: .get, path: "misbehaviors",
    words: "every way in which the platform can break the protocol, and whether it does so now"
  ) { call in call.misbehaviors }

  static let setMisbehaviors = ControlRequest(
    method: .post, path: "misbehaviors", words: "{\"on\": [names], \"off\": [names]}, or {\"off\": \"all\"}",
    takesBody: true
  ) { call throws(ControlError) in
    let body = try call.body()
    try call.members(["on", "off"], of: body)
    func list(_ name: String) throws(ControlError) -> [JSON] {
      guard let value = body[name] else { return [] }
      guard let list = value.array else { throw ControlError("\(name) must be a list of names") }
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
        Misbehavior.allCases.map { way in
          ["name": .string(way.rawValue), "words": .string(way.words), "active": .bool(active.contains(way))]
        }),
    ]
  }
}
