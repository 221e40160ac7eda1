import Documents
import Effects
import OrderedCollections

/// An HTTP exchange: a request and its response.
package struct TracedExchange: Sendable {
  /// The sender of a request.
  package enum Sender: String, Sendable {
    case app, browser
  }

  /// The number of the exchange in the run.
  package var id: Int
  package var from: Sender
  /// The index of the step in `TracedRun.steps`.
  package var step: Int?
  /// The attempt of the step that sent it, from 1.
  package var attempt: Int
  package var request: TracedRequest
  /// The response, or nil if the trace ends before it.
  package var answer: TracedResponse?

  /// The correlation ID, `client-request-id`.
  package var correlationID: String? {
    request.headers.first(named: "client-request-id") ?? answer?.headers.first(named: "client-request-id")
  }

  /// The server's ID of the request: `x-ms-request-id` of the platform, `request-id` of Microsoft Graph.
  package var requestID: String? {
    answer?.headers.first(named: "x-ms-request-id") ?? answer?.headers.first(named: "request-id")
  }

  /// The duration, or nil if there is no response or the trace does not contain it.
  package var duration: Duration? { answer?.duration }
}

/// A request with masked secrets.
package struct TracedRequest: Sendable {
  package var seq: Int
  package var time: Instant
  package var method: String
  /// The URL with placeholders for secret parameters.
  package var url: String
  package var headers: TracedHeaders
  package var body: TracedBody?
}

/// A response, or the reason why there is none.
package struct TracedResponse: Sendable {
  package var seq: Int
  package var time: Instant
  /// The status, or nil without a response.
  package var status: Int?
  /// The reason that there was no response.
  package var failure: String?
  package var headers: TracedHeaders
  package var body: TracedBody?
  /// The duration, or nil if it is missing or invalid.
  package var duration: Duration?
}

/// Header fields sorted by name, as in traces. A repeated field has several values.
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
        // Earlier traces contain a bearer token as scheme and placeholder.
        if name == "authorization", values.count == 2, let scheme = values[0].string, let token = values[1].string {
          return [Field(name: name, value: "\(scheme) \(token)")]
        }
        return values.map { Field(name: name, value: $0.string ?? $0.text()) }
      case let value: return [Field(name: name, value: value.string ?? value.text())]
      }
    }
  }

  /// The first value of a field. Names are case-insensitive.
  package func first(named name: String) -> String? {
    let name = name.lowercased()
    return fields.first { $0.name.lowercased() == name }?.value
  }
}

/// A body in a trace: a form, JSON, or only its size and type.
package struct TracedBody: Sendable {
  package var bytes: Int
  /// The `Content-Type`.
  package var type: String?
  /// The fields of a form in the order of the trace.
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
