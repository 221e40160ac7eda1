import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OAuth

/// One request on its way through the emulator, taken apart once.
struct EmulatorRequest: Sendable {
  let request: RequestMessage
  /// `https://login.microsoftonline.com`, or `http://localhost:8400`: what endpoints of this answer begin with.
  let base: String
  /// Without its port, lower case.
  let host: String
  /// Path segments, percent-decoded, empty ones left out.
  let segments: [String]
  /// The path as written, without its query.
  let path: String
  let query: Parameters
  /// The body as a form; empty where it is none.
  let form: Parameters
  let cookies: [String: String]
  let now: Instant
  /// `x-ms-request-id` of the answer, the trace id of its errors.
  let traceID: String
  /// The caller's `client-request-id`, or a new one.
  let correlationID: String
  /// Where is noted what is decided about it.
  let audit = DecisionLog()

  init(_ request: RequestMessage, now: Instant, randomness: any Randomness) {
    self.request = request
    self.now = now
    let authority = request.head.authority?.lowercased() ?? "login.microsoftonline.com"
    let scheme = request.head.scheme?.lowercased() ?? "https"
    base = "\(scheme)://\(authority)"
    host = URLReference.host(ofAuthority: authority) ?? authority
    // Cut between bytes: looking for whole characters takes many times as long.
    let target = request.head.path ?? "/"
    let end = target.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? target.endIndex
    path = String(target[..<end])
    segments = target.utf8[..<end].split(separator: UInt8(ascii: "/")).map {
      FormCoding.decode(Substring($0), plusIsSpace: false)
    }
    let rest = target.utf8[end...]
    query =
      rest.first == UInt8(ascii: "?")
      ? FormCoding.parse(Substring(rest.dropFirst().prefix { $0 != UInt8(ascii: "#") })) : Parameters()
    let type = request.head.headerFields[.contentType]?.lowercased() ?? ""
    form = type.hasPrefix(FormCoding.mediaType) ? FormCoding.parse(body: request.body) : Parameters()
    var cookies: [String: String] = [:]
    for header in request.head.headerFields[values: .cookie] {
      for pair in header.utf8.split(separator: UInt8(ascii: ";")) {
        let trimmed = Substring(pair).trimmingSpaces()
        let mark = trimmed.utf8.firstIndex(of: UInt8(ascii: "=")) ?? trimmed.endIndex
        cookies[String(trimmed[..<mark])] = String(Substring(trimmed.utf8[mark...].dropFirst()))
      }
    }
    self.cookies = cookies
    traceID = randomness.uuid()
    let asked = request.head.headerFields[.clientRequestID] ?? query["client-request-id"]
    correlationID = asked.flatMap { UUIDText.isValid($0) ? $0 : nil } ?? randomness.uuid()
  }

  var method: HTTPRequest.Method { request.head.method }

  /// The query's parameters, then the form's: authorize takes both.
  var parameters: Parameters { query + form }

  /// `2025-02-27 22:38:35Z`, as errors write time.
  var timestamp: String {
    String(now.rfc3339().map { $0 == "T" ? " " : $0 })
  }

  var origin: String? { request.head.headerFields[.origin] }
}

extension HTTPField.Name {
  static let pragma = HTTPField.Name(constant: "pragma")
  static let returnClientRequestID = HTTPField.Name(constant: "return-client-request-id")
  static let requestIDOfPlatform = HTTPField.Name(constant: "x-ms-request-id")
  static let platformServer = HTTPField.Name(constant: "x-ms-ests-server")
  static let clientTelemetry = HTTPField.Name(constant: "x-ms-clitelem")
  /// Names what was made up for this request because the directory lacks it.
  static let registeredOnTheFly = HTTPField.Name(constant: "x-authflow-registered")
  static let surrogate = HTTPField.Name(constant: "x-ms-srs")
  static let isolation = HTTPField.Name(constant: "x-authflow-isolation")
  static let preferencePolicy = HTTPField.Name(constant: "p3p")
  static let referrerPolicy = HTTPField.Name(constant: "referrer-policy")
  static let frameOptions = HTTPField.Name(constant: "x-frame-options")

  /// A name that is known to be one.
  init(constant name: String) {
    self = HTTPField.Name(name) ?? .contentType
  }
}
