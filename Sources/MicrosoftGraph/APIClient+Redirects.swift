import Effects
import HTTPTypes
import OrderedCollections
import RunTrace
import Trust

extension APIClient {
  /// Sends a request and follows up to five redirects (RFC 9110 §15.4).
  ///
  /// Redirected GET and HEAD requests keep their method. Status 303 changes any other method to GET. For all other
  /// redirects, and for redirects from HTTPS to HTTP, the client returns the redirect response. Requests to another
  /// origin do not include the token or most headers.
  func follow(
    _ original: RequestMessage, with credential: Credential?, attempt: Int
  ) async throws(TransportFailure) -> ResponseMessage {
    var request = original
    // After a redirect to another origin, never send the token again, because that origin chose the next URL.
    var credential = credential
    for redirects in 0... {
      let response = try await send(request, with: credential, attempt: attempt)
      guard let location = Self.location(of: response) else { return response }
      let url = request.url
      func reject(_ reason: String) -> ResponseMessage {
        trace.recordDecision("redirect", "refused", reason: reason, ["location": .init(location)])
        return response
      }
      guard redirects < Self.maxRedirects else {
        return reject("limit of \(redirects) redirects reached")
      }
      var target = URLReference(url).resolving(URLReference(location))
      target.fragment = nil
      let next = target.text
      guard let origin = Origin(of: next) else {
        return reject("`\(location)` does not resolve to an HTTP or HTTPS URL")
      }
      let isSafe = request.head.method == .get || request.head.method == .head
      guard isSafe || response.head.status.code == 303 else {
        return reject("\(request.head.method.rawValue) is not repeated after status \(response.head.status.code)")
      }
      guard let from = Origin(of: url), !(from.scheme == "https" && origin.scheme == "http") else {
        return reject("redirect from HTTPS to HTTP")
      }
      var headers = request.head.headerFields
      if origin != from { headers = Self.forwardableHeaders(headers) }
      if !isSafe { headers[.contentType] = nil }
      let body = isSafe ? request.body : []
      guard
        let redirected = RequestMessage(
          method: isSafe ? request.head.method : .get, url: next, headers: headers, body: body)
      else { return reject("`\(location)` is not a valid URL") }
      if origin != from { credential = nil }
      trace.recordDecision(
        "redirect", "followed",
        reason: origin == from
          ? "status \(response.head.status.code), same origin" : "other origin: \(origin); the token is not sent",
        ["location": .init(next)])
      request = redirected
    }
    // This line is never reached, because the last iteration returns.
    throw .badResponse("too many redirects")
  }

  /// Adds the token if the request goes to the token's origin, and sends the request.
  private func send(
    _ request: RequestMessage, with credential: Credential?, attempt: Int
  ) async throws(TransportFailure) -> ResponseMessage {
    var request = request
    if let credential, credential.isFor(request.url) {
      // Register the token as a secret before the trace records the request.
      _ = trace.mask(credential.token)
      request.head.headerFields[.authorization] = "Bearer \(credential.token.reveal())"
    }
    if attempt > 1, let name = HTTPField.Name("Retry-Attempt") {
      request.head.headerFields[name] = String(attempt - 1)
    }
    return try await http.send(request)
  }

  private static func location(of response: ResponseMessage) -> String? {
    guard [301, 302, 303, 307, 308].contains(response.head.status.code) else { return nil }
    return response.head.headerFields[.location]
  }

  /// Returns the headers that the client can send to any origin.
  private static func forwardableHeaders(_ headers: HTTPFields) -> HTTPFields {
    var forwarded = HTTPFields()
    for name in [HTTPField.Name.accept, .acceptLanguage, .userAgent] { forwarded[name] = headers[name] }
    return forwarded
  }
}
