import Directory
import Effects

/// The initial state of an emulator, created from a directory. Several emulators can start from the same initial state
/// independently. They share the storage of unchanged parts.
package struct InitialPlatformState: Sendable {
  let directory: EmulatedDirectory
  let options: IdentityPlatformEmulator.Options
  package let state: PlatformState

  /// - Parameter now: The reference time for relative times in the directory, such as those of calendar events.
  package init(
    _ directory: EmulatedDirectory, at now: Instant,
    options: IdentityPlatformEmulator.Options = IdentityPlatformEmulator.Options()
  ) {
    self.directory = directory.completed()
    self.options = options
    state = PlatformState(
      directory: self.directory, now: now, automaticRegistration: AutomaticRegistration(self.directory, options),
      savesRegistrations: options.servesEveryHost)
  }
}
