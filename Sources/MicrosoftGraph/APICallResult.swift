import Documents
import Effects
import HTTPTypes

/// What came of a call.
package struct APICallResult: Sendable {
  /// The closed set of outcomes of `callGraph` and `callAPI`.
  package enum Outcome: String, Sendable, CaseIterable {
    case success
    /// 401 with a claims challenge (continuous access evaluation, authentication context).
    case claimsChallenge
    /// 401, or no token to send.
    case unauthorized
    /// 403.
    case forbidden
    /// 404.
    case notFound
    /// 429.
    case throttled
    /// Any 5xx.
    case serviceUnavailable
    /// Any other status that is no success, and calls that cannot be sent as they are.
    case otherStatus
    /// No response: no network, no such host, nobody there, the connection or TLS failed.
    case offline
    case timedOut
  }

  package enum Body: Hashable, Sendable {
    case none
    case json(JSON)
    case bytes([UInt8], mediaType: String?)
  }

  package var outcome: Outcome
  /// Nil where no response came.
  package var status: Int?
  /// Of the last response.
  package var headers: HTTPFields
  /// With several pages: the first page's members, with every page's `value` in it.
  package var body: Body
  /// What the API says went wrong, of any response that is no success.
  package var error: APIError?
  /// How many requests for one page went out at most: 1 without retries.
  package var attempts: Int
  /// How many pages are in the body.
  package var pages: Int
  /// The first request as it went out, its token masked; nil where none was sent.
  package var sent: SentRequest?
  /// The decoded claims of a challenge: a JSON text to hand to the next token request as it is.
  package var claims: String?
  /// Why no response came.
  package var failure: TransportFailure?
  /// The last response's body as it came, for `saveTo`.
  package var rawBody: [UInt8]

  package init(
    outcome: Outcome, status: Int? = nil, headers: HTTPFields = [:], body: Body = .none, error: APIError? = nil,
    attempts: Int = 0, pages: Int = 0, sent: SentRequest? = nil, claims: String? = nil,
    failure: TransportFailure? = nil, rawBody: [UInt8] = []
  ) {
    self.outcome = outcome
    self.status = status
    self.headers = headers
    self.body = body
    self.error = error
    self.attempts = attempts
    self.pages = pages
    self.sent = sent
    self.claims = claims
    self.failure = failure
    self.rawBody = rawBody
  }

  /// The body as the language's `$`: JSON as it is, text as a string, nothing as null, any other bytes as base64.
  package var value: JSON {
    switch body {
    case .none: .null
    case .json(let json): json
    case .bytes(let bytes, let mediaType): MediaType.value(of: bytes, mediaType: mediaType)
    }
  }

  /// The outcome that a status means by itself.
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

/// A request as it went out, fit to be shown.
package struct SentRequest: Hashable, Sendable {
  package var method: String
  package var url: String
  /// Host and port as in the URL.
  package var host: String
  /// The bearer token is replaced by its mask.
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

/// The `error` of an API's answer: Graph's (and OData's) object, or OAuth's pair of strings.
package struct APIError: Hashable, Sendable {
  package var code: String
  package var message: String
  /// The innermost `innerError` code, where there is one.
  package var innerCode: String?
  /// Graph's id of the request, which its support asks for.
  package var requestID: String?

  package init(code: String, message: String, innerCode: String? = nil, requestID: String? = nil) {
    self.code = code
    self.message = message
    self.innerCode = innerCode
    self.requestID = requestID
  }

  /// Reads `{"error": {"code", "message", "innerError": {…}}}` or `{"error": "…", "error_description": "…"}`.
  package init?(_ body: JSON) {
    guard let error = body["error"] else { return nil }
    if let code = error.string {
      self.init(code: code, message: body["error_description"]?.string ?? "")
      return
    }
    guard let code = error["code"]?.string else { return nil }
    self.init(code: code, message: error["message"]?.string ?? "")
    // Nested: each level is more exact than the one around it. Some services spell it `innererror`.
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
