import Directory
import Documents
import Effects
import GraphEmulator
import OAuth
import Synchronization

/// The services that all endpoints share: state, keys, clock, and randomness.
package final class Platform: Sendable {
  let clock: any WorldClock
  let randomness: any Randomness
  let keys: SigningKeyRing
  let verifiedTokens = VerifiedTokens()
  /// The initial directory, for a reset.
  let directory: EmulatedDirectory
  let lifetimes: Lifetimes.Effective
  let options: IdentityPlatformEmulator.Options
  let graph: GraphService
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

  /// Accesses the state under its lock. `body` must not do slow work, such as signing tokens.
  package func withState<Result>(_ body: (inout sending PlatformState) throws -> sending Result) rethrows
    -> sending Result
  {
    try state.withLock(body)
  }

  /// The platform's current time: the clock, shifted by `wait` and `clock` events.
  var now: Instant {
    let shift = withState { $0.clockShift }
    return clock.now + shift
  }

  /// Reports an automatic registration.
  func notice(_ text: String) { options.notice(text) }

  /// Reports an unknown permission, because the error response contains no more detail than that of the live service.
  func advise(_ permission: UnknownPermission) { options.advice(permission) }
}
