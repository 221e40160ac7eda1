import Effects
import Foundation
import OAuth
import PublicClient
import RunTrace

/// An account as an app sees it: `MSALAccount`.
public struct EmulatedAccount: Hashable, Sendable, Identifiable {
  /// The home account id, `uid.utid`: what an app keeps to find the account again.
  public let identifier: String
  /// The name to sign in with, such as `megan@contoso.com`.
  public let username: String
  /// The host under which it is kept, such as `login.windows.net`.
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

/// A token with what is known about it: `MSALResult`.
public struct EmulatedToken: Hashable, Sendable {
  /// Where it came from. MSAL tells no app; a test wants to know.
  public enum Source: String, Hashable, Sendable {
    case cache, refreshToken, authorizationCode
  }

  /// It opens the emulated platform's Graph, and nothing else.
  public let accessToken: String
  /// By the platform's clock.
  public let expiresOn: Date
  /// Whether it is past its end and returned because the service is down.
  public let extendedLifeTimeToken: Bool
  /// The granted scopes, in the server's order and case.
  public let scopes: [String]
  /// The ID token as it was received, checked.
  public let idToken: String?
  /// Whose token it is.
  public let account: EmulatedAccount
  /// The tenant that it is for.
  public let tenantID: String
  /// What to name in a later call to get a token of the same tenant.
  public let authority: String
  /// What the service logs of the request are found by.
  public let correlationID: String
  /// Where it came from.
  public let source: Source

  /// `Bearer …`.
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
