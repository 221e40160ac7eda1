import Documents
import Effects
import HTTPTypes
import OAuth
import OrderedCollections

/// `$batch`: up to twenty requests in one, with the order that `dependsOn` asks for.
extension GraphService {
  func batch(_ call: GraphRequestContext, in world: GraphDependencies) async throws(GraphErrorResponse) -> GraphResponse
  {
    guard call.method == .post else { throw .methodNotAllowed }
    let parts = try BatchPart.all(in: try call.object())
    var responses: OrderedDictionary<String, JSON> = [:]
    var succeeded: [String: Bool] = [:]
    // The header of the whole answer names the first one, so that the trail says it too.
    var headers = HTTPFields()
    for part in parts {
      let answer: JSON
      if part.dependsOn.contains(where: { succeeded[$0] != true }) {
        answer = part.response(
          status: 424, headers: [:],
          body: [
            "error": ["code": "FailedDependency", "message": "A request that this one depends on did not succeed."]
          ])
      } else {
        let response = await self.answer(part.request(within: call), in: world)
        if headers.isEmpty, let missing = response.head.headerFields[.notEmulated] { headers[.notEmulated] = missing }
        answer = part.response(to: response)
      }
      let status = answer["status"]?.integer ?? 0
      succeeded[part.id] = (200..<300).contains(status)
      responses[part.id] = answer
    }
    return GraphResponse(headers: headers, body: .json(["responses": .array(Array(responses.values))]))
  }
}

/// One request of a batch.
struct BatchPart: Sendable {
  var id: String
  var method: HTTPRequest.Method
  var url: String
  var headers: HTTPFields
  var body: [UInt8]
  var dependsOn: [String]

  /// The requests of a batch's body. A request may depend only on earlier ones, so one pass serves all.
  static func all(in body: JSON) throws(GraphErrorResponse) -> [BatchPart] {
    guard let requests = body.member("requests")?.array, !requests.isEmpty else {
      throw .malformed("Invalid batch payload format.")
    }
    guard requests.count <= 20 else {
      throw .malformed("Number of batch request steps exceeds the maximum value of 20.")
    }
    var parts: [BatchPart] = []
    var seen: Set<String> = []
    for json in requests {
      let part = try BatchPart(json)
      guard seen.insert(part.id).inserted else {
        throw .malformed("Request Id: \(part.id) has to be unique in a batch.")
      }
      parts.append(part)
    }
    for part in parts {
      guard part.dependsOn.allSatisfy({ seen.contains($0) && $0 != part.id }) else {
        throw .malformed("Request \(part.id) depends on a request that the batch does not have.")
      }
    }
    return try ordered(parts)
  }

  /// The same requests, each after those that it depends on.
  private static func ordered(_ parts: [BatchPart]) throws(GraphErrorResponse) -> [BatchPart] {
    var ordered: [BatchPart] = []
    var done: Set<String> = []
    var rest = parts
    while !rest.isEmpty {
      guard let next = rest.firstIndex(where: { part in part.dependsOn.allSatisfy { done.contains($0) } }) else {
        throw .malformed("The requests of the batch depend on one another in a circle.")
      }
      done.insert(rest[next].id)
      ordered.append(rest.remove(at: next))
    }
    return ordered
  }

  private init(_ json: JSON) throws(GraphErrorResponse) {
    let idText = json.member("id").flatMap { $0.string ?? $0.integer.map { String($0) } }
    guard let id = idText, !id.isEmpty else {
      throw .malformed("Request Id cannot be empty in a batch.")
    }
    guard let name = json.member("method")?.string, let method = HTTPRequest.Method(name.uppercased()) else {
      throw .malformed("Request \(id) of the batch has no method.")
    }
    guard let url = json.member("url")?.string, !url.isEmpty else {
      throw .malformed("Request \(id) of the batch has no url.")
    }
    self.id = id
    self.method = method
    self.url = url
    headers = HTTPFields()
    for (name, value) in json.member("headers")?.object ?? [:] {
      if let field = HTTPField.Name(name), let text = value.string { headers[field] = text }
    }
    switch json.member("body") {
    case nil, .null: body = []
    case .some(.string(let text)):
      // A body that is no JSON comes as base64.
      let isJSON = headers[.contentType]?.lowercased().contains("json") ?? false
      body = isJSON ? Array(text.utf8) : (try? Base64.decode(text)) ?? Array(text.utf8)
    case .some(let json):
      guard headers[.contentType] != nil else {
        throw .malformed("Request \(id) of the batch has a body and needs the header Content-Type.")
      }
      body = Array(json.text(sortedKeys: false).utf8)
    }
    // Some libraries write `depends_on`, always, and mostly empty.
    dependsOn = (json.member("dependsOn") ?? json.member("depends_on"))?.array?.compactMap(\.string) ?? []
  }

  /// The request as if it had come alone, with the token of the batch.
  func request(within call: GraphRequestContext) -> GraphRequest {
    var url = url[...]
    // Some libraries send absolute URLs: scheme, host and version are taken off.
    if let schemeEnd = url.firstRange(of: "://") {
      url = url[schemeEnd.upperBound...].drop { $0 != "/" }
    }
    if !url.hasPrefix("/") { url = "/" + url }
    for version in ["/v1.0/", "/beta/"] where url.lowercased().hasPrefix(version) {
      url = url.dropFirst(version.count - 1)
    }
    let target = "/\(call.version)\(url)"
    let path = String(target.prefix { $0 != "?" })
    var message = call.request.message
    message.head.method = method
    message.head.path = target
    message.head.headerFields = headers
    message.body = body
    var request = call.request
    request.message = message
    request.path = path
    request.query = String(target.dropFirst(path.count + 1))
    return request
  }

  func response(to answer: ResponseMessage) -> JSON {
    var fields: OrderedDictionary<String, JSON> = [:]
    // Headers about the connection and the whole batch are not repeated inside.
    for field in answer.head.headerFields
    where [
      "content-type", "cache-control", "location", "retry-after", "etag", "preference-applied", "www-authenticate",
      "x-authflow-not-emulated",
    ]
    .contains(field.name.canonicalName) {
      fields[field.name.rawName] = .string(field.value)
    }
    let isJSON = answer.head.headerFields[.contentType]?.hasPrefix("application/json") ?? false
    if isJSON { fields["Content-Type"] = "application/json" }
    let body: JSON? =
      if answer.body.isEmpty {
        nil
      } else if isJSON, let json = try? JSON(parsing: answer.body) {
        json
      } else {
        .string(Base64.encode(answer.body))
      }
    return response(status: answer.head.status.code, headers: fields, body: body)
  }

  func response(status: Int, headers: OrderedDictionary<String, JSON>, body: JSON?) -> JSON {
    var members: OrderedDictionary<String, JSON> = ["id": .string(id), "status": .integer(Int64(status))]
    if !headers.isEmpty { members["headers"] = .object(headers) }
    if let body { members["body"] = body }
    return .object(members)
  }
}
