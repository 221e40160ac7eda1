import Directory
import Documents
import Effects
import IdentityEmulator
import UserSimulation
import RunTrace
import Scenarios

/// The emulator for one run, with the saved state, the clock, and the browser's cookies.
struct RunEmulator: Sendable {
  let emulator: IdentityPlatformEmulator
  let clock: OffsetClock
  let cookies: CookieJar
  private let directory: EmulatedDirectory
  /// The folder for saved state, or nil for temporary state.
  private let folder: StateFolder?
  private let files: any FileSystem
  private let world: World
  /// The emulator's saved state when this run started.
  private let initialState: JSON

  /// Creates the emulator with the saved state of an earlier run. Files that cannot be read are ignored with a warning.
  init(
    directory: EmulatedDirectory, folder: StateFolder?, world: World, notice: @escaping @Sendable (String) -> Void,
    advice: @escaping @Sendable (UnknownPermission) -> Void = { _ in }, warn: (String) -> Void
  ) {
    self.directory = directory
    self.folder = folder
    self.world = world
    files = world.files
    func saved(_ path: String?) -> JSON? {
      path.flatMap { path in
        Self.readJSON(path, in: world.files) {
          warn("ignored \(path), which cannot be read\n  help: run `authflow reset` to delete it")
        }
      }
    }
    let nanoseconds = saved(folder?.clock)?["offsetNanoseconds"]?.integer ?? 0
    clock = OffsetClock(world.clock, offset: .nanoseconds(nanoseconds))
    cookies = CookieJar(json: saved(folder?.browser) ?? .null)
    let state = saved(folder?.platform)
    initialState = state ?? .null
    var options = IdentityPlatformEmulator.Options(controlEnabled: true, notice: notice)
    options.advice = advice
    emulator = IdentityPlatformEmulator(
      directory: directory, clock: clock, randomness: world.randomness, options: options,
      snapshot: state)
  }

  /// The credentials that the simulated user enters.
  var credentials: SimulatedUser.Credentials { SimulatedUser.Credentials(of: emulator) }

  /// Saves the state for the next run. Merges it with any state that another process saved during this run.
  func save() throws {
    guard let folder else { return }
    try files.makeDirectory(folder.path, privately: true)
    try files.locked(folder.lock) {
      let platform = Self.readJSON(folder.platform, in: files) ?? .null
      let savedOffset = Self.readJSON(folder.clock, in: files)?["offsetNanoseconds"]?.integer ?? 0
      let ownOffset = clock.offset.nanoseconds
      let offset = clock.wasSet ? ownOffset : max(savedOffset, ownOffset)
      let documents: [(String, JSON)] = [
        (folder.platform, platform == initialState ? emulator.snapshot() : merged(with: platform)),
        (folder.browser, cookies.json(at: clock.now)),
        (folder.clock, ["offsetNanoseconds": .integer(offset)]),
      ]
      for (path, json) in documents { try files.replace(path, with: Array(json.text().utf8), privately: true) }
    }
  }

  /// Merges this run's state into the state that another process saved.
  private func merged(with other: JSON) -> JSON {
    let merged = IdentityPlatformEmulator(
      directory: directory, clock: clock, randomness: world.randomness, snapshot: other)
    merged.merge(emulator.snapshot())
    return merged.snapshot()
  }

  /// Reads a file in the state folder.
  /// - Parameter onFailure: A closure that is called if the file exists but cannot be read.
  /// - Returns: The content, or nil if the file does not exist or cannot be read.
  private static func readJSON(_ path: String, in files: any FileSystem, onFailure: () -> Void = {}) -> JSON? {
    do {
      return try JSON(parsing: files.read(path, limit: sizeLimit))
    } catch FileFailure.notFound {
      return nil
    } catch {
      onFailure()
      return nil
    }
  }

  /// The size limit for a state file, in bytes. The state can contain up to 40 MiB of Base64-encoded files.
  private static let sizeLimit = 64 << 20
}
