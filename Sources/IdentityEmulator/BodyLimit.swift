import Documents
import Effects
import GraphEmulator
import HTTPTypes

/// How large the body of a request can be, and the response to a larger one.
struct BodyLimit: Sendable {
  let exchange: EmulatorRequest
  let route: Route

  var bytes: Int { isUpload ? GraphLimits.upload : GraphLimits.request }

  private var isUpload: Bool {
    guard case .graph = route, exchange.method == .put else { return false }
    return UploadService.id(in: exchange.path) != nil || exchange.segments.last?.lowercased() == "content"
  }

  /// An error in the format that clients of the endpoint read.
  func refusal() -> ResponseMessage {
    let message = "The body of the request is larger than \(bytes >> 20) MiB."
    if case .graph = route {
      let request = GraphGateway.request(exchange, .refused(.uploadOnly))
      return GraphEnvelope.response(to: request, failure: GraphErrorResponse(413, "RequestEntityTooLarge", message))
    }
    switch route.counted(exchange) {
    case .token, .devicecode:
      var response = ResponseBuilder.json(
        ["error": "invalid_request", "error_description": .string(message)], status: .contentTooLarge, to: exchange,
        telemetry: "1,0,0,,")
      // A page that cannot read the error reports only "Failed to fetch".
      if exchange.origin != nil { CrossOrigin.open(&response) }
      return response
    default: return ResponseBuilder.text(message, status: .contentTooLarge, to: exchange)
    }
  }
}

extension IdentityPlatformEmulator {
  /// The most bytes that the body of a request with this head can have.
  package func bodyLimit(for head: HTTPRequest) -> Int { limit(head).bytes }

  /// The response to a request whose body has more bytes than `bodyLimit(for:)`.
  package func bodyRefusal(for head: HTTPRequest) -> ResponseMessage { limit(head).refusal().withReason }

  private func limit(_ head: HTTPRequest) -> BodyLimit {
    let exchange = EmulatorRequest(RequestMessage(head), now: platform.now, randomness: platform.randomness)
    return BodyLimit(exchange: exchange, route: Route(exchange, servesEveryHost: platform.options.servesEveryHost))
  }
}
