import Documents
import HTTPTypes
import OrderedCollections

/// One request inside a `$batch` call (Graph's JSON batching).
package struct BatchRequest: Sendable {
  /// How many requests Graph takes in one batch.
  package static let limit = 20

  /// Unique in its batch.
  package var id: String
  package var method: HTTPRequest.Method
  /// Relative to the version: `/me`.
  package var url: String
  package var headers: [(name: String, value: String)]
  /// Nil for none.
  package var body: JSON?
  /// The ids of requests that must have succeeded first.
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

  /// The body of the POST. A JSON body inside gets the `Content-Type` that Graph demands, where none is given.
  package static func envelope(_ requests: [BatchRequest]) throws(InvalidAPICall) -> JSON {
    guard requests.count <= limit else {
      throw InvalidAPICall("a batch holds at most \(limit) requests; this one has \(requests.count)")
    }
    var seen: Set<String> = []
    for request in requests {
      guard seen.insert(request.id).inserted else {
        throw InvalidAPICall("two requests of the batch have the id '\(request.id)'")
      }
    }
    for request in requests {
      for other in request.dependsOn where !seen.contains(other) || other == request.id {
        throw InvalidAPICall(
          "request '\(request.id)' of the batch depends on '\(other)', which is no other request of it")
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

  /// The answer with its `responses` in the order of the requests: Graph may send them in any.
  static func ordered(_ answer: JSON, as requests: [BatchRequest]) -> JSON {
    guard let responses = answer["responses"]?.array else { return answer }
    let positions = Dictionary(
      requests.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first })
    let sorted = responses.enumerated().sorted { left, right in
      let leftPlace = positions[left.element["id"]?.string ?? ""] ?? requests.count
      let rightPlace = positions[right.element["id"]?.string ?? ""] ?? requests.count
      return (leftPlace, left.offset) < (rightPlace, right.offset)
    }
    var answer = answer
    answer["responses"] = .array(sorted.map(\.element))
    return answer
  }
}
