import Effects
import HTTPTypes
import NIOHTTP1

/// Why the server itself refuses a request, without asking its function.
struct RequestRejection: Error {
  var status: HTTPResponseStatus
  /// One sentence for people.
  var reason: String
  /// The response in place of the reason.
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
  static let tooSlow = RequestRejection(status: .requestTimeout, reason: "The request took too long to arrive.")
  static let plain = RequestRejection(
    status: .badRequest, reason: "This port speaks HTTPS only: write https:// before the address.")

  static func malformed(_ reason: String) -> RequestRejection { RequestRejection(status: .badRequest, reason: reason) }
}
