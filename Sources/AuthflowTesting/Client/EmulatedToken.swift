import Effects
import Foundation
import OAuth
import PublicClient
import RunTrace

/// An account, like `MSALAccount`.
public struct EmulatedAccount: Hashable, Sendable, Identifiable {
  /// The home account ID in the format `uid.utid`. Apps store the identifier to load the account later.
  public let identifier: String
  /// The username, such as `megan@contoso.com`.
  public let username: String
  /// The host of the account's cloud, such as `login.windows.net`.
  public let environment: String

  /// The identifier.
  public var id: String { identifier }

  init(_ account: Account) {
    identifier = account.identifier
    username = account.username
    environment = account.environment
  }

  var account: Account { Account(identifier: identifier, username: username, environment: environment) }
}

/// The result of a successful token request, like `MSALResult`.
public struct EmulatedToken: Hashable, Sendable {
  /// The source of a token. MSAL does not report this information to apps.
  public enum Source: String, Hashable, Sendable {
    case cache, refreshToken, authorizationCode
  }

  /// The access token. Only the emulated platform accepts the token.
  public let accessToken: String
  /// The expiration time, according to the platform's clock.
  public let expiresOn: Date
  /// Whether the token has expired and is returned only because the service is unavailable.
  public let extendedLifeTimeToken: Bool
  /// The granted scopes, in the server's order and letter case.
  public let scopes: [String]
  /// The validated ID token, or nil if the response did not contain an ID token.
  public let idToken: String?
  /// The account that the token was issued to.
  public let account: EmulatedAccount
  /// The ID of the tenant that issued the token.
  public let tenantID: String
  /// The authority for later requests to the same tenant.
  public let authority: String
  /// The correlation ID of the request.
  public let correlationID: String
  /// The source of the token.
  public let source: Source

  /// The value to send in an `Authorization` header.
  public var authorizationHeader: String { "Bearer \(accessToken)" }

  init(_ result: TokenResult) {
    accessToken = result.accessToken.reveal()
    expiresOn = Date(timeIntervalSince1970: Double(result.expiresOn.secondsSince1970))
    extendedLifeTimeToken = result.extendedLifeTimeToken
    scopes = result.scopes
    idToken = result.idToken?.reveal()
    account = EmulatedAccount(result.account)
    tenantID = result.tenantProfile.tenantID
    authority = result.authority
    correlationID = result.correlationID
    source = Source(rawValue: result.source.rawValue) ?? .authorizationCode
  }
}
