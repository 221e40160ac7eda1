import Documents
import Effects
import OrderedCollections

/// One HTTP exchange: a request, and what came of it.
package struct TracedExchange: Sendable {
  /// Whose request it is.
  package enum Sender: String, Sendable {
    case app, browser
  }

  /// What the run numbers it by.
  package var id: Int
  package var from: Sender
  /// The step that it belongs to, as a position in `TracedRun.steps`.
  package var step: Int?
  /// Which attempt of the step sent it, from 1.
  package var attempt: Int
  package var request: TracedRequest
  /// Nil where the trace ends before the answer.
  package var answer: TracedResponse?

  /// What MSAL and the platform call the request by: `client-request-id`.
  package var correlationID: String? {
    request.headers.first(named: "client-request-id") ?? answer?.headers.first(named: "client-request-id")
  }

  /// What the server calls the request by: `x-ms-request-id` of the platform, `request-id` of Graph.
  package var requestID: String? {
    answer?.headers.first(named: "x-ms-request-id") ?? answer?.headers.first(named: "request-id")
  }

  /// How long it took; nil where it was not answered, or the trace does not tell.
  package var duration: Duration? { answer?.duration }
}

/// What was sent, with its secrets masked.
package struct TracedRequest: Sendable {
  package var seq: Int
  package var time: Instant
  package var method: String
  /// As it was sent, its secret parameters replaced by placeholders.
  package var url: String
  package var headers: TracedHeaders
  package var body: TracedBody?
}

/// What came back: a response, or the reason why there is none.
package struct TracedResponse: Sendable {
  package var seq: Int
  package var time: Instant
  /// Nil where there was no answer.
  package var status: Int?
  /// Why there was no answer.
  package var failure: String?
  package var headers: TracedHeaders
  package var body: TracedBody?
  /// Nil where the trace does not tell, or tells nonsense.
  package var duration: Duration?
}

/// Header fields in the order of their names, as traces hold them. A repeated field has several values.
package struct TracedHeaders: Sendable {
  package struct Field: Hashable, Sendable {
    /// In lower case.
    package var name: String
    package var value: String
  }

  package var fields: [Field]

  package init(fields: [Field]) { self.fields = fields }

  init(_ json: JSON?) {
    fields = (json?.object ?? [:]).flatMap { name, value -> [Field] in
      switch value {
      case .array(let values):
        // Older traces tell a bearer token as its scheme and its placeholder.
        if name == "authorization", values.count == 2, let scheme = values[0].string, let token = values[1].string {
          return [Field(name: name, value: "\(scheme) \(token)")]
        }
        return values.map { Field(name: name, value: $0.string ?? $0.text()) }
      case let value: return [Field(name: name, value: value.string ?? value.text())]
      }
    }
  }

  /// The first value of a field; names are compared without regard to case.
  package func first(named name: String) -> String? {
    let name = name.lowercased()
    return fields.first { $0.name.lowercased() == name }?.value
  }
}

/// A body as far as a trace keeps it: a form, JSON, or only its size and type.
package struct TracedBody: Sendable {
  package var bytes: Int
  /// The `Content-Type`.
  package var type: String?
  /// The fields of a form, in the order in which the trace holds them.
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
