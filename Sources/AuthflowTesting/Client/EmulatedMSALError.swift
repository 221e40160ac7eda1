import Documents
import Foundation
import IdentityPlatform
import OrderedCollections
import PublicClient

/// An error with MSAL's domain, codes, and user info.
///
/// Code that handles MSAL's errors can handle this error without changes. As an `NSError`, it has the domain
/// `MSALErrorDomain`, MSAL's error code, and MSAL's user info keys.
///
/// ```swift
/// catch where (error as NSError).code == MSALError.interactionRequired.rawValue
/// ```
///
/// (`catch let error as NSError` works on Apple platforms only, because other platforms do not bridge errors in casts.)
///
/// As in MSAL, network failures are reported as `URLError`.
public struct EmulatedMSALError: Error, Hashable, Sendable, CustomStringConvertible {
  /// MSAL's public error codes. The names (`MSALError.interactionRequired` and so on) and values are the same as in
  /// MSAL.
  public enum Code: Int, Hashable, Sendable, CaseIterable {
    /// An unrecoverable error in MSAL or on the server. ``EmulatedMSALError/internalCode`` contains the details.
    case `internal` = -50_000
    case workplaceJoinRequired = -50_001
    case interactionRequired = -50_002
    case serverDeclinedScopes = -50_003
    case serverProtectionPoliciesRequired = -50_004
    case userCanceled = -50_005
    case serverError = -50_006
    case insufficientDeviceStrength = -50_007
    case mdmEnrollmentCompletedNeedsRetry = -50_008
    case serverInvalidRequestResetPasswordRequired = -50_142
  }

  /// MSAL's public error code.
  public let code: Code
  /// MSAL's internal code, such as -42003 for an invalid client. The value is nil unless `code` is `.internal`.
  public let internalCode: Int?
  /// The name of the outcome in workflows, such as `interactionRequired`. If `code` is `.internal`, this is the name of
  /// the internal code, such as `invalidClient`.
  public let name: String
  /// The error message. If the server's response contains a message, this is the server's message.
  public let message: String
  /// The value of OAuth's `error` parameter, such as `invalid_grant`.
  public let oauthError: String?
  /// The value of Microsoft's `suberror` parameter, such as `consent_required`.
  public let suberror: String?
  /// The error code from the service, such as `AADSTS50076`.
  public let serverCode: String?
  /// The claims challenge as JSON text. Pass it as `claims` to the next request.
  public let claims: String?
  /// The scopes that were granted. The list is empty unless `code` is `.serverDeclinedScopes`.
  public let grantedScopes: [String]
  /// The scopes that were not granted. The list is empty unless `code` is `.serverDeclinedScopes`.
  public let declinedScopes: [String]
  /// The HTTP status of the response. MSAL reports the status only for HTTP errors, so the `userInfo` of an OAuth error
  /// does not contain `MSALHTTPResponseCodeKey`.
  public let httpStatus: Int?
  private let info: JSON

  /// The name, the code, and the message, such as `interactionRequired (-50002), AADSTS50173: …`.
  public var description: String {
    let number = internalCode.map { "\(code.rawValue), \($0)" } ?? "\(code.rawValue)"
    return "\(name) (\(number))" + (serverCode.map { ", \($0)" } ?? "") + ": \(message)"
  }

  init(_ error: MSALError) {
    code = error.code.flatMap { Code(rawValue: $0.rawValue) } ?? .internal
    internalCode = error.internalCode
    name = error.outcomeName
    message = error.message
    oauthError = error.oauthError
    suberror = error.suberror
    serverCode = error.serverCode
    claims = error.claims
    grantedScopes = error.grantedScopes ?? []
    declinedScopes = error.declinedScopes ?? []
    httpStatus = error.httpStatus
    info = error.userInfo
  }

  /// Returns the error that the app receives: an MSAL error or a network error.
  static func thrown(_ error: MSALError) -> any Error {
    error.transport.map { URLError($0) } ?? EmulatedMSALError(error)
  }
}

extension EmulatedMSALError: CustomNSError, LocalizedError {
  /// MSAL's error domain.
  public static var errorDomain: String { "MSALErrorDomain" }
  /// MSAL's public error code, which is also the code of the `NSError`.
  public var errorCode: Int { code.rawValue }
  /// The message.
  public var errorDescription: String? { message }

  /// The values of MSAL's user info keys, such as `MSALOAuthErrorKey` and `MSALDeclinedScopesKey`. The dictionary does
  /// not contain secrets.
  public var errorUserInfo: [String: Any] { info.object?.reduce(into: [:]) { $0[$1.key] = $1.value.foundation } ?? [:] }
}

extension JSON {
  /// The JSON value as a Foundation type.
  fileprivate var foundation: Any {
    switch self {
    case .null: NSNull()
    case .bool(let value): value
    case .integer(let value): Int(value)
    case .real(let value): value
    case .string(let value): value
    case .array(let values): values.map(\.foundation)
    case .object(let members): members.reduce(into: [String: Any]()) { $0[$1.key] = $1.value.foundation }
    }
  }
}
