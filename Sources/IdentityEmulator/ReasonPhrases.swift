import Effects
import HTTPTypes

extension ResponseMessage {
  /// The response, with a standard reason phrase if the status does not already have a phrase.
  var withReason: ResponseMessage {
    guard head.status.reasonPhrase.isEmpty, let status = HTTPResponse.Status.byCode[head.status.code] else {
      return self
    }
    var copy = self
    copy.head.status = status
    return copy
  }
}

extension HTTPResponse.Status {
  /// The registered statuses (RFC 9110 §15, RFC 6585) by code.
  fileprivate static let byCode = Dictionary(
    [
      ok, created, accepted, noContent, partialContent, movedPermanently, found, seeOther, notModified,
      temporaryRedirect, permanentRedirect, badRequest, unauthorized, forbidden, notFound, methodNotAllowed,
      notAcceptable, requestTimeout, conflict, gone, lengthRequired, preconditionFailed, contentTooLarge, uriTooLong,
      unsupportedMediaType, rangeNotSatisfiable, expectationFailed, misdirectedRequest, unprocessableContent, tooEarly,
      upgradeRequired, preconditionRequired, tooManyRequests, requestHeaderFieldsTooLarge, internalServerError,
      notImplemented, badGateway, serviceUnavailable, gatewayTimeout,
      .init(code: 402, reasonPhrase: "Payment Required"), .init(code: 423, reasonPhrase: "Locked"),
      .init(code: 424, reasonPhrase: "Failed Dependency"),
      .init(code: 451, reasonPhrase: "Unavailable For Legal Reasons"),
      .init(code: 507, reasonPhrase: "Insufficient Storage"),
      .init(code: 509, reasonPhrase: "Bandwidth Limit Exceeded"),
    ].map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
}
