import Effects
import HTTPTypes

/// Cross-origin resource sharing (CORS) headers.
///
/// Pages from any origin can read metadata and errors, as with the live service. Only pages whose origin matches a
/// single-page app's redirect URI can read tokens.
enum CrossOrigin {
  private static let exposedHeaders = "Content-Length,Content-Encoding,x-ms-request-id,x-ms-srs"
  static let tokenMethods = "POST, OPTIONS"
  static let metadataMethods = "GET, OPTIONS"
  private static let userinfoMethods = "GET, POST, OPTIONS"

  /// Allows pages from any origin to read the response.
  static func open(_ response: inout ResponseMessage, methods: String? = nil) {
    response.head.headerFields[.accessControlAllowOrigin] = "*"
    response.head.headerFields[.accessControlAllowMethods] = methods
    response.head.headerFields[.accessControlExposeHeaders] = exposedHeaders
  }

  /// Returns the response to a preflight request, or nil for any other request.
  ///
  /// The response allows every origin, because a page cannot read the actual request's error if the preflight fails.
  static func preflight(_ exchange: EmulatorRequest, route: Route) -> ResponseMessage? {
    guard exchange.method == .options, let methods = methods(of: route, exchange) else { return nil }
    var headers = ResponseBuilder.common(exchange)
    guard exchange.origin != nil else { return ResponseMessage(.ok, headers: headers) }
    headers[.accessControlAllowOrigin] = "*"
    headers[.accessControlAllowMethods] = methods
    headers[.accessControlAllowHeaders] =
      exchange.request.head.headerFields[.accessControlRequestHeaders] ?? "content-type"
    headers[.accessControlMaxAge] = "86400"
    return ResponseMessage(.ok, headers: headers)
  }

  private static func methods(of route: Route, _ exchange: EmulatorRequest) -> String? {
    if case .instanceDiscovery = route { return metadataMethods }
    return switch route.counted(exchange) {
    case .token: tokenMethods
    case .discovery, .keys: metadataMethods
    case .userinfo: userinfoMethods
    default: nil
    }
  }
}
