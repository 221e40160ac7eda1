import AppRegistration
import Directory
import Documents
import Effects
import IdentityEmulator
import PlayedPerson
import RunTrace

/// The embedded platform of one run: the emulator with what it remembers, its clock, and the browser's cookies.
struct EmbeddedPlatform: Sendable {
  let emulator: IdentityPlatformEmulator
  let clock: OffsetClock
  let cookies: CookieJar
  private let directory: EmulatedDirectory
  /// Nil where nothing outlives the run.
  private let folder: StateFolder?
  private let files: any FileSystem

  /// Opens the platform, with what an earlier run left in `folder`. What cannot be read is left out and told.
  init(
    directory: EmulatedDirectory, folder: StateFolder?, world: World, notice: @escaping @Sendable (String) -> Void
  ) {
    self.directory = directory
    self.folder = folder
    files = world.files
    func kept(_ path: String?) -> JSON? {
      guard let path else { return nil }
      do {
        return try JSON(parsing: world.files.read(path, limit: 16 << 20))
      } catch FileFailure.notFound {
        return nil
      } catch {
        notice("\(path) cannot be read and is left out; `authflow reset` removes it")
        return nil
      }
    }
    let nanoseconds = kept(folder?.clock)?["offsetNanoseconds"]?.integer ?? 0
    clock = OffsetClock(world.clock, offset: .nanoseconds(nanoseconds))
    cookies = CookieJar(json: kept(folder?.browser) ?? .null)
    emulator = IdentityPlatformEmulator(
      directory: directory, clock: clock, randomness: world.randomness,
      options: .init(notice: notice), snapshot: kept(folder?.platform))
  }

  /// Registers a workflow's app, so that any settings file runs at once.
  func register(_ settings: ResolvedSettings) {
    emulator.register(
      app: RegisteredApp(
        appId: settings.clientID, publicRedirectUris: [settings.redirectURI].compactMap { $0 },
        permissions: settings.scopes))
  }

  /// What the emulated people know by heart: the passwords and authenticator seeds of the directory.
  var knowledge: Person.Knowledge {
    let directory = self.directory
    return Person.Knowledge(
      password: { name in directory.user(named: name)?.user.password.map { Secret($0, kind: .password) } },
      seed: { name in
        guard case .totp(let seed)? = directory.user(named: name)?.user.mfa else { return nil }
        return Secret(seed, kind: .named)
      })
  }

  /// Keeps what the next run needs.
  func save() throws(FileFailure) {
    guard let folder else { return }
    try files.makeDirectory(folder.path, privately: true)
    let offset: JSON = ["offsetNanoseconds": .integer(clock.offset.nanoseconds)]
    for (path, json) in [
      (folder.platform, emulator.snapshot()), (folder.browser, cookies.json(at: clock.now)), (folder.clock, offset),
    ] {
      try files.replace(path, with: Array(json.text().utf8), privately: true)
    }
  }
}
