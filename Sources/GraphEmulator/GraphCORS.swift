import Effects
import HTTPTypes

/// The cross-origin resource sharing (CORS) policy. Graph allows every origin, because it authenticates requests with
/// tokens instead of cookies.
enum GraphCORS {
  private static let exposed =
    "ETag, Location, Preference-Applied, Content-Range, request-id, client-request-id, ReadWriteConsistencyToken, "
    + "SdkVersion, WWW-Authenticate, x-ms-ags-diagnostic, x-ms-resource-unit, Retry-After, "
    + "x-authflow-not-emulated"

  static func allow(_ headers: inout HTTPFields) {
    headers[.accessControlAllowOrigin] = "*"
    headers[.accessControlExposeHeaders] = exposed
  }

  /// Returns the response to a preflight request, or nil for any other request. Preflight requests do not contain a
  /// token.
  static func preflight(_ request: GraphRequest) -> ResponseMessage? {
    let fields = request.message.head.headerFields
    guard request.message.head.method == .options, fields[.origin] != nil,
      let method = fields[.accessControlRequestMethod]
    else { return nil }
    var headers = HTTPFields()
    allow(&headers)
    headers[.accessControlAllowMethods] = method
    headers[.accessControlAllowHeaders] = fields[.accessControlRequestHeaders] ?? "Authorization"
    headers[.accessControlMaxAge] = "3600"
    return ResponseMessage(.ok, headers: headers)
  }
}
