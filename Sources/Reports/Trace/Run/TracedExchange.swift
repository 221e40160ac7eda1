import Documents
import Effects
import OrderedCollections

/// An HTTP exchange, which consists of a request and its response.
package struct TracedExchange: Sendable {
  /// The component that sent a request.
  package enum Sender: String, Sendable {
    case app, browser
  }

  /// The number of the exchange within the run.
  package var id: Int
  package var from: Sender
  /// The index of the step in `TracedRun.steps`.
  package var step: Int?
  /// The number of the step's attempt that sent the request, starting at 1.
  package var attempt: Int
  package var request: TracedRequest
  /// The response, or nil if the trace ends before the response.
  package var answer: TracedResponse?

  /// The correlation ID from the `client-request-id` header.
  package var correlationID: String? {
    request.headers.first(named: "client-request-id") ?? answer?.headers.first(named: "client-request-id")
  }

  /// The ID that the server assigned to the request. The platform sends it in `x-ms-request-id`, and Microsoft Graph
  /// sends it in `request-id`.
  package var requestID: String? {
    answer?.headers.first(named: "x-ms-request-id") ?? answer?.headers.first(named: "request-id")
  }

  /// The duration, or nil if there is no response or the trace does not contain the duration.
  package var duration: Duration? { answer?.duration }
}

/// An HTTP request in which secrets are masked.
package struct TracedRequest: Sendable {
  package var seq: Int
  package var time: Instant
  package var method: String
  /// The URL, with placeholders instead of secret parameters.
  package var url: String
  package var headers: TracedHeaders
  package var body: TracedBody?
}

/// An HTTP response, or the reason why there is no response.
package struct TracedResponse: Sendable {
  package var seq: Int
  package var time: Instant
  /// The status code, or nil if there was no response.
  package var status: Int?
  /// The reason why there was no response.
  package var failure: String?
  package var headers: TracedHeaders
  package var body: TracedBody?
  /// The duration, or nil if it is missing or invalid.
  package var duration: Duration?
}

/// Header fields, sorted by name as in traces. A repeated field has several values.
package struct TracedHeaders: Sendable {
  package struct Field: Hashable, Sendable {
    /// The name in lowercase.
    package var name: String
    package var value: String
  }

  package var fields: [Field]

  package init(fields: [Field]) { self.fields = fields }

  init(_ json: JSON?) {
    fields = (json?.object ?? [:]).flatMap { name, value -> [Field] in
      switch value {
      case .array(let values):
        // Earlier traces store a bearer token as two values: the scheme and the placeholder.
        if name == "authorization", values.count == 2, let scheme = values[0].string, let token = values[1].string {
          return [Field(name: name, value: "\(scheme) \(token)")]
        }
        return values.map { Field(name: name, value: $0.string ?? $0.text()) }
      case let value: return [Field(name: name, value: value.string ?? value.text())]
      }
    }
  }

  /// Returns the first value of a field. Field names are case-insensitive.
  package func first(named name: String) -> String? {
    let name = name.lowercased()
    return fields.first { $0.name.lowercased() == name }?.value
  }
}

/// A request or response body. The trace contains form fields, JSON, or only the size and type of the body.
package struct TracedBody: Sendable {
  package var bytes: Int
  /// The `Content-Type`.
  package var type: String?
  /// The form fields, in the same order as in the trace.
  package var form: [(name: String, value: String)]?
  package var json: JSON?

  init?(_ value: JSON?) {
    guard let value, value.object != nil else { return nil }
    bytes = Int(clamping: max(0, value["bytes"]?.integer ?? 0))
    type = value["type"]?.string
    form = value["form"]?.object.map { $0.map { ($0.key, $0.value.string ?? $0.value.text()) } }
    json = value["json"]
  }
}
