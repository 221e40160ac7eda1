import Documents
import Effects
import GraphEmulator
import HTTPTypes

/// The maximum size of a request body, and the error response for larger bodies.
struct BodyLimit: Sendable {
  let exchange: EmulatorRequest
  let route: Route

  var bytes: Int { isUpload ? GraphLimits.upload : GraphLimits.request }

  private var isUpload: Bool {
    guard case .graph = route, exchange.method == .put else { return false }
    return UploadService.id(in: exchange.path) != nil || exchange.segments.last?.lowercased() == "content"
  }

  /// Returns the 413 response in the endpoint's error format.
  func errorResponse() -> ResponseMessage {
    let message = "The request body exceeds \(bytes >> 20) MiB."
    if case .graph = route {
      let request = GraphGateway.request(exchange, .rejected(.uploadOnly))
      return GraphEnvelope.response(to: request, failure: GraphErrorResponse(413, "RequestEntityTooLarge", message))
    }
    switch route.counted(exchange) {
    case .token, .devicecode:
      var response = ResponseBuilder.json(
        ["error": "invalid_request", "error_description": .string(message)], status: .contentTooLarge, to: exchange,
        telemetry: "1,0,0,,")
      // Without CORS headers, a page cannot read the error, and the browser reports only "Failed to fetch".
      if exchange.origin != nil { CrossOrigin.open(&response) }
      return response
    default: return ResponseBuilder.text(message, status: .contentTooLarge, to: exchange)
    }
  }
}

extension IdentityPlatformEmulator {
  /// Returns the maximum body size, in bytes, for a request with this head.
  package func bodyLimit(for head: HTTPRequest) -> Int { limit(head).bytes }

  /// Returns the response to a request whose body is larger than `bodyLimit(for:)`.
  package func bodyLimitResponse(for head: HTTPRequest) -> ResponseMessage { limit(head).errorResponse().withReason }

  private func limit(_ head: HTTPRequest) -> BodyLimit {
    let exchange = EmulatorRequest(RequestMessage(head), now: platform.now, randomness: platform.randomness)
    return BodyLimit(exchange: exchange, route: Route(exchange, servesEveryHost: platform.options.servesEveryHost))
  }
}
