import Documents
import Effects
import HTTPTypes
import OAuth

/// A request in the current run, split into parts for comparison with recorded requests.
struct NormalizedRequest: Sendable {
  enum Body: Sendable {
    case none
    case form(Parameters)
    case json(JSON)
    case text(String)
    case bytes([UInt8])

    var typeName: String {
      switch self {
      case .none: "empty"
      case .form: "form"
      case .json: "JSON"
      case .text: "text"
      case .bytes: "bytes"
      }
    }
  }

  var method: String
  /// The URL without its query or fragment.
  var url: String
  var query: Parameters
  var authorization: String?
  var requestID: String?
  var body = Body.none

  init(_ request: RequestMessage) {
    self.init(method: request.head.method.rawValue, url: request.url)
    authorization = request.head.headerFields[.authorization]
    requestID = HTTPField.Name("client-request-id").flatMap { request.head.headerFields[$0] }
    body = Self.body(request.body, type: request.head.headerFields[.contentType])
  }

  /// Creates a request for a page that the app opens in the browser.
  init(page url: String) { self.init(method: "VISIT", url: url) }

  private init(method: String, url: String) {
    self.method = method
    var reference = URLReference(url)
    query = FormCoding.parse(reference.query ?? "")
    reference.query = nil
    reference.fragment = nil
    self.url = reference.text
  }

  private static func body(_ bytes: [UInt8], type: String?) -> Body {
    switch BodyKind(bytes, type: type) {
    case .none: .none
    case .form: .form(FormCoding.parse(body: bytes))
    case .json(let json): .json(json)
    case .text(let text): .text(text)
    case .bytes: .bytes(bytes)
    }
  }

  /// The method and URL. Requests with different keys cannot match.
  var key: String { "\(method) \(url)" }
}
