import Directory
import Documents
import HTTPTypes
import OrderedCollections

extension ControlRequest {
  static let misbehaviours = ControlRequest(
    method: .get, path: "misbehaviours",
    words: "every way in which the platform can break the protocol, and whether it does so now"
  ) { call in call.misbehaviours }

  static let setMisbehaviours = ControlRequest(
    method: .post, path: "misbehaviours", words: "{\"on\": [names], \"off\": [names]}, or {\"off\": \"all\"}",
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
      body["off"]?.string == "all" ? ["behaves"] : try list("off").map { ["behaves": $0] }
    try call.happen(.array(ends + (try list("on").map { ["misbehaves": $0] })))
    return call.misbehaviours
  }
}

extension ControlCall {
  fileprivate var misbehaviours: JSON {
    let active = platform.withState { $0.misbehaviours }
    return [
      "version": 1,
      "misbehaviours": .array(
        Misbehavior.allCases.map { way in
          ["name": .string(way.rawValue), "words": .string(way.words), "active": .bool(active.contains(way))]
        }),
    ]
  }
}
