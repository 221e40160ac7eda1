import Documents
import Effects
import HTTPTypes
import OrderedCollections
import RunTrace
import Trust

/// A client for protected APIs. It sends and retries requests, and it follows redirects and page links.
///
/// The client sends the bearer token only to the origin that the token is for. Redirects and page links cannot change
/// this origin.
package struct APIClient: Sendable {
  let http: any HTTPTransport
  let clock: any WorldClock
  let trace: TraceRecorder
  let destinations: TokenDestinations

  /// The maximum number of pages for `pages: all`, in case the links never end.
  static let maxPages = 1000
  static let maxRedirects = 5

  /// - Parameter destinations: The hosts that can receive tokens.
  package init(
    http: any HTTPTransport, clock: any WorldClock, trace: TraceRecorder, destinations: TokenDestinations
  ) {
    self.http = http
    self.clock = clock
    self.trace = trace
    self.destinations = destinations
  }

  /// Performs the call. Reports failures as outcomes instead of throwing errors.
  ///
  /// - Parameters:
  ///   - token: The access token. If it is nil and the call is not anonymous, the client does not send the request,
  ///     and the outcome is `unauthorized`.
  ///   - resource: The resource that the token was issued for.
  ///   - endpoint: The Graph endpoint. It also determines the origin that can receive the token. For other APIs, pass
  ///     any URL with the origin that the token is for.
  package func perform(
    _ call: APICall, token: Secret?, for resource: TokenDestinations.Resource, endpoint: String
  ) async -> APICallResult {
    let request: RequestMessage
    do {
      request = try call.request(endpoint: endpoint)
    } catch {
      trace.recordDecision("request", "refused", reason: error.explanation)
      return APICallResult(
        outcome: .otherStatus, error: APIError(code: "invalidRequest", message: error.explanation))
    }
    let token = call.isAnonymous ? nil : token
    guard call.isAnonymous || token?.isEmpty == false else {
      trace.recordDecision("accessToken", "none", reason: "no access token for this API; the request is not sent")
      return APICallResult(
        outcome: .unauthorized,
        error: APIError(code: "noToken", message: "no access token was acquired before this call"))
    }
    guard let allowed = Origin(of: endpoint) else {
      let reason = "`\(endpoint)` is not an absolute HTTP or HTTPS URL"
      trace.recordDecision("request", "refused", reason: reason)
      return APICallResult(outcome: .otherStatus, error: APIError(code: "invalidRequest", message: reason))
    }
    if let violation = violation(request, to: allowed, resource) {
      trace.recordDecision("accessToken", "refused", reason: violation.message, ["help": .init(violation.help)])
      return APICallResult(
        outcome: .otherStatus,
        error: APIError(code: "untrustedHost", message: "\(violation.message); \(violation.help)"))
    }
    let credential = token.map { Credential(token: $0, allowed: allowed) }
    var result = await exchange(request, with: credential, retry: call.retry)
    result.sent = sent(request, with: credential)
    if !call.batch.isEmpty, case .json(let json) = result.body, result.outcome == .success {
      result.body = .json(BatchRequest.ordered(json, as: call.batch))
    }
    if let credential, call.pages != .first, result.outcome == .success {
      await followPages(of: request, with: credential, call: call, into: &result)
    }
    return result
  }

  /// Returns the reason why the client must not send the request, or nil if the request is allowed. This check also
  /// applies to requests without the token, because they can contain other secrets from the workflow.
  private func violation(
    _ request: RequestMessage, to allowed: Origin, _ resource: TokenDestinations.Resource
  ) -> TrustViolation? {
    destinations.violation(sending: resource, to: allowed.description)
      ?? (Origin(of: request.url) == allowed ? nil : destinations.violation(sending: .api, to: request.url))
  }

  /// Sends one request, retries it if necessary, and follows redirects.
  func exchange(_ request: RequestMessage, with credential: Credential?, retry: RetryPolicy) async -> APICallResult {
    var attempt = 0
    while true {
      attempt += 1
      let response: ResponseMessage
      do {
        response = try await follow(request, with: credential, attempt: attempt)
      } catch {
        return Self.failed(error, attempts: attempt)
      }
      switch retry.decision(on: response, sent: attempt, now: clock.now) {
      case .accept:
        return result(of: response, attempts: attempt)
      case .stop(let reason):
        trace.recordDecision("retry", "givenUp", reason: reason, ["attempts": .init(attempt)])
        return result(of: response, attempts: attempt)
      case .retry(let wait, let reason):
        trace.recordDecision(
          "retry", "again", reason: reason,
          [
            "attempt": .init(attempt), "waitMilliseconds": .init(Int(wait.inSeconds * 1000)),
            "until": .init((clock.now + wait).rfc3339(fractionDigits: 3)),
          ])
        do {
          try await clock.sleep(for: wait)
        } catch {
          return Self.failed(.canceled, attempts: attempt)
        }
      }
    }
  }

  private static func failed(_ failure: TransportFailure, attempts: Int) -> APICallResult {
    let outcome: APICallResult.Outcome =
      switch failure {
      // The step's timeout cancels the call. Similarly, an app's `URLSession` reads an endless response until the
      // resource timeout and then fails with `NSURLErrorTimedOut`.
      case .timedOut, .canceled, .tooLong: .timedOut
      // A request that is missing from the recording is not a network failure.
      case .notRecorded: .otherStatus
      default: .offline
      }
    var failure = failure
    if case .tooLong(let what) = failure {
      failure = .timedOut("\(what); an app would stop after its `timeoutIntervalForResource`")
    }
    var result = APICallResult(outcome: outcome, attempts: attempts)
    result.failure = failure
    return result
  }

  private func result(of response: ResponseMessage, attempts: Int) -> APICallResult {
    let status = response.head.status.code
    var result = APICallResult(
      outcome: APICallResult.outcome(of: status), status: status, headers: response.head.headerFields,
      body: MediaType.body(of: response), attempts: attempts)
    result.pages = 1
    result.rawBody = response.body
    guard result.outcome != .success else { return result }
    if case .json(let json) = result.body { result.error = APIError(json) }
    if result.outcome == .unauthorized, let claims = ClaimsChallenge.claims(in: response.head.headerFields) {
      result.outcome = .claimsChallenge
      result.claims = claims
      trace.recordDecision(
        "claimsChallenge", "found", reason: "the API requires a token with these claims: \(claims)")
    }
    return result
  }

  private func sent(_ request: RequestMessage, with credential: Credential?) -> SentRequest {
    var headers = request.head.headerFields
    if let credential, credential.isFor(request.url) {
      headers[.authorization] = "Bearer \(trace.mask(credential.token))"
    }
    return SentRequest(
      method: request.head.method.rawValue, url: request.url, host: request.head.authority ?? "", headers: headers,
      body: request.body)
  }
}

/// An access token and the only origin that can receive it.
struct Credential: Sendable {
  let token: Secret
  let allowed: Origin

  func isFor(_ url: String) -> Bool { Origin(of: url) == allowed }
}
