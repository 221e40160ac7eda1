import Documents
import HTTPTypes

/// A refusal of the emulated Graph: what becomes an `error` body.
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

  /// 501 for a request that real Graph may well support: a client must not take it for Graph's own refusal.
  /// - Parameter what: names the missing part, such as `GET /v1.0/me/insights`.
  static func notEmulated(_ what: String) -> Self {
    let shown = String(what.prefix(200))
    var headers = HTTPFields()
    headers[.notEmulated] = GraphHeader.text(shown)
    return Self(
      501, "NotEmulated",
      "The emulator does not emulate \(shown). Microsoft Graph may support it: this answer says nothing about the real "
        + "service. To answer this path, add its data under the key 'graph' of the directory.", headers: headers)
  }

  /// The request of a call, which the emulator does not serve.
  static func notEmulated(_ call: GraphRequestContext) -> Self {
    .notEmulated("\(call.method.rawValue) \(call.request.path)")
  }

  static let delegatedOnly = Self(
    400, "BadRequest", "/me request is only valid with delegated authentication flow.")

  /// The refusal of a caller without a permission that would do, in the words of the service asked.
  /// - Parameter needed: the permissions of which the caller has none. The service's words do not name them, so that a header
  ///   of the emulator does.
  static func denied(by workload: GraphWorkload, needed: GraphAccess? = nil) -> Self {
    var failure = denied(inWordsOf: workload)
    if let needed, !needed.anyOf.isEmpty {
      failure.headers[neededPermissions] = needed.anyOf.joined(separator: " ")
    }
    return failure
  }

  private static let neededPermissions = HTTPField.Name("x-authflow-permissions") ?? .eTag

  private static func denied(inWordsOf workload: GraphWorkload) -> Self {
    switch workload {
    case .directory: Self(403, "Authorization_RequestDenied", "Insufficient privileges to complete the operation.")
    case .exchange: Self(403, "ErrorAccessDenied", "Access is denied. Check credentials and try again.")
    case .files: Self(403, "accessDenied", "Access denied")
    case .other: Self(403, "Forbidden", "The caller has none of the permissions that this request needs.")
    }
  }
}

/// Text as a header can carry it.
enum GraphHeader {
  /// Printable ASCII, everything else replaced: a path may contain any escaped byte.
  static func text(_ text: String) -> String {
    String(decoding: text.utf8.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
  }
}

extension HTTPField.Name {
  /// Names the request, or the part of a request, that the emulator does not emulate.
  package static let notEmulated = HTTPField.Name("x-authflow-not-emulated") ?? .eTag
}

/// The services behind Graph: each words its errors and pages its collections in its own way.
enum GraphWorkload: Hashable, Sendable {
  case directory, exchange, files, other
}
