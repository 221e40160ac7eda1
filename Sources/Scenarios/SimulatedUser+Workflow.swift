import Directory
import IdentityEmulator
import UserSimulation
import RunTrace
import WorkflowModel
import WorkflowRunner

extension UserSimulation.SimulatedUser {
  /// Creates the simulated user from the user behavior in a workflow.
  /// - Parameter firstUser: The default username.
  package init(_ user: ResolvedUserBehavior, firstUser: String?, credentials: Credentials) {
    self.init(username: user.username ?? firstUser, password: user.password)
    self.credentials = credentials
    newPassword = user.newPassword
    picks = user.picks
    delay = user.delay
    forgetsPassword = user.forgetsPassword
    signsUp = user.signsUp
    secondFactor =
      switch user.mfa {
      case .approve: .approve
      case .deny: .deny
      case .ignore: .ignore
      case .totp(let seed): .oneTimeCode(seed: Secret(seed, kind: .named))
      }
    consent =
      switch user.consent {
      case .accept: .accept
      case .decline: .decline
      case .only(let scopes): .only(scopes)
      }
    cancels =
      switch user.cancels {
      case .never: .never
      case .atOnce: .atOnce
      case .at(let screen): .at(screen.rawValue)
      }
  }
}

extension WorkflowModel.UserBehavior {
  /// Creates a user with default behavior.
  package init(username: String) {
    self.init()
    self.username = Resolvable(username)
  }
}

extension UserSimulation.SimulatedUser.Credentials {
  /// Creates the credentials of all emulated users, which are their current passwords and authenticator seeds.
  package init(of emulator: IdentityPlatformEmulator) {
    self.init(
      password: { name in emulator.user(named: name)?.password.map { Secret($0, kind: .password) } },
      seed: { name in
        guard case .totp(let seed)? = emulator.user(named: name)?.mfa else { return nil }
        return Secret(seed, kind: .named)
      })
  }
}
