import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth

/// A refusal by the platform: one row of the error table, with what this occurrence adds.
struct ErrorResponse: Error, Sendable {
  /// The number behind `AADSTS`, or the code of B2C behind `AADB2C`.
  var code: Int
  /// The OAuth error.
  var error: String
  /// What stands after the code, in plain words.
  var message: String
  var suberror: String?
  /// A claims request, as JSON.
  var claims: JSON?
  var status: HTTPResponse.Status
  /// Whether the code is B2C's.
  var isB2C = false
  /// Whether the browser keeps a page instead of going back to the app.
  var staysOnPage = false
  var retryAfter: Int?

  /// The row of that code.
  /// - Parameters:
  ///   - message: replaces the row's sentence where this occurrence can say more.
  ///   - occasion: which of the row's errors it is; the usual one unless it is told to somebody else.
  init(
    _ code: Int, _ message: String? = nil, on occasion: ErrorTable.Context = .usual, claims: JSON? = nil
  ) {
    let row = ErrorTable.row(code)
    let pair = row.pair(on: occasion)
    self.code = code
    error = pair.error
    suberror = pair.suberror
    self.message = message ?? row.message
    self.claims = claims
    status = row.status == 400 && error == "invalid_client" ? .unauthorized : .init(code: row.status)
    staysOnPage = row.staysOnPage
  }

  /// What a fault or a user flow says, whatever the row has.
  init(_ code: Int, _ message: String? = nil, forced error: String?, suberror: String?, claims: JSON? = nil) {
    self.init(code, message, claims: claims)
    if let error {
      self.error = error
      if error != "invalid_grant" { self.suberror = nil }
      if status == .badRequest || status == .unauthorized {
        status = error == "invalid_client" ? .unauthorized : .badRequest
      }
    }
    if let suberror { self.suberror = suberror }
  }

  /// The same refusal for who cannot be shown a page.
  var silently: ErrorResponse {
    let pair = ErrorTable.row(code).pair(on: .silent)
    var copy = self
    (copy.error, copy.suberror) = (pair.error, pair.suberror)
    return copy
  }

  static func b2c(_ code: Int, _ message: String, error: String = "access_denied") -> ErrorResponse {
    var refusal = ErrorResponse(code, message, forced: error, suberror: nil)
    refusal.isB2C = true
    return refusal
  }

  /// The same refusal as a user flow says it at the token endpoint; itself where B2C has no code of its own for it.
  var inUserFlow: ErrorResponse {
    let (code, message): (Int, String)
    switch self.code {
    case 700_081, 700_082, 700_084:
      (code, message) = (90080, "The provided grant has expired. Please re-authenticate and try again.")
    case 50034:
      (code, message) = (
        90128, "The account associated with this grant no longer exists. Please reauthenticate and try again."
      )
    case 50057, 50173:
      (code, message) = (90129, "The provided grant has been revoked. Please reauthenticate and try again.")
    case 9_002_313: (code, message) = (90090, "The provided JWE is not a valid 5 segment token.")
    default: return self
    }
    return Self.b2c(code, message, error: "invalid_grant")
  }

  /// The same refusal as a page, because no redirect URI can be trusted.
  var onPage: ErrorResponse {
    var copy = self
    copy.staysOnPage = true
    return copy
  }

  var label: String { (isB2C ? "AADB2C" : "AADSTS") + String(code) }

  /// All the members that an endpoint's answer has.
  func oauthError(for exchange: EmulatorRequest) -> OAuthError {
    let trail =
      isB2C
      ? "\r\nCorrelation ID: \(exchange.correlationID)\r\nTimestamp: \(exchange.timestamp)\r\n"
      : " Trace ID: \(exchange.traceID) Correlation ID: \(exchange.correlationID) Timestamp: \(exchange.timestamp)"
    return OAuthError(
      error, description: "\(label): \(message)\(trail)", suberror: suberror,
      errorCodes: isB2C || code == 0 ? [] : [code],
      timestamp: exchange.timestamp, traceID: exchange.traceID, correlationID: exchange.correlationID,
      errorURI: isB2C ? nil : "\(exchange.base)/error?code=\(code)", claims: claims?.text(),
      passwordChangeURL: code == 50055 ? "\(exchange.base)/common/oauth2/changepassword" : nil)
  }

  /// The answer of an endpoint that speaks JSON.
  func answer(to exchange: EmulatorRequest) -> ResponseMessage {
    exchange.audit.refuse(self)
    var response = ResponseBuilder.json(
      oauthError(for: exchange).json, status: status, to: exchange, telemetry: "1,\(code),0,,")
    if let suberror { response.head.headerFields[.clientTelemetry] = "1,\(code),\(suberror),," }
    // Who came with HTTP Basic is told so that it is wanted (RFC 6749 §5.2).
    if status == .unauthorized,
      exchange.request.head.headerFields[.authorization]?.prefix(6).lowercased() == "basic "
    {
      response.head.headerFields[.wwwAuthenticate] = "Basic realm=\"\(exchange.host)\""
    }
    // An error contains nothing secret, and a page that cannot read it reports only "Failed to fetch".
    if exchange.origin != nil { CrossOrigin.open(&response) }
    if let retryAfter { response.head.headerFields[.retryAfter] = String(retryAfter) }
    return response
  }
}
