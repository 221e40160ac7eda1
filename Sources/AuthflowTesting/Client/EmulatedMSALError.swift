import Documents
import Foundation
import IdentityPlatform
import OrderedCollections
import PublicClient

/// An error as MSAL gives it to an app: domain, code and user info are MSAL's.
///
/// Code that was written for MSAL handles it unchanged, because as an `NSError` it has the domain `MSALErrorDomain`, MSAL's
/// number and MSAL's keys:
///
/// ```swift
/// catch where (error as NSError).code == MSALError.interactionRequired.rawValue
/// ```
///
/// (`catch let error as NSError` is for Apple's systems alone: elsewhere Swift bridges no error in a cast.)
///
/// Failures of the network are no errors of MSAL's: it hands on `URLError`, and so does ``EmulatedPublicClient``.
public struct EmulatedMSALError: Error, Hashable, Sendable, CustomStringConvertible {
  /// MSAL's public codes, with its names (`MSALError.interactionRequired` and so on) and numbers.
  public enum Code: Int, Hashable, Sendable, CaseIterable {
    /// Something that users cannot mend; ``EmulatedMSALError/internalCode`` says what.
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

  /// MSAL's public code.
  public let code: Code
  /// MSAL's internal code where `code` is `.internal`, such as -42003 for an invalid client.
  public let internalCode: Int?
  /// What went wrong, as a workflow names it: `interactionRequired`, or the internal code's name, such as `invalidClient`.
  public let name: String
  /// The server's words where there are some.
  public let message: String
  /// OAuth's `error`, such as `invalid_grant`.
  public let oauthError: String?
  /// Microsoft's `suberror`, such as `consent_required`.
  public let suberror: String?
  /// The service's own code, such as `AADSTS50076`.
  public let serverCode: String?
  /// What a policy demands of the next request, as JSON text: pass it on as `claims`.
  public let claims: String?
  /// With `.serverDeclinedScopes`: what was granted, and what was not.
  public let grantedScopes: [String]
  /// With `.serverDeclinedScopes`: what was not granted.
  public let declinedScopes: [String]
  /// The HTTP status of the service's response. MSAL gives it to an app only for HTTP errors: in `userInfo`,
  /// `MSALHTTPResponseCodeKey` is absent for OAuth errors.
  public let httpStatus: Int?
  private let info: JSON

  /// `interactionRequired (-50002), AADSTS50173: …`.
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

  /// What an app is thrown: MSAL's error, or the network's.
  static func thrown(_ error: MSALError) -> any Error {
    error.transport.map { URLError($0) } ?? EmulatedMSALError(error)
  }
}

extension EmulatedMSALError: CustomNSError, LocalizedError {
  /// MSAL's domain.
  public static var errorDomain: String { "MSALErrorDomain" }
  /// MSAL's number, as an `NSError` has it.
  public var errorCode: Int { code.rawValue }
  /// The server's words where there are some.
  public var errorDescription: String? { message }

  /// MSAL's keys: `MSALOAuthErrorKey`, `MSALInternalErrorCodeKey`, `MSALDeclinedScopesKey` and the others. No secrets.
  public var errorUserInfo: [String: Any] { info.object?.reduce(into: [:]) { $0[$1.key] = $1.value.foundation } ?? [:] }
}

extension JSON {
  /// The value as Foundation's collections hold it.
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
