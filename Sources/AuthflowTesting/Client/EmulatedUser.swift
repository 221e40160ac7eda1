import Directory
import Foundation
import IdentityEmulator
import UserSimulation
import RunTrace
import Scenarios

/// The behavior of the simulated user on sign-in pages. The properties correspond to the keys of `user` in a scenario.
///
/// ```swift
/// client.user = EmulatedUser("mona@contoso.com", mfa: .deny)
/// client.user.consent = .decline
/// client.user = EmulatedUser(cancels: .at("password"))
/// ```
public struct EmulatedUser: Hashable, Sendable {
  /// The user's reaction to a request for a second factor.
  public enum SecondFactor: Hashable, Sendable {
    case approve, deny
    /// Ignores the request.
    case ignore
    /// Enters a code from an authenticator app that uses this base32 seed (RFC 6238).
    case oneTimeCode(seed: String)
  }

  /// The user's reaction to a consent page.
  public enum Consent: Hashable, Sendable {
    case accept, decline
    /// Accepts only these scopes, if the page lets the user choose.
    case only([String])
  }

  /// The point at which the user closes the window.
  public enum Cancellation: Hashable, Sendable {
    case never
    /// Closes the window on the first page.
    case atOnce
    /// Closes the window on the first page of this type: `pickAccount`, `username`, `password`, `mfa`, `consent`,
    /// `adminApproval`, or `changePassword`.
    case at(String)
  }

  /// The username. The default is the username of the directory's first user.
  public var username: String?
  /// The password. The default is the user's password in the directory.
  public var password: String?
  /// The new password for pages that require one. If this is nil, the user gives up on these pages.
  public var newPassword: String?
  /// The user's reaction to a request for a second factor.
  public var mfa: SecondFactor
  /// The user's reaction to a consent page.
  public var consent: Consent
  /// The point at which the user closes the window.
  public var cancels: Cancellation
  /// The account that the user picks: a username, or `another`. The default is the user's own account.
  public var picks: String?
  /// The time that passes on the platform's clock before the user's first input.
  public var delay = Duration.zero

  /// Creates a user who completes all pages, unless a parameter specifies otherwise.
  public init(
    _ username: String? = nil, password: String? = nil, mfa: SecondFactor = .approve, consent: Consent = .accept,
    cancels: Cancellation = .never, picks: String? = nil
  ) {
    self.username = username
    self.password = password
    self.mfa = mfa
    self.consent = consent
    self.cancels = cancels
    self.picks = picks
  }

  /// Returns the simulated user with this behavior.
  func simulatedUser(firstUser: String?, on emulator: IdentityPlatformEmulator) -> SimulatedUser {
    var user = SimulatedUser(
      username: username ?? firstUser, password: password.map { Secret($0, kind: .password) })
    user.newPassword = newPassword.map { Secret($0, kind: .password) }
    user.picks = picks
    user.delay = delay
    user.credentials = SimulatedUser.Credentials(of: emulator)
    user.secondFactor =
      switch mfa {
      case .approve: .approve
      case .deny: .deny
      case .ignore: .ignore
      case .oneTimeCode(let seed): .oneTimeCode(seed: Secret(seed, kind: .named))
      }
    user.consent =
      switch consent {
      case .accept: .accept
      case .decline: .decline
      case .only(let scopes): .only(scopes)
      }
    user.cancels =
      switch cancels {
      case .never: .never
      case .atOnce: .atOnce
      case .at(let screen): .at(screen)
      }
    return user
  }
}
