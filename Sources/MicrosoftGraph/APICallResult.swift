import Documents
import Effects
import HTTPTypes

/// The result of a call: the outcome and the response.
package struct APICallResult: Sendable {
  /// The outcomes of `callGraph` and `callAPI`.
  package enum Outcome: String, Sendable, CaseIterable {
    case success
    /// Status 401 with a claims challenge, for continuous access evaluation or an authentication context.
    case claimsChallenge
    /// Any other status 401, or no request because the token is missing.
    case unauthorized
    /// Status 403.
    case forbidden
    /// Status 404.
    case notFound
    /// Status 429.
    case throttled
    /// Any 5xx status.
    case serviceUnavailable
    /// Any other unsuccessful status, or an invalid call.
    case otherStatus
    /// No response, because there is no network, the host is unknown, or the connection or the TLS handshake failed.
    case offline
    case timedOut
  }

  package enum Body: Hashable, Sendable {
    case none
    case json(JSON)
    case bytes([UInt8], mediaType: String?)
  }

  package var outcome: Outcome
  /// The status code, or nil if there was no response.
  package var status: Int?
  /// The headers of the last response.
  package var headers: HTTPFields
  /// The body. If the call read several pages, the body is the first page with the `value` items of all pages.
  package var body: Body
  /// The error in the body of an unsuccessful response.
  package var error: APIError?
  /// The highest number of attempts for any page. The number is 1 if there were no retries.
  package var attempts: Int
  /// The number of pages in the body.
  package var pages: Int = 0
  /// The first request of the call, with its token masked. Nil if the client did not send a request.
  package var sent: SentRequest?
  /// The decoded claims of a challenge, as JSON text. Pass this text to the next token request unchanged.
  package var claims: String?
  /// The transport failure, if there was no response.
  package var failure: TransportFailure?
  /// The unchanged body of the last response, for `saveTo`.
  package var rawBody: [UInt8] = []

  package init(
    outcome: Outcome, status: Int? = nil, headers: HTTPFields = [:], body: Body = .none, error: APIError? = nil,
    attempts: Int = 0
  ) {
    self.outcome = outcome
    self.status = status
    self.headers = headers
    self.body = body
    self.error = error
    self.attempts = attempts
  }

  /// The body as `$` represents it in workflows: JSON unchanged, text as a string, an empty body as null, and other
  /// bytes as Base64.
  package var value: JSON {
    switch body {
    case .none: .null
    case .json(let json): json
    case .bytes(let bytes, let mediaType): MediaType.value(of: bytes, mediaType: mediaType)
    }
  }

  /// Returns the outcome that corresponds to a status code.
  static func outcome(of status: Int) -> Outcome {
    switch status {
    case 200..<300: .success
    case 401: .unauthorized
    case 403: .forbidden
    case 404: .notFound
    case 429: .throttled
    case 500..<600: .serviceUnavailable
    default: .otherStatus
    }
  }
}

/// A request as it was sent, with its token masked for display.
package struct SentRequest: Hashable, Sendable {
  package var method: String
  package var url: String
  /// The host and port, as written in the URL.
  package var host: String
  /// The headers, with the bearer token masked.
  package var headers: HTTPFields
  package var body: [UInt8]

  package init(method: String, url: String, host: String, headers: HTTPFields, body: [UInt8]) {
    self.method = method
    self.url = url
    self.host = host
    self.headers = headers
    self.body = body
  }
}

/// The error in an API's response. In Graph and OData, `error` is an object. In OAuth, the error consists of two
/// strings.
package struct APIError: Hashable, Sendable {
  package var code: String
  package var message: String
  /// The code of the innermost `innerError`, or nil.
  package var innerCode: String?
  /// Graph's request id, for support requests to Microsoft.
  package var requestID: String?

  package init(code: String, message: String, innerCode: String? = nil, requestID: String? = nil) {
    self.code = code
    self.message = message
    self.innerCode = innerCode
    self.requestID = requestID
  }

  /// Parses `{"error": {"code", "message", "innerError": {…}}}` or `{"error": "…", "error_description": "…"}`.
  package init?(_ body: JSON) {
    guard let error = body["error"] else { return nil }
    if let code = error.string {
      self.init(code: code, message: body["error_description"]?.string ?? "")
      return
    }
    guard let code = error["code"]?.string else { return nil }
    self.init(code: code, message: error["message"]?.string ?? "")
    // Inner errors are more specific than outer errors. Some services use the spelling `innererror`.
    var inner = error["innerError"] ?? error["innererror"]
    var depth = 0
    while let level = inner, depth < 16 {
      innerCode = level["code"]?.string ?? innerCode
      requestID = requestID ?? level["request-id"]?.string
      inner = level["innerError"] ?? level["innererror"]
      depth += 1
    }
  }
}
