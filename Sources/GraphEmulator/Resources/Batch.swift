import Documents
import Effects
import HTTPTypes
import OAuth
import OrderedCollections

/// `$batch`: up to 20 requests combined in one request. They run in an order that satisfies `dependsOn`.
extension GraphService {
  func batch(_ call: GraphRequestContext, in world: GraphDependencies) async throws(GraphErrorResponse) -> GraphResponse
  {
    guard call.method == .post else { throw .methodNotAllowed }
    let parts = try BatchPart.all(in: try call.object())
    var responses: OrderedDictionary<String, JSON> = [:]
    var succeeded: [String: Bool] = [:]
    // The batch response's header contains the first unsupported request, because the request log shows this header.
    var headers = HTTPFields()
    for part in parts {
      let result: JSON
      if part.dependsOn.contains(where: { succeeded[$0] != true }) {
        result = part.response(
          status: 424, headers: [:],
          body: [
            "error": ["code": "FailedDependency", "message": "The request depends on a request that did not succeed."]
          ])
      } else {
        let response = await self.response(to: part.request(within: call), in: world)
        if headers.isEmpty, let missing = response.head.headerFields[.notEmulated] { headers[.notEmulated] = missing }
        result = part.response(to: response)
      }
      let status = result["status"]?.integer ?? 0
      succeeded[part.id] = (200..<300).contains(status)
      responses[part.id] = result
    }
    return GraphResponse(headers: headers, body: .json(["responses": .array(Array(responses.values))]))
  }
}

/// One request in a batch.
struct BatchPart: Sendable {
  var id: String
  var method: HTTPRequest.Method
  var url: String
  var headers: HTTPFields
  var body: [UInt8]
  var dependsOn: [String]

  /// Parses the requests in a batch and sorts them so that each request follows its dependencies.
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
        throw .malformed("Request Id: \(part.id) must be unique in a batch.")
      }
      parts.append(part)
    }
    for part in parts {
      guard part.dependsOn.allSatisfy({ seen.contains($0) && $0 != part.id }) else {
        throw .malformed("Request \(part.id) depends on a request that is not in the batch.")
      }
    }
    return try ordered(parts)
  }

  /// Sorts the requests so that each request follows its dependencies.
  private static func ordered(_ parts: [BatchPart]) throws(GraphErrorResponse) -> [BatchPart] {
    var ordered: [BatchPart] = []
    var done: Set<String> = []
    var rest = parts
    while !rest.isEmpty {
      guard let next = rest.firstIndex(where: { part in part.dependsOn.allSatisfy { done.contains($0) } }) else {
        throw .malformed("The requests in the batch have circular dependencies.")
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
      throw .malformed("Request \(id) in the batch does not have a method.")
    }
    guard let url = json.member("url")?.string, !url.isEmpty else {
      throw .malformed("Request \(id) in the batch does not have a url.")
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
      // A body that is not JSON is a Base64 string.
      let isJSON = headers[.contentType]?.lowercased().contains("json") ?? false
      body = isJSON ? Array(text.utf8) : (try? Base64.decode(text)) ?? Array(text.utf8)
    case .some(let json):
      guard headers[.contentType] != nil else {
        throw .malformed("Request \(id) in the batch has a body and requires the header Content-Type.")
      }
      body = Array(json.text(sortedKeys: false).utf8)
    }
    // Some libraries always send `depends_on`, usually with an empty list.
    dependsOn = (json.member("dependsOn") ?? json.member("depends_on"))?.array?.compactMap(\.string) ?? []
  }

  /// Returns this part as a separate request with the batch request's token.
  func request(within call: GraphRequestContext) -> GraphRequest {
    var url = url[...]
    // Some libraries send absolute URLs. Remove the scheme, host, and version.
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

  func response(to message: ResponseMessage) -> JSON {
    var fields: OrderedDictionary<String, JSON> = [:]
    // Omit headers that apply to the connection or to the whole batch.
    for field in message.head.headerFields
    where [
      "content-type", "cache-control", "location", "retry-after", "etag", "preference-applied", "www-authenticate",
      "x-authflow-not-emulated",
    ]
    .contains(field.name.canonicalName) {
      fields[field.name.rawName] = .string(field.value)
    }
    let isJSON = message.head.headerFields[.contentType]?.hasPrefix("application/json") ?? false
    if isJSON { fields["Content-Type"] = "application/json" }
    let body: JSON? =
      if message.body.isEmpty {
        nil
      } else if isJSON, let json = try? JSON(parsing: message.body) {
        json
      } else {
        .string(Base64.encode(message.body))
      }
    return response(status: message.head.status.code, headers: fields, body: body)
  }

  func response(status: Int, headers: OrderedDictionary<String, JSON>, body: JSON?) -> JSON {
    var members: OrderedDictionary<String, JSON> = ["id": .string(id), "status": .integer(Int64(status))]
    if !headers.isEmpty { members["headers"] = .object(headers) }
    if let body { members["body"] = body }
    return .object(members)
  }
}
