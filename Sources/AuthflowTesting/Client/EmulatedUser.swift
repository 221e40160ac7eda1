import Directory
import Foundation
import IdentityEmulator
import UserSimulation
import RunTrace
import Scenarios

/// The behavior of the simulated user on sign-in pages, with the keys of a scenario's `user`.
///
/// ```swift
/// client.user = EmulatedUser("mona@contoso.com", mfa: .deny)
/// client.user.consent = .decline
/// client.user = EmulatedUser(cancels: .at("password"))
/// ```
public struct EmulatedUser: Hashable, Sendable {
  /// The reaction to a second factor request.
  public enum SecondFactor: Hashable, Sendable {
    case approve, deny
    /// Ignores the request.
    case ignore
    /// Types the code of an authenticator app with this base32 seed (RFC 6238).
    case oneTimeCode(seed: String)
  }

  /// The reaction to a consent page.
  public enum Consent: Hashable, Sendable {
    case accept, decline
    /// Accepts only these scopes, if the page supports it.
    case only([String])
  }

  /// When the user closes the window.
  public enum Cancellation: Hashable, Sendable {
    case never
    /// On the first page.
    case atOnce
    /// On the first page of a type: `pickAccount username password mfa consent adminApproval changePassword`.
    case at(String)
  }

  /// The username. By default that of the directory's first user.
  public var username: String?
  /// The password. By default that of the directory.
  public var password: String?
  /// The new password. Without one, the user gives up if a page requires it.
  public var newPassword: String?
  /// The reaction to a second factor request.
  public var mfa: SecondFactor
  /// The reaction to a consent page.
  public var consent: Consent
  /// When the user closes the window.
  public var cancels: Cancellation
  /// The account to pick: a username, or `another`. By default the user's own.
  public var picks: String?
  /// The time before the user's first input, on the platform's clock.
  public var delay: Duration

  /// Creates a user who completes all pages, except for the parameters that you set.
  public init(
    _ username: String? = nil, password: String? = nil, newPassword: String? = nil, mfa: SecondFactor = .approve,
    consent: Consent = .accept, cancels: Cancellation = .never, picks: String? = nil, delay: Duration = .zero
  ) {
    self.username = username
    self.password = password
    self.newPassword = newPassword
    self.mfa = mfa
    self.consent = consent
    self.cancels = cancels
    self.picks = picks
    self.delay = delay
  }

  /// The simulated user with this behavior.
  func simulatedUser(firstUser: String?, on emulator: IdentityPlatformEmulator) -> SimulatedUser {
    var user = SimulatedUser(
      username: username ?? firstUser, password: password.map { Secret($0, kind: .password) })
    user.newPassword = newPassword.map { Secret($0, kind: .password) }
    user.picks = picks
    user.delay = delay
    user.knowledge = SimulatedUser.Credentials(of: emulator)
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
