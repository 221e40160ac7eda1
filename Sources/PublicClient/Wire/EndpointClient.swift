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
        guard attempt == 1 else { throw Self.unhandled(response) }
        trace.recordDecision(
          "request", "retry",
          reason: "the server answered \(response.head.status.code); MSAL tries once more after 0.5 s")
        try await wait(Self.retryInterval)
      } catch let failure as TransportFailure {
        guard attempt == 1, let interval = Self.retryInterval(after: failure) else { throw MSALError(failure) }
        trace.recordDecision("request", "retry", reason: "\(failure.explanation); MSAL tries once more")
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

  /// A GET whose answer is a JSON document that describes a provider or a cloud.
  /// - Throws: an HTTP error for any status but 200, 400, and 401, as MSAL does without reading the body.
  func metadata(at url: String, headers: HTTPFields) async throws(MSALError) -> (status: Int, json: JSON?) {
    let response = try await get(url, headers: headers)
    let status = response.head.status.code
    guard [200, 400, 401].contains(status) else { throw Self.unhandled(response) }
    return (status, try? JSON(parsing: response.body))
  }

  /// A GET whose answer is a JSON document.
  func document(at url: String, headers: HTTPFields) async throws(MSALError) -> (status: Int, json: JSON?) {
    let response = try await get(url, headers: headers)
    return (response.head.status.code, try? JSON(parsing: response.body))
  }

  private func get(_ url: String, headers: HTTPFields) async throws(MSALError) -> ResponseMessage {
    guard var request = RequestMessage(url: url, headers: headers) else {
      throw MSALError(.internal, "\(url) is no address that can be asked")
    }
    request.head.headerFields[.accept] = "application/json"
    return try await send(request)
  }

  /// The error for any status but 200, 400, and 401. As in MSAL, the description is the status in words. The body is not
  /// read, and only 403 and 404 have an underlying error.
  static func unhandled(_ response: ResponseMessage) -> MSALError {
    let status = response.head.status.code
    let words = phrase(for: status)
    var error = MSALError(.serverUnhandledResponse, words)
    error.addHTTPResponse(response)
    if [403, 404].contains(status) { error.underlying = MSALError(.unexpectedHttpResponse, words) }
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
  /// Adds status and headers, which MSAL puts into the user-info of HTTP errors only.
  mutating func addHTTPResponse(_ response: ResponseMessage) {
    httpStatus = response.head.status.code
    isHTTPError = true
    let visible = response.head.headerFields.filter { SecretParameters.kind(ofHeader: $0.name.canonicalName) == nil }
    httpHeaders = Parameters(visible.map { Parameters.Entry($0.name.conventionalName, $0.value) })
    retryAfter = response.head.headerFields[.retryAfter].flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension HTTPField.Name {
  /// Fields that Apple's `allHeaderFields` names in their standard spelling, however the server sent them.
  private static let standard: [HTTPField.Name] = [
    .age, .cacheControl, .connection, .contentEncoding, .contentLanguage, .contentLength, .contentType, .date, .eTag,
    .expires, .lastModified, .location, .retryAfter, .server, .strictTransportSecurity, .transferEncoding, .vary,
    .wwwAuthenticate,
  ]

  /// The standard spelling; other names stay as the server sent them.
  fileprivate var conventionalName: String { (Self.standard.first { $0 == self } ?? self).rawName }
}
