import Documents
import Effects
import HTTPTypes
import OAuth

extension ReplayBindings {
  /// Returns a recorded response with its placeholders replaced.
  mutating func response(status: Int, headers: RecordedFields, body: RecordedBody) -> ResponseMessage {
    var fields = HTTPFields()
    for name in headers.keys.sorted() {
      guard let field = HTTPField.Name(name) else { continue }
      for value in headers[name] ?? [] { fields.append(HTTPField(name: field, value: text(value))) }
    }
    return ResponseMessage(.init(code: status), headers: fields, body: bytes(of: body))
  }

  private mutating func bytes(of body: RecordedBody) -> [UInt8] {
    switch body {
    case .none: []
    case .form(let fields): Array(FormCoding.serialize(parameters(fields)).utf8)
    case .json(let recorded): WideNumber.unmarked(json(recorded).utf8(sortedKeys: false))
    case .text(let recorded): Array(text(recorded).utf8)
    case .base64(let text): (try? Base64.decode(text)) ?? []
    }
  }

  mutating func parameters(_ fields: RecordedFields) -> Parameters {
    var parameters = Parameters()
    for name in fields.keys.sorted() {
      for value in fields[name] ?? [] { parameters.append(text(name), text(value)) }
    }
    return parameters
  }

  /// Returns the result of a visit. If the result is a redirect, it goes to the redirect URI in the current request.
  mutating func ending(_ recorded: RecordedVisit.Result, of visit: BrowserVisit) -> BrowserOutcome.Result {
    switch recorded {
    case .closed(let reason): return .closed(reason: text(reason))
    case .unavailable(let reason): return .unavailable(reason: text(reason))
    case .failed(let kind, let reason): return .failed(TransportFailure(kind: kind, reason: text(reason)))
    case .finished: return .finished
    case .redirected(let base, let query, let fragment):
      var url = URLReference(text(base, redirectURI: visit.redirectURI))
      if !query.isEmpty {
        let parameters = url.parameters + parameters(query)
        url.query = FormCoding.serialize(parameters)
      }
      if !fragment.isEmpty { url.fragment = FormCoding.serialize(parameters(fragment)) }
      return .redirected(url: url.text)
    }
  }

  /// Masks the credentials of an `Authorization` header for display.
  mutating func maskedCredentials(_ value: String) -> String {
    let scheme = String(value.prefix { $0 != " " })
    guard scheme.utf8.count < value.utf8.count else { return masked("access_token", value) }
    return "\(scheme) \(masked("access_token", String(value.dropFirst(scheme.count + 1))))"
  }
}
