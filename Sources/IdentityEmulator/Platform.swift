import Directory
import Documents
import Effects
import GraphEmulator
import OAuth
import Synchronization

/// The state, keys, clock, and randomness that all endpoints share.
package final class Platform: Sendable {
  let clock: any WorldClock
  let randomness: any Randomness
  let keys: SigningKeyRing
  let verifiedTokens = VerifiedTokens()
  /// The initial directory, which a reset restores.
  let directory: EmulatedDirectory
  let lifetimes: Lifetimes.Effective
  let options: IdentityPlatformEmulator.Options
  let graph: GraphService
  let startPageAccess = PageAccess(cookie: "authflow-page", path: "/\(ControlInterface.root)")
  private let state: Mutex<PlatformState>

  init(
    state: PlatformState, directory: EmulatedDirectory, clock: any WorldClock,
    randomness: any Randomness, options: IdentityPlatformEmulator.Options, graph: GraphService
  ) {
    self.state = Mutex(state)
    self.directory = directory
    keys = SigningKeyRing.of(directory.keys)
    lifetimes = directory.lifetimes.effective
    self.clock = clock
    self.randomness = randomness
    self.options = options
    self.graph = graph
  }

  /// Calls `body` with the locked state. `body` must not do slow work, such as signing tokens.
  package func withState<Result>(_ body: (inout sending PlatformState) throws -> sending Result) rethrows
    -> sending Result
  {
    try state.withLock(body)
  }

  /// The platform's current time, which `wait` and `clock` events shift from the underlying clock.
  var now: Instant {
    let shift = withState { $0.clockShift }
    return clock.now + shift
  }

  /// Reports an automatic registration.
  func notice(_ text: String) { options.notice(text) }

  /// Reports an unknown permission and suggests a fix. The error response is no more detailed than the live service's
  /// response.
  func advise(_ permission: UnknownPermission) { options.advice(permission) }
}
