import Directory
import Effects

/// The platform before anything has happened on it, read once from its directory: the beginning of as many emulators as
/// are wanted. Each goes on from here by itself; what none of them changes is there only once.
package struct InitialPlatformState: Sendable {
  let directory: EmulatedDirectory
  let options: IdentityPlatformEmulator.Options
  package let state: PlatformState

  /// - Parameter now: when what the directory says began, such as the events in calendars.
  package init(
    _ directory: EmulatedDirectory, at now: Instant,
    options: IdentityPlatformEmulator.Options = IdentityPlatformEmulator.Options()
  ) {
    self.directory = directory.completed()
    self.options = options
    state = PlatformState(
      directory: self.directory, now: now, makesUp: AutomaticRegistration(self.directory, options),
      keepsRegistrations: options.servesEveryHost)
  }
}
