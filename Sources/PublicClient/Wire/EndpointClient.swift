import Documents
import Effects
import HTTPTypes
import OAuth
import RunTrace

/// Sends requests to the authorization server and tries again where MSAL does: once after a server fault, once after a
/// network fault.
struct EndpointClient: Sendable {
  let http: any HTTPTransport
  let clock: any WorldClock
  let trace: TraceRecorder

  /// MSAL's `retryInterval` and the longer one while there is no network.
  static let retryInterval = Duration.milliseconds(500)
  static let offlineRetryInterval = Duration.seconds(2)
  /// No answer of an authorization server is larger, in bytes; what is, is not read.
  static let largestAnswer = 1 << 20

  /// An answer that a protocol step can be judged by: any status but a server's fault.
  func send(_ request: RequestMessage) async throws(MSALError) -> ResponseMessage {
    var attempt = 1
    while true {
      do {
        let response = try await answer(to: request)
        guard response.head.status.code >= 500 else { return response }
        guard attempt == 1 else { throw serverUnavailable(response) }
        trace.decide(
          "request", "retry", why: "the server answered \(response.head.status.code); MSAL tries once more after 0.5 s")
        try await wait(Self.retryInterval)
      } catch let failure as TransportFailure {
        guard attempt == 1, let interval = Self.retryInterval(after: failure) else { throw MSALError(failure) }
        trace.decide("request", "retry", why: "\(failure.explanation); MSAL tries once more")
        try await wait(interval)
      } catch let error as MSALError {
        throw error
      } catch {
        throw MSALError(.internal, "\(error)")
      }
      attempt += 1
    }
  }

  /// How long it may take in all is the transport's affair: it knows the clock on the wall.
  private func answer(to request: RequestMessage) async throws(TransportFailure) -> ResponseMessage {
    let response = try await http.send(request)
    guard response.body.count <= Self.largestAnswer else {
      throw .tooLong("the answer has \(response.body.count) bytes, more than \(Self.largestAnswer)")
    }
    return response
  }

  /// A GET whose answer is a JSON document.
  func document(at url: String, headers: HTTPFields) async throws(MSALError) -> (status: Int, json: JSON?) {
    guard var request = RequestMessage(url: url, headers: headers) else {
      throw MSALError(.internal, "\(url) is no address that can be asked")
    }
    request.head.headerFields[.accept] = "application/json"
    let response = try await send(request)
    return (response.head.status.code, try? JSON(parsing: response.body))
  }

  /// The error for a status that belongs to no protocol step.
  static func unhandled(_ response: ResponseMessage) -> MSALError {
    let json = try? JSON(parsing: response.body)
    let status = response.head.status
    let description = json?["error_description"]?.string.map { FormCoding.decode($0) }
    let words = description ?? "\(phrase(for: status.code)) (HTTP \(status.code))"
    var error = MSALError(.serverUnhandledResponse, words)
    error.addResponse(response)
    var underlying = MSALError(.unexpectedHttpResponse, words)
    underlying.addResponse(response)
    error.underlying = underlying
    return error
  }

  /// A status in words, as the system has them; HTTP/2 sends none.
  private static func phrase(for code: Int) -> String {
    let known: [HTTPResponse.Status] = [
      .badRequest, .unauthorized, .forbidden, .notFound, .methodNotAllowed, .notAcceptable, .requestTimeout, .conflict,
      .gone, .contentTooLarge, .uriTooLong, .unsupportedMediaType, .tooManyRequests, .internalServerError,
      .notImplemented, .badGateway, .serviceUnavailable, .gatewayTimeout,
    ]
    if let status = known.first(where: { $0.code == code }) { return status.reasonPhrase.lowercased() }
    return switch code {
    case 500...: "server error"
    case 400..<500: "client error"
    case 300..<400: "redirected"
    default: "unexpected status"
    }
  }

  private func serverUnavailable(_ response: ResponseMessage) -> MSALError {
    var error = Self.unhandled(response)
    error.isServerUnavailable = true
    return error
  }

  private func wait(_ duration: Duration) async throws(MSALError) {
    do {
      try await clock.sleep(for: duration)
    } catch {
      throw MSALError(.cancelled)
    }
  }

  private static func retryInterval(after failure: TransportFailure) -> Duration? {
    switch failure {
    case .timedOut, .hostNotFound, .cannotConnect, .connectionLost: retryInterval
    case .offline: offlineRetryInterval
    case .tls, .proxy, .badResponse, .tooLong, .notRecorded, .cancelled: nil
    }
  }
}

extension MSALError {
  /// Adds what the response's head tells.
  mutating func addResponse(_ response: ResponseMessage) {
    httpStatus = response.head.status.code
    httpHeaders = Parameters(
      response.head.headerFields.compactMap { field in
        let name = field.name.canonicalName
        return SecretParameters.kind(ofHeader: name) == nil ? Parameters.Entry(name, field.value) : nil
      })
    retryAfter = httpHeaders["retry-after"].flatMap { $0.isEmpty ? nil : $0 }
  }
}
