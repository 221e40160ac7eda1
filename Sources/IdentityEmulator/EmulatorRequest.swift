import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OAuth

/// A parsed request to the emulator.
struct EmulatorRequest: Sendable {
  let request: RequestMessage
  /// The request's scheme and authority, such as `https://login.microsoftonline.com` or `http://localhost:8400`. URLs
  /// in the response start with this value.
  let base: String
  /// The host in lowercase, without the port.
  let host: String
  /// The percent-decoded, nonempty path segments.
  let segments: [String]
  /// The path as sent, without the query.
  let path: String
  let query: Parameters
  /// The parameters of a form body, or an empty list for other content types.
  let form: Parameters
  let cookies: [String: String]
  let now: Instant
  /// The trace ID for errors, also sent as `x-ms-request-id`.
  let traceID: String
  /// The caller's `client-request-id`, or a new one.
  let correlationID: String
  /// The log of the emulator's decision and checks for this request.
  let decisionLog = DecisionLog()

  init(_ request: RequestMessage, now: Instant, randomness: any Randomness) {
    self.request = request
    self.now = now
    let authority = request.head.authority?.lowercased() ?? "login.microsoftonline.com"
    let scheme = request.head.scheme?.lowercased() ?? "https"
    base = "\(scheme)://\(authority)"
    host = URLReference.host(ofAuthority: authority) ?? authority
    // This code searches UTF-8 bytes, because a search for a `Character` is many times slower.
    let target = request.head.path ?? "/"
    let end = target.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? target.endIndex
    path = String(target[..<end])
    segments = target.utf8[..<end].split(separator: UInt8(ascii: "/")).map {
      PercentEncoding.decode(Substring($0))
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
    let requestedID = request.head.headerFields[.clientRequestID] ?? query["client-request-id"]
    correlationID = requestedID.flatMap { UUIDText.isValid($0) ? $0 : nil } ?? randomness.uuid()
  }

  var method: HTTPRequest.Method { request.head.method }

  /// The query and form parameters. The authorize endpoint accepts both.
  var parameters: Parameters { query + form }

  /// The time in the format used in errors, such as `2025-02-27 22:38:35Z`.
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
  /// The response header that identifies an app that was registered on the fly.
  static let registeredOnTheFly = HTTPField.Name(constant: "x-authflow-registered")
  static let surrogate = HTTPField.Name(constant: "x-ms-srs")
  static let isolation = HTTPField.Name(constant: "x-authflow-isolation")
  static let preferencePolicy = HTTPField.Name(constant: "p3p")
  static let referrerPolicy = HTTPField.Name(constant: "referrer-policy")
  static let frameOptions = HTTPField.Name(constant: "x-frame-options")

  /// Creates a field name from a literal, which must be a valid name.
  init(constant name: String) {
    self = HTTPField.Name(name) ?? .contentType
  }
}
