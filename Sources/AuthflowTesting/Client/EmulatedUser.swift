import Directory
import Foundation
import IdentityEmulator
import UserSimulation
import RunTrace
import Scenarios

/// Who sits at the keyboard when a sign-in page opens, and what that user does: the words of a scenario's `user`.
///
/// ```swift
/// client.user = EmulatedUser("mona@contoso.com", mfa: .deny)
/// client.user.consent = .decline
/// client.user = EmulatedUser(cancels: .at("password"))
/// ```
public struct EmulatedUser: Hashable, Sendable {
  /// What is done when a second factor is asked for.
  public enum SecondFactor: Hashable, Sendable {
    case approve, deny
    /// The phone lies in another room.
    case ignore
    /// Types the code of an authenticator with this base32 seed (RFC 6238).
    case oneTimeCode(seed: String)
  }

  /// What is done when the app asks for permissions.
  public enum Consent: Hashable, Sendable {
    case accept, decline
    /// Accepts these scopes alone, where the page lets one choose.
    case only([String])
  }

  /// Where the window is closed.
  public enum Cancellation: Hashable, Sendable {
    case never
    /// Closes the window at the first page.
    case atOnce
    /// Closes it at the first page of that name: `pickAccount username password mfa consent adminApproval changePassword`.
    case at(String)
  }

  /// Nil is the directory's first user.
  public var username: String?
  /// Nil is what the directory says.
  public var password: String?
  /// Typed where a new password is asked for; without one the user gives up there.
  public var newPassword: String?
  /// What is done when a second factor is asked for.
  public var mfa: SecondFactor
  /// What is done when the app asks for permissions.
  public var consent: Consent
  /// Where the window is closed.
  public var cancels: Cancellation
  /// The account to pick where several are offered: a username, or `another`; the user's own by default.
  public var picks: String?
  /// How long the user takes before the first answer, on the platform's clock.
  public var delay: Duration

  /// Somebody who does everything right, except for what is said.
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

  /// The one who is played.
  func played(firstUser: String?, on emulator: IdentityPlatformEmulator) -> SimulatedUser {
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
