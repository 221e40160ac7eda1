import Directory
import Documents
import Effects
import GraphEmulator
import OAuth
import Synchronization

/// What the endpoints share: the state behind its lock, the keys, the clock and the dice.
package final class Platform: Sendable {
  let clock: any WorldClock
  let randomness: any Randomness
  let keys: SigningKeyRing
  let verifiedTokens = VerifiedTokens()
  /// As it was given, for a reset.
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

  /// Runs one step on the state; no other request comes between. Nothing slow belongs in here, signing above all.
  package func withState<Result>(_ body: (inout sending PlatformState) throws -> sending Result) rethrows
    -> sending Result
  {
    try state.withLock(body)
  }

  /// The time on the platform: the world's, shifted by the events `wait` and `clock`.
  var now: Instant {
    let shift = withState { $0.clockShift }
    return clock.now + shift
  }

  /// Tells the run that something was made up because it was not in the directory.
  func notice(_ text: String) { options.notice(text) }

  /// Reports the likely cause of an error, of which the response says no more than the live service's.
  func advise(_ mistake: UnknownPermission) { options.advice(mistake) }
}
