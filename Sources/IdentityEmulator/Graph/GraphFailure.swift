import Documents
import HTTPTypes

/// A refusal of the emulated Graph: what becomes an `error` body.
package struct GraphFailure: Error, Hashable, Sendable {
  var status: Int
  var code: String
  var message: String
  var headers: HTTPFields

  init(_ status: Int, _ code: String, _ message: String, headers: HTTPFields = [:]) {
    self.status = status
    self.code = code
    self.message = message
    self.headers = headers
  }
}

extension GraphFailure {
  /// 400 in the words of the directory service.
  static func badRequest(_ message: String) -> Self { Self(400, "Request_BadRequest", message) }

  /// 400 of Graph's own front, before any service is asked.
  static func malformed(_ message: String) -> Self { Self(400, "BadRequest", message) }

  /// A query that the directory answers only with `ConsistencyLevel: eventual`, or never.
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

  static let delegatedOnly = Self(
    400, "BadRequest", "/me request is only valid with delegated authentication flow.")

  /// The refusal of a caller without a permission that would do, in the words of the service asked.
  static func denied(by workload: GraphWorkload) -> Self {
    switch workload {
    case .directory: Self(403, "Authorization_RequestDenied", "Insufficient privileges to complete the operation.")
    case .exchange: Self(403, "ErrorAccessDenied", "Access is denied. Check credentials and try again.")
    case .files: Self(403, "accessDenied", "Access denied")
    case .other: Self(403, "Forbidden", "The caller has none of the permissions that this request needs.")
    }
  }
}

/// The services behind Graph: each words its errors and pages its collections in its own way.
enum GraphWorkload: Hashable, Sendable {
  case directory, exchange, files, other
}
