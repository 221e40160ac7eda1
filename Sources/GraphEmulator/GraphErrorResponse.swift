import Documents
import HTTPTypes

/// An error that the Graph emulator returns as the `error` object in a response body.
package struct GraphErrorResponse: Error, Hashable, Sendable {
  var status: Int
  var code: String
  var message: String
  var headers: HTTPFields

  package init(_ status: Int, _ code: String, _ message: String, headers: HTTPFields = [:]) {
    self.status = status
    self.code = code
    self.message = message
    self.headers = headers
  }
}

extension GraphErrorResponse {
  /// Returns status 400 with the directory service's error code.
  static func badRequest(_ message: String) -> Self { Self(400, "Request_BadRequest", message) }

  /// Returns status 400 with the error code of Graph's gateway, which rejects malformed requests before they reach a
  /// service.
  static func malformed(_ message: String) -> Self { Self(400, "BadRequest", message) }

  /// Returns status 400 for a query that the directory does not support, or supports only with `ConsistencyLevel:
  /// eventual`.
  static func unsupportedQuery(_ message: String) -> Self { Self(400, "Request_UnsupportedQuery", message) }

  static func resourceNotFound(_ id: String) -> Self {
    Self(
      404, "Request_ResourceNotFound",
      "Resource '\(id)' does not exist or one of its queried reference-property objects are not present.")
  }

  static let itemNotFound = Self(
    404, "ErrorItemNotFound", "The specified object was not found in the store.")

  static let noMailbox = Self(
    404, "MailboxNotEnabledForRESTAPI", "The mailbox is either inactive, soft-deleted, or is hosted on-premise.")

  static let methodNotAllowed = Self(
    405, "Request_BadRequest", "Specified HTTP method is not allowed for the request target.")

  /// Returns status 501 for a request that the live service may support. Graph itself does not return this status, so
  /// clients can recognize missing features of the emulator.
  /// - Parameter what: The unsupported feature, such as `GET /v1.0/me/insights`.
  static func notEmulated(_ what: String) -> Self {
    let feature = String(what.prefix(200))
    var headers = HTTPFields()
    headers[.notEmulated] = GraphHeader.text(feature)
    return Self(
      501, "NotEmulated",
      "The emulator does not support \(feature). Microsoft Graph may support it. To add a response to the emulator, add "
        + "data for the path under the directory's 'graph' key.",
      headers: headers)
  }

  /// Returns status 501 for a path that the emulator does not support.
  static func notEmulated(_ call: GraphRequestContext) -> Self {
    .notEmulated("\(call.method.rawValue) \(call.request.path)")
  }

  static let delegatedOnly = Self(
    400, "BadRequest", "/me request is only valid with delegated authentication flow.")

  /// Returns the error for missing permissions, in the format of the service that owns the resource.
  /// - Parameter required: The permissions, any of which is sufficient. The response lists them in a header, because
  ///   the service's message does not include them.
  static func denied(by workload: GraphWorkload, required: GraphAccess? = nil) -> Self {
    var failure = denied(inWordsOf: workload)
    if let required, !required.anyOf.isEmpty {
      failure.headers[neededPermissions] = required.anyOf.joined(separator: " ")
    }
    return failure
  }

  private static let neededPermissions = HTTPField.Name("x-authflow-permissions") ?? .eTag

  private static func denied(inWordsOf workload: GraphWorkload) -> Self {
    switch workload {
    case .directory: Self(403, "Authorization_RequestDenied", "Insufficient privileges to complete the operation.")
    case .exchange: Self(403, "ErrorAccessDenied", "Access is denied. Check credentials and try again.")
    case .files: Self(403, "accessDenied", "Access denied")
    case .other: Self(403, "Forbidden", "The caller does not have the permissions that this request requires.")
    }
  }
}

/// A namespace for functions that create header values.
enum GraphHeader {
  /// Replaces each byte that is not printable ASCII with `?`, because a path can contain any escaped byte.
  static func text(_ text: String) -> String {
    String(decoding: text.utf8.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
  }
}

extension HTTPField.Name {
  /// The response header that identifies the request or feature that the emulator does not support.
  package static let notEmulated = HTTPField.Name("x-authflow-not-emulated") ?? .eTag
}

/// A service to which Graph forwards requests. The services differ in error formats and paging.
enum GraphWorkload: Hashable, Sendable {
  case directory, exchange, files, other
}
