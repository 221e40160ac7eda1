import Effects
import HTTPTypes
import OrderedCollections
import RunTrace
import Trust

extension APIClient {
  /// Sends a request and follows where it is redirected to, at most five times (RFC 9110 §15.4).
  ///
  /// Only what is safe to repeat is: GET and HEAD keep their method, 303 turns any other method into GET, and everything
  /// else stops at the redirect, whose status is then the answer. Across origins the token and the caller's own
  /// headers stay behind; from https to http nothing follows.
  func follow(
    _ original: RequestMessage, with credential: Credential, attempt: Int
  ) async throws(TransportFailure) -> ResponseMessage {
    var request = original
    // Once a redirect led away, the token stays behind for good: the way back was chosen by somebody else.
    var credential: Credential? = credential
    for redirects in 0... {
      let response = try await send(request, with: credential, attempt: attempt)
      guard let location = Self.location(of: response) else { return response }
      let url = request.url
      func refused(_ reason: String) -> ResponseMessage {
        trace.recordDecision("redirect", "refused", reason: reason, ["location": .init(location)])
        return response
      }
      guard redirects < Self.mostRedirects else {
        return refused("\(redirects) redirects were followed already")
      }
      guard let next = URLText.resolve(location, against: url), let origin = Origin(of: next) else {
        return refused("'\(location)' leads to no http or https address")
      }
      let isSafe = request.head.method == .get || request.head.method == .head
      guard isSafe || response.head.status.code == 303 else {
        return refused("a \(request.head.method.rawValue) is not repeated by itself after \(response.head.status.code)")
      }
      guard let from = Origin(of: url), !(from.scheme == "https" && origin.scheme == "http") else {
        return refused("it leads from https to http")
      }
      var headers = request.head.headerFields
      if origin != from { headers = Self.harmless(headers) }
      if !isSafe { headers[.contentType] = nil }
      let body = isSafe ? request.body : []
      guard
        let redirected = RequestMessage(
          method: isSafe ? request.head.method : .get, url: next, headers: headers, body: body)
      else { return refused("'\(location)' is no usable address") }
      if origin != from { credential = nil }
      trace.recordDecision(
        "redirect", "followed",
        reason: origin == from
          ? "\(response.head.status.code) on the same origin" : "\(origin) is another origin: the token stays behind",
        ["location": .init(next)])
      request = redirected
    }
    // Not reached: the loop above ends by returning.
    throw .badResponse("redirects without an end")
  }

  /// Puts the token on and sends; to any origin but its own the request goes without it.
  private func send(
    _ request: RequestMessage, with credential: Credential?, attempt: Int
  ) async throws(TransportFailure) -> ResponseMessage {
    var request = request
    if let credential, credential.isFor(request.url) {
      // Makes the token known to the trace before anything about the request is recorded.
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

  /// The headers that may go to an origin that was not asked for.
  private static func harmless(_ headers: HTTPFields) -> HTTPFields {
    var kept = HTTPFields()
    for name in [HTTPField.Name.accept, .acceptLanguage, .userAgent] { kept[name] = headers[name] }
    return kept
  }
}
