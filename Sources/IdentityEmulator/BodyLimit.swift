import Documents
import Effects
import HTTPTypes

/// How large the body of a request can be, and the response to a larger one.
struct BodyLimit: Sendable {
  /// The most bytes of most requests.
  static let standard = 4 << 20
  /// The most bytes of an upload to Graph. Clients send pieces of 5 MiB (Microsoft's SDKs) and 10 MiB (rclone). The live
  /// service accepts 60 MiB in a piece and 250 MB in a simple upload, but the emulator keeps all content in memory.
  static let upload = 16 << 20

  let exchange: EmulatorRequest
  let route: Route

  var bytes: Int { isUpload ? Self.upload : Self.standard }

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
