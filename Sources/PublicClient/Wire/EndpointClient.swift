import Documents
import Effects
import HTTPTypes
import OAuth
import RunTrace

/// A client for the authorization server. Like MSAL, it retries once after a server error and once after a network
/// failure.
struct EndpointClient: Sendable {
  let http: any HTTPTransport
  let clock: any WorldClock
  let trace: TraceRecorder

  /// MSAL's `retryInterval`.
  static let retryInterval = Duration.milliseconds(500)
  /// The longer interval that MSAL uses without a network connection.
  static let offlineRetryInterval = Duration.seconds(2)
  /// The maximum response size in bytes. Larger responses are rejected.
  static let responseSizeLimit = 1 << 20

  /// Sends a request and returns the response if its status is below 500.
  func send(_ request: RequestMessage) async throws(MSALError) -> ResponseMessage {
    var attempt = 1
    while true {
      do {
        let response = try await response(to: request)
        guard response.head.status.code >= 500 else { return response }
        guard attempt == 1 else { throw Self.unhandled(response) }
        trace.recordDecision(
          "request", "retried",
          reason: "the server returned status \(response.head.status.code); MSAL retries once after 0.5 s")
        try await wait(Self.retryInterval)
      } catch let failure as TransportFailure {
        guard attempt == 1, let interval = Self.retryInterval(after: failure) else { throw MSALError(failure) }
        trace.recordDecision("request", "retried", reason: "\(failure.explanation); MSAL retries once")
        try await wait(interval)
      } catch let error as MSALError {
        throw error
      } catch {
        throw MSALError(.internal, "\(error)")
      }
      attempt += 1
    }
  }

  /// Sends a request once. The transport enforces timeouts, because only the transport has access to the real clock.
  private func response(to request: RequestMessage) async throws(TransportFailure) -> ResponseMessage {
    let response = try await http.send(request)
    guard response.body.count <= Self.responseSizeLimit else {
      throw .tooLong("the response has \(response.body.count) bytes; the limit is \(Self.responseSizeLimit)")
    }
    return response
  }

  /// Fetches the JSON metadata of a provider or a cloud.
  /// - Throws: An HTTP error for any status except 200, 400, and 401. As in MSAL, the error response's body is not
  ///   read.
  func metadata(at url: String, headers: HTTPFields) async throws(MSALError) -> (status: Int, json: JSON?) {
    let response = try await get(url, headers: headers)
    let status = response.head.status.code
    guard [200, 400, 401].contains(status) else { throw Self.unhandled(response) }
    return (status, try? JSON(parsing: response.body))
  }

  /// Fetches a JSON document.
  func document(at url: String, headers: HTTPFields) async throws(MSALError) -> (status: Int, json: JSON?) {
    let response = try await get(url, headers: headers)
    return (response.head.status.code, try? JSON(parsing: response.body))
  }

  private func get(_ url: String, headers: HTTPFields) async throws(MSALError) -> ResponseMessage {
    guard var request = RequestMessage(url: url, headers: headers) else {
      throw MSALError(.internal, "\(url) is not a valid URL")
    }
    request.head.headerFields[.accept] = "application/json"
    return try await send(request)
  }

  /// Returns the error for a status that the client does not handle. As in MSAL, the description is the status's reason
  /// phrase, the body is not read, and only 403 and 404 have an underlying error.
  static func unhandled(_ response: ResponseMessage) -> MSALError {
    let status = response.head.status.code
    let phrase = reasonPhrase(for: status)
    var error = MSALError(.serverUnhandledResponse, phrase)
    error.addHTTPResponse(response)
    if [403, 404].contains(status) { error.underlying = MSALError(.unexpectedHttpResponse, phrase) }
    return error
  }

  /// Returns the reason phrase that Apple's system uses for a status. HTTP/2 responses do not contain one.
  private static func reasonPhrase(for code: Int) -> String {
    let statuses: [HTTPResponse.Status] = [
      .badRequest, .unauthorized, .forbidden, .notFound, .methodNotAllowed, .notAcceptable, .requestTimeout, .conflict,
      .gone, .contentTooLarge, .uriTooLong, .unsupportedMediaType, .tooManyRequests, .internalServerError,
      .notImplemented, .badGateway, .serviceUnavailable, .gatewayTimeout,
    ]
    if let status = statuses.first(where: { $0.code == code }) { return status.reasonPhrase.lowercased() }
    return switch code {
    case 500...: "server error"
    case 400..<500: "client error"
    case 300..<400: "redirected"
    default: "unexpected status"
    }
  }

  private func wait(_ duration: Duration) async throws(MSALError) {
    do {
      try await clock.sleep(for: duration)
    } catch {
      throw MSALError(.canceled)
    }
  }

  private static func retryInterval(after failure: TransportFailure) -> Duration? {
    switch failure {
    case .timedOut, .hostNotFound, .cannotConnect, .connectionLost: retryInterval
    case .offline: offlineRetryInterval
    case .tls, .proxy, .badResponse, .tooLong, .notRecorded, .canceled: nil
    }
  }
}

extension MSALError {
  /// Adds the status and headers, which MSAL reports only for HTTP errors.
  mutating func addHTTPResponse(_ response: ResponseMessage) {
    httpStatus = response.head.status.code
    isHTTPError = true
    let visible = response.head.headerFields.filter { SecretParameters.kind(ofHeader: $0.name.canonicalName) == nil }
    httpHeaders = Parameters(visible.map { Parameters.Entry($0.name.conventionalName, $0.value) })
    retryAfter = response.head.headerFields[.retryAfter].flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension HTTPField.Name {
  /// Fields that Apple's `allHeaderFields` always returns in the standard spelling, regardless of the spelling that the
  /// server uses.
  private static let standard: [HTTPField.Name] = [
    .age, .cacheControl, .connection, .contentEncoding, .contentLanguage, .contentLength, .contentType, .date, .eTag,
    .expires, .lastModified, .location, .retryAfter, .server, .strictTransportSecurity, .transferEncoding, .vary,
    .wwwAuthenticate,
  ]

  /// The name in the standard spelling if the field is in `standard`, otherwise in the server's spelling.
  fileprivate var conventionalName: String { (Self.standard.first { $0 == self } ?? self).rawName }
}
