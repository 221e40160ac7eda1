import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth

/// An error that the emulator returns: a row of the error table with the details of one request.
struct ErrorResponse: Error, Sendable {
  /// The number after `AADSTS` or `AADB2C`.
  var code: Int
  /// The OAuth `error` value.
  var error: String
  /// The description, without the code or the request IDs.
  var message: String
  var suberror: String?
  /// The `claims` that the app must request in the next sign-in.
  var claims: JSON?
  var status: HTTPResponse.Status
  /// Whether this is an Azure AD B2C error.
  var isB2C = false
  /// Whether the authorize endpoint shows an error page instead of redirecting to the app.
  var staysOnPage = false
  var retryAfter: Int?

  /// Creates the error with this code from the error table.
  /// - Parameters:
  ///   - message: A more specific description that replaces the default in the table.
  ///   - context: The context that selects the OAuth error and suberror.
  init(
    _ code: Int, _ message: String? = nil, context: ErrorTable.Context = .standard, claims: JSON? = nil
  ) {
    let row = ErrorTable.row(code)
    let pair = row.pair(in: context)
    self.code = code
    error = pair.error
    suberror = pair.suberror
    self.message = message ?? row.message
    self.claims = claims
    status = row.status == 400 && error == "invalid_client" ? .unauthorized : .init(code: row.status)
    staysOnPage = row.staysOnPage
  }

  /// Creates an error for a fault or user flow, with an OAuth error and suberror that override the values in the table.
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

  /// The error as returned to a request that cannot show UI.
  var forSilentRequest: ErrorResponse {
    let pair = ErrorTable.row(code).pair(in: .silent)
    var copy = self
    (copy.error, copy.suberror) = (pair.error, pair.suberror)
    return copy
  }

  static func b2c(_ code: Int, _ message: String, error: String = "access_denied") -> ErrorResponse {
    var errorResponse = ErrorResponse(code, message, forced: error, suberror: nil)
    errorResponse.isB2C = true
    return errorResponse
  }

  /// The error as returned by the token endpoint of a user flow. Errors without a B2C code are unchanged.
  var forUserFlow: ErrorResponse {
    let (code, message): (Int, String)
    switch self.code {
    case 700_081, 700_082, 700_084:
      (code, message) = (90080, "The provided grant has expired; sign in again.")
    case 50034:
      (code, message) = (
        90128, "The account of this grant no longer exists; sign in again."
      )
    case 50057, 50173:
      (code, message) = (90129, "The provided grant has been revoked; sign in again.")
    case 9_002_313: (code, message) = (90090, "The provided token is not a JWE with five segments.")
    default: return self
    }
    return Self.b2c(code, message, error: "invalid_grant")
  }

  /// The error as shown on a page, for requests without a valid redirect URI.
  var asPage: ErrorResponse {
    var copy = self
    copy.staysOnPage = true
    return copy
  }

  /// The code with its prefix, such as `AADSTS65001`.
  var label: String { (isB2C ? "AADB2C" : "AADSTS") + String(code) }

  /// Returns the error with all members of an endpoint's JSON response.
  func oauthError(for exchange: EmulatorRequest) -> OAuthError {
    let ids =
      isB2C
      ? "\r\nCorrelation ID: \(exchange.correlationID)\r\nTimestamp: \(exchange.timestamp)\r\n"
      : " Trace ID: \(exchange.traceID) Correlation ID: \(exchange.correlationID) Timestamp: \(exchange.timestamp)"
    var oauth = OAuthError(
      error, description: "\(label): \(message)\(ids)", suberror: suberror,
      errorCodes: isB2C || code == 0 ? [] : [code],
      errorURI: isB2C ? nil : "\(exchange.base)/error?code=\(code)", claims: claims?.text())
    oauth.timestamp = exchange.timestamp
    oauth.traceID = exchange.traceID
    oauth.correlationID = exchange.correlationID
    oauth.passwordChangeURL = code == 50055 ? "\(exchange.base)/common/oauth2/changepassword" : nil
    return oauth
  }

  /// Returns the JSON error response and records the error in the decision log.
  func response(to exchange: EmulatorRequest) -> ResponseMessage {
    exchange.decisionLog.recordError(self)
    var response = ResponseBuilder.json(
      oauthError(for: exchange).json, status: status, to: exchange, telemetry: "1,\(code),0,,")
    if let suberror { response.head.headerFields[.clientTelemetry] = "1,\(code),\(suberror),," }
    // A client that authenticates with HTTP Basic receives a Basic challenge (RFC 6749 §5.2).
    if status == .unauthorized,
      exchange.request.head.headerFields[.authorization]?.prefix(6).lowercased() == "basic "
    {
      response.head.headerFields[.wwwAuthenticate] = "Basic realm=\"\(exchange.host)\""
    }
    // Errors contain no secrets. Without CORS headers, a page cannot read the error, and the browser reports only
    // "Failed to fetch".
    if exchange.origin != nil { CrossOrigin.open(&response) }
    if let retryAfter { response.head.headerFields[.retryAfter] = String(retryAfter) }
    return response
  }
}
