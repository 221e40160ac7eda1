import Documents
import HTTPTypes
import OrderedCollections

/// One request in a `$batch` call (JSON batching in Microsoft Graph).
package struct BatchRequest: Sendable {
  /// The maximum number of requests that Graph accepts in one batch.
  package static let limit = 20

  /// An id that is unique in the batch.
  package var id: String
  package var method: HTTPRequest.Method
  /// The path relative to the API version, such as `/me`.
  package var url: String
  package var headers: [(name: String, value: String)]
  /// The JSON body, or nil for a request without a body.
  package var body: JSON?
  /// The ids of the requests that must succeed before this request runs.
  package var dependsOn: [String]

  package init(
    id: String, method: HTTPRequest.Method = .get, url: String, headers: [(name: String, value: String)] = [],
    body: JSON? = nil, dependsOn: [String] = []
  ) {
    self.id = id
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.dependsOn = dependsOn
  }

  /// Returns the body of the batch request. If a request has a body, adds the `Content-Type` header that Graph
  /// requires.
  package static func envelope(_ requests: [BatchRequest]) throws(InvalidAPICall) -> JSON {
    guard requests.count <= limit else {
      throw InvalidAPICall("batch contains \(requests.count) requests (maximum: \(limit))")
    }
    var seen: Set<String> = []
    for request in requests {
      guard seen.insert(request.id).inserted else {
        throw InvalidAPICall("duplicate request id `\(request.id)` in the batch")
      }
    }
    for request in requests {
      for other in request.dependsOn where !seen.contains(other) || other == request.id {
        throw InvalidAPICall(
          "batch request `\(request.id)` depends on `\(other)`, which is not another request in the batch")
      }
    }
    return ["requests": .array(requests.map(\.json))]
  }

  private var json: JSON {
    var members: OrderedDictionary<String, JSON> = [
      "id": .string(id), "method": .string(method.rawValue),
      "url": .string(url.hasPrefix("/") ? url : "/" + url),
    ]
    var fields: OrderedDictionary<String, JSON> = [:]
    for (name, value) in headers { fields[name] = .string(value) }
    if body != nil, !fields.keys.contains(where: { $0.lowercased() == "content-type" }) {
      fields["Content-Type"] = "application/json"
    }
    if !fields.isEmpty { members["headers"] = .object(fields) }
    if let body { members["body"] = body }
    if !dependsOn.isEmpty { members["dependsOn"] = .array(dependsOn.map { .string($0) }) }
    return .object(members)
  }

  /// Returns the batch response, with its `responses` in request order, because Graph returns them
  /// in any order.
  static func ordered(_ json: JSON, as requests: [BatchRequest]) -> JSON {
    guard let responses = json["responses"]?.array else { return json }
    let positions = Dictionary(
      requests.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first })
    let sorted = responses.enumerated().sorted { left, right in
      let leftPosition = positions[left.element["id"]?.string ?? ""] ?? requests.count
      let rightPosition = positions[right.element["id"]?.string ?? ""] ?? requests.count
      return (leftPosition, left.offset) < (rightPosition, right.offset)
    }
    var json = json
    json["responses"] = .array(sorted.map(\.element))
    return json
  }
}
