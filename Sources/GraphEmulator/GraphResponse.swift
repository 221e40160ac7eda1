import Documents
import HTTPTypes
import OrderedCollections

/// A response without the headers that all Graph responses have in common.
struct GraphResponse: Sendable {
  enum Body: Sendable {
    case none
    case json(JSON)
    case bytes([UInt8], mediaType: String)
  }

  var status: Int
  var headers: HTTPFields
  var body: Body

  init(_ status: Int = 200, headers: HTTPFields = [:], body: Body = .none) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Returns a response that contains one entity, with `@odata.context` as its first member.
  static func entity(_ json: JSON, context: String, status: Int = 200, headers: HTTPFields = [:]) -> GraphResponse {
    var members: OrderedDictionary<String, JSON> = ["@odata.context": .string(context)]
    for (key, value) in json.object ?? [:] { members[key] = value }
    return GraphResponse(status, headers: headers, body: .json(.object(members)))
  }

  static let noContent = GraphResponse(204)
}
