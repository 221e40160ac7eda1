import Effects
import HTTPTypes
import NIOHTTP1

/// A server error for a request that is not passed to the handler.
struct RequestRejection: Error {
  var status: HTTPResponseStatus
  /// The response body: one sentence.
  var reason: String
  /// A response to send instead of the reason.
  var response: ResponseMessage?

  var message: ResponseMessage {
    response
      ?? ResponseMessage(
        .init(code: Int(status.code), reasonPhrase: status.reasonPhrase),
        headers: [.contentType: "text/plain; charset=utf-8", .xContentTypeOptions: "nosniff"],
        body: Array((reason + "\n").utf8))
  }

  static let headTooLarge = RequestRejection(
    status: .requestHeaderFieldsTooLarge, reason: "The request's first line and header are too large.")
  static let bodyTooLarge = RequestRejection(status: .payloadTooLarge, reason: "The request's body is too large.")
  static let tooSlow = RequestRejection(status: .requestTimeout, reason: "The request timed out.")
  static let plain = RequestRejection(
    status: .badRequest, reason: "This port accepts HTTPS only. Use an https:// URL.")

  static func malformed(_ reason: String) -> RequestRejection { RequestRejection(status: .badRequest, reason: reason) }
}
