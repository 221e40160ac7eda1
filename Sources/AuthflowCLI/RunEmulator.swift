import Directory
import Documents
import Effects
import IdentityEmulator
import UserSimulation
import RunTrace
import Scenarios

/// The embedded platform of one run: the emulator with what it remembers, its clock, and the browser's cookies.
struct RunEmulator: Sendable {
  let emulator: IdentityPlatformEmulator
  let clock: OffsetClock
  let cookies: CookieJar
  private let directory: EmulatedDirectory
  /// Nil where nothing outlives the run.
  private let folder: StateFolder?
  private let files: any FileSystem
  private let world: World
  /// The platform's memory as it was when this run began.
  private let opened: JSON

  /// Opens the platform, with what an earlier run left in `folder`. What cannot be read is left out and told.
  init(
    directory: EmulatedDirectory, folder: StateFolder?, world: World, notice: @escaping @Sendable (String) -> Void,
    advice: @escaping @Sendable (UnknownPermission) -> Void = { _ in }, warn: (String) -> Void
  ) {
    self.directory = directory
    self.folder = folder
    self.world = world
    files = world.files
    func kept(_ path: String?) -> JSON? {
      path.flatMap { path in
        Self.kept(path, in: world.files) {
          warn("\(path) cannot be read and is left out; `authflow reset` removes it")
        }
      }
    }
    let nanoseconds = kept(folder?.clock)?["offsetNanoseconds"]?.integer ?? 0
    clock = OffsetClock(world.clock, offset: .nanoseconds(nanoseconds))
    cookies = CookieJar(json: kept(folder?.browser) ?? .null)
    let memory = kept(folder?.platform)
    opened = memory ?? .null
    var options = IdentityPlatformEmulator.Options(controlEnabled: true, notice: notice)
    options.advice = advice
    emulator = IdentityPlatformEmulator(
      directory: directory, clock: clock, randomness: world.randomness, options: options,
      snapshot: memory)
  }

  /// What the emulated people know by heart.
  var knowledge: SimulatedUser.Credentials { SimulatedUser.Credentials(of: emulator) }

  /// Keeps what the next run needs. What another process kept meanwhile is kept too.
  func save() throws {
    guard let folder else { return }
    try files.makeDirectory(folder.path, privately: true)
    try files.locked(folder.lock) {
      let platform = Self.kept(folder.platform, in: files) ?? .null
      let offset = Self.kept(folder.clock, in: files)?["offsetNanoseconds"]?.integer ?? 0
      let memories: [(String, JSON)] = [
        (folder.platform, platform == opened ? emulator.snapshot() : united(with: platform)),
        (folder.browser, cookies.json(at: clock.now)),
        (
          folder.clock,
          [
            "offsetNanoseconds": .integer(
              clock.wasSet ? clock.offset.nanoseconds : max(offset, clock.offset.nanoseconds))
          ]
        ),
      ]
      for (path, json) in memories { try files.replace(path, with: Array(json.text().utf8), privately: true) }
    }
  }

  /// This run's memory over what another process left.
  private func united(with other: JSON) -> JSON {
    let both = IdentityPlatformEmulator(
      directory: directory, clock: clock, randomness: world.randomness, snapshot: other)
    both.adopt(emulator.snapshot())
    return both.snapshot()
  }

  /// What a file of the place holds; nil where there is none, or where it is damaged.
  private static func kept(_ path: String, in files: any FileSystem, damaged: () -> Void = {}) -> JSON? {
    do {
      return try JSON(parsing: files.read(path, limit: largestMemory))
    } catch FileFailure.notFound {
      return nil
    } catch {
      damaged()
      return nil
    }
  }

  /// The emulator keeps up to 40 MiB of files, in Base64.
  private static let largestMemory = 64 << 20
}
