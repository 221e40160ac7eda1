import Documents
import Effects
import HTTPTypes
import OrderedCollections
import RunTrace
import Trust

/// Calls protected APIs: sends requests, retries, follows redirects and pages, and says what came of it.
///
/// The bearer token goes to the one origin that it is allowed for. Nothing that a server says (a redirect, a nextLink)
/// can make it go elsewhere.
package struct APIClient: Sendable {
  let http: any HTTPTransport
  let clock: any WorldClock
  let trace: TraceRecorder
  let destinations: TokenDestinations

  /// Pages after which `pages: all` stops: by then something runs in a circle.
  static let mostPages = 1000
  static let mostRedirects = 5

  /// - Parameter destinations: the hosts that may receive tokens.
  package init(
    http: any HTTPTransport, clock: any WorldClock, trace: TraceRecorder, destinations: TokenDestinations
  ) {
    self.http = http
    self.clock = clock
    self.trace = trace
    self.destinations = destinations
  }

  /// Performs the call. Never throws: whatever happens is an outcome.
  ///
  /// - Parameters:
  ///   - token: the access token; without one nothing is sent and the outcome is `unauthorized`.
  ///   - resource: the resource that the token was issued for.
  ///   - endpoint: where Graph is; also decides where the token of a Graph call may go. For a call of another API it
  ///     is that API's own URL, or any URL of the origin that the token is for.
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
    guard let token, !token.isEmpty else {
      trace.recordDecision("accessToken", "none", reason: "no token was acquired for this API yet, so nothing is sent")
      return APICallResult(
        outcome: .unauthorized,
        error: APIError(code: "noToken", message: "no access token was acquired before this call"))
    }
    guard let allowed = Origin(of: endpoint) else {
      let reason = "'\(endpoint)' is no absolute http or https URL"
      trace.recordDecision("request", "refused", reason: reason)
      return APICallResult(outcome: .otherStatus, error: APIError(code: "invalidRequest", message: reason))
    }
    if let violation = violation(request, to: allowed, resource) {
      trace.recordDecision("accessToken", "refused", reason: violation.message, ["help": .init(violation.help)])
      return APICallResult(
        outcome: .otherStatus,
        error: APIError(code: "untrustedHost", message: "\(violation.message); \(violation.help)"))
    }
    let credential = Credential(token: token, allowed: allowed)
    var result = await exchange(request, with: credential, retry: call.retry)
    result.sent = sent(request, with: credential)
    if !call.batch.isEmpty, case .json(let answer) = result.body, result.outcome == .success {
      result.body = .json(BatchRequest.ordered(answer, as: call.batch))
    }
    if call.pages != .first, result.outcome == .success {
      await followPages(of: request, with: credential, call: call, into: &result)
    }
    return result
  }

  /// The reason why the request may not be sent, or nil. A request to another origin than the token's own goes without the token,
  /// but it can carry other secrets of the workflow, so it needs the same permission.
  private func violation(
    _ request: RequestMessage, to allowed: Origin, _ resource: TokenDestinations.Resource
  ) -> TrustViolation? {
    destinations.violation(sending: resource, to: allowed.description)
      ?? (Origin(of: request.url) == allowed ? nil : destinations.violation(sending: .api, to: request.url))
  }

  /// One request until its answer stands: redirects followed, retries made.
  func exchange(_ request: RequestMessage, with credential: Credential, retry: RetryPolicy) async -> APICallResult {
    var attempt = 0
    while true {
      attempt += 1
      let response: ResponseMessage
      do {
        response = try await follow(request, with: credential, attempt: attempt)
      } catch {
        return Self.failed(error, attempts: attempt)
      }
      switch retry.verdict(on: response, sent: attempt, now: clock.now) {
      case .stands:
        return answered(response, attempts: attempt)
      case .givesUp(let reason):
        trace.recordDecision("retry", "givenUp", reason: reason, ["attempts": .init(attempt)])
        return answered(response, attempts: attempt)
      case .again(let wait, let reason):
        trace.recordDecision(
          "retry", "again", reason: reason,
          [
            "attempt": .init(attempt), "waitMilliseconds": .init(Int(wait.inSeconds * 1000)),
            "until": .init((clock.now + wait).rfc3339(fractionDigits: 3)),
          ])
        do {
          try await clock.sleep(for: wait)
        } catch {
          return Self.failed(.cancelled, attempts: attempt)
        }
      }
    }
  }

  private static func failed(_ failure: TransportFailure, attempts: Int) -> APICallResult {
    let outcome: APICallResult.Outcome =
      switch failure {
      // A call is cancelled by the bound that the step was given. An app's URLSession reads on where bytes keep coming,
      // until its timeout for the whole resource (NSURLErrorTimedOut).
      case .timedOut, .cancelled, .tooLong: .timedOut
      // There is a network; nobody was asked.
      case .notRecorded: .otherStatus
      default: .offline
      }
    var failure = failure
    if case .tooLong(let what) = failure {
      failure = .timedOut("\(what); an app reads on until its timeoutIntervalForResource is over")
    }
    return APICallResult(outcome: outcome, attempts: attempts, failure: failure)
  }

  private func answered(_ response: ResponseMessage, attempts: Int) -> APICallResult {
    let status = response.head.status.code
    var result = APICallResult(
      outcome: APICallResult.outcome(of: status), status: status, headers: response.head.headerFields,
      body: MediaType.body(of: response), attempts: attempts, pages: 1, rawBody: response.body)
    guard result.outcome != .success else { return result }
    if case .json(let json) = result.body { result.error = APIError(json) }
    if result.outcome == .unauthorized, let claims = ClaimsChallenge.claims(in: response.head.headerFields) {
      result.outcome = .claimsChallenge
      result.claims = claims
      trace.recordDecision(
        "claimsChallenge", "found", reason: "the API wants a token with these claims: \(claims)")
    }
    return result
  }

  private func sent(_ request: RequestMessage, with credential: Credential) -> SentRequest {
    var headers = request.head.headerFields
    if credential.isFor(request.url) { headers[.authorization] = "Bearer \(trace.mask(credential.token))" }
    return SentRequest(
      method: request.head.method.rawValue, url: request.url, host: request.head.authority ?? "", headers: headers,
      body: request.body)
  }
}

/// A token and the only origin that it may go to.
struct Credential: Sendable {
  let token: Secret
  let allowed: Origin

  func isFor(_ url: String) -> Bool { Origin(of: url) == allowed }
}
