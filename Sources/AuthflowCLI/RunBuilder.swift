import AppRegistration
import Directory
import Documents
import Effects
import IdentityEmulator
import LiveWorld
import OrderedCollections
import PublicClient
import Recordings
import Reports
import RunTrace
import Scenarios
import SimulatedWorld
import Synchronization
import SystemWorld
import TokenCache
import UserSimulation
import WorkflowModel
import WorkflowRunner

/// Builds the environment of one run: the platform, the token stores, and the browser.
struct RunBuilder: Sendable {
  let world: World
  /// The replayed recording, if any.
  let replayed: ReplayPlatform?
  private let replayClock: OffsetClock?
  private let input: LoadedWorkflow
  private let emulator: RunEmulator?
  private let cookies: CookieJar
  /// The folder for saved state other than tokens, or nil for temporary state.
  private let folder: StateFolder?
  /// The location of the token cache, or nil for a temporary cache.
  private let cacheLocation: CacheLocation?
  let isLive: Bool
  private let browserChoice: BrowserOptions.Choice
  private let systemBrowser: SystemBrowser?
  /// The value of `--user`.
  private let user: String?
  private let notices: DeferredNotices
  private let temporaryStores = KeychainGroups()
  private let network: FailureTrackingTransport?
  private let trackedStore: FailureTrackingStore?

  /// - Parameters:
  ///   - folder: The folder for saved state other than tokens, or nil for temporary state.
  ///   - cacheLocation: The location of the token cache, or nil for a temporary cache.
  init(
    _ input: LoadedWorkflow, _ options: RunOptions, folder: StateFolder?, cacheLocation: CacheLocation?,
    in session: Session
  ) {
    self.input = input
    isLive = options.isLive
    self.folder = folder
    self.cacheLocation = cacheLocation
    user = options.user
    let browser = options.browser
    browserChoice = browser.choice
    trackedStore = cacheLocation.map { FailureTrackingStore($0.store) }
    let notices = DeferredNotices()
    self.notices = notices
    let network = isLive && options.recording == nil ? FailureTrackingTransport(session.world.http) : nil
    self.network = network
    systemBrowser =
      browser.choice == .system
      ? SystemBrowser(
        redirectMethods: browser.redirectMethods(in: session), environment: session.world.environment,
        clock: session.world.clock,
        printStatus: { session.printStatus($0) }) : nil
    var world = session.world
    if let recording = options.recording {
      // A replay does not wait, because `OffsetClock` skips waiting times.
      let clock = OffsetClock(world.clock, offset: .zero)
      let platform = ReplayPlatform(recording, clock: clock, randomness: world.randomness)
      world.clock = clock
      world.http = platform.transport
      (replayed, replayClock, emulator) = (platform, clock, nil)
      cookies = CookieJar()
    } else if isLive {
      if let network { world.http = network }
      (replayed, replayClock, emulator) = (nil, nil, nil)
      cookies = CookieJar(json: Self.savedCookies(folder, world.files))
    } else {
      let emulator = RunEmulator(
        directory: input.directory, folder: folder, world: world, notice: notices.post,
        advice: { session.printStatus("warning: \($0.message)\n  help: \($0.help)") },
        warn: { session.printStatus("warning: \($0)") })
      for settings in input.clients.values { emulator.emulator.register(settings) }
      world.clock = emulator.clock
      world.http = emulator.emulator.transport
      (replayed, replayClock, self.emulator) = (nil, nil, emulator)
      cookies = emulator.cookies
    }
    self.world = world
  }

  var workflow: Workflow { input.workflow }

  func setup(inputs: OrderedDictionary<String, JSON>, trace: TraceRecorder) -> RunSetup {
    notices.deliver { trace.recordDecision("registration", "onTheFly", reason: $0) }
    var setup = RunSetup(
      platform: replayed != nil ? "replay" : isLive ? "live" : "emulated", world: world, clients: input.clients,
      store: { store(of: $0) },
      browser: browser, deviceMode: !isLive && input.directory.device == .shared ? .shared : .default,
      user: user.map { UserBehaviors([UserBehavior(username: $0)]) }, inputs: inputs,
      timeouts: isLive ? .canceling : .measured, longestWait: isLive ? .seconds(60) : nil,
      tool: "authflow \(Version.text)")
    setup.hasControl = emulator != nil
    setup.isLive = isLive && replayed == nil
    if isLive { setup.traceID = TraceContext.newTraceID(world.randomness) }
    if let clock = emulator?.clock ?? replayClock { setup.setClock = { clock.set(to: $0) } }
    setup.ownsCache = cacheLocation == nil
    return setup
  }

  /// Returns the token store for an app. As on a device, apps in the same keychain group share a cache.
  private func store(of settings: ResolvedSettings) -> any BlobStore {
    trackedStore ?? temporaryStores.store(settings.keychainGroup)
  }

  /// The token stores of all apps, by name and without duplicates.
  var stores: OrderedDictionary<String, any BlobStore> {
    if let cacheLocation { return [cacheLocation.path: cacheLocation.store] }
    return input.clients.values.reduce(into: [:]) { stores, settings in
      stores["keychain group \(settings.keychainGroup)"] = store(of: settings)
    }
  }

  private var browser: RunSetup.BrowserFactory {
    if let systemBrowser { return { _, _, _ in systemBrowser } }
    guard browserChoice == .simulated else { return { _, _, _ in NoBrowser() } }
    if let replayed { return { _, _, _ in replayed.browser } }
    let clock = world.clock
    let cookies = self.cookies
    let credentials = emulator?.credentials ?? SimulatedUser.Credentials()
    let firstUser = isLive ? nil : input.directory.firstUser?.username
    let savePage = self.save(page:)
    return { user, http, trace in
      SimulatedBrowser(
        SimulatedUser(user, firstUser: firstUser, credentials: credentials), http: http, clock: clock,
        cookies: cookies, keep: savePage, trace: trace)
    }
  }

  /// Saves a page of the live service that the simulated user cannot complete. The emulator's pages are not saved.
  /// - Returns: A message about the saved page or the failure, or nil if the page is not saved.
  private func save(page: String) -> String? {
    guard isLive, let folder else { return nil }
    let files = world.files
    do throws(FileFailure) {
      try files.makeDirectory(folder.path, privately: true)
      try files.replace(folder.page, with: Array(page.utf8), privately: true)
    } catch {
      return "cannot save the page: \(error.explanation)"
    }
    return "saved the page, with secrets masked, to \(folder.page)"
  }

  /// Returns the network failure that caused the outcome of a live run, or nil if there is another cause, such as a
  /// step timeout.
  func networkFailure(_ result: RunResult) -> TransportFailure? {
    guard !result.succeeded, [.offline, .timedOut].contains(result.ending.outcome), let failure = network?.failure,
      failure.isNetworkFailure
    else { return nil }
    return failure
  }

  /// The error message if tokens could not be saved, or nil.
  var cacheFailure: String? { trackedStore?.failure.map { "cannot write the token cache: \($0)" } }

  /// The reason the system browser could not show a page, such as a port in use, or nil if it did not fail.
  var browserFailure: String? { systemBrowser?.failure }

  /// Saves the emulator's state or, on the live service, the simulated user's cookies.
  /// - Throws: `.environmentFailure` if the state cannot be saved. The reason has been reported.
  func save(in session: Session) throws(ExitStatus) {
    do { try save() } catch {
      let reason = (error as? FileFailure)?.explanation ?? "\(error)"
      throw session.report(.environmentFailure, "cannot save the run's state: \(reason)")
    }
  }

  private func save() throws {
    if let emulator { return try emulator.save() }
    // The system browser saves its own cookies.
    guard let folder, browserChoice == .simulated else { return }
    let files = world.files
    let json = cookies.json(at: world.clock.now)
    // Don't write unchanged cookies, because the folder may be read-only.
    guard json != Self.savedCookies(folder, world.files),
      json.array?.isEmpty == false || files.kind(of: folder.browser) != nil
    else { return }
    try files.makeDirectory(folder.path, privately: true)
    try files.locked(folder.lock) {
      try files.replace(folder.browser, with: Array(json.text().utf8), privately: true)
    }
  }

  /// Reads the saved cookies. If they cannot be read, the user signs in again.
  private static func savedCookies(_ folder: StateFolder?, _ files: any FileSystem) -> JSON {
    guard let folder, let bytes = try? files.read(folder.browser, limit: 16 << 20) else { return .null }
    return (try? JSON(parsing: bytes)) ?? .null
  }
}

extension Session {
  /// Reports network and token cache failures.
  /// - Returns: Whether there was a failure.
  func reportEnvironmentFailures(of result: RunResult, _ builder: RunBuilder) -> Bool {
    let failure = builder.networkFailure(result)
    if let failure { reportError(failure.explanation, help: failure.help) }
    if let reason = builder.cacheFailure {
      reportError("\(reason)\n  note: the previous content of the cache is unchanged")
    }
    return failure != nil || builder.cacheFailure != nil
  }

  /// Reports why a run could not start.
  /// - Returns: The exit status, so that a command can throw it.
  func report(_ failure: RunFailure) -> ExitStatus {
    switch failure {
    case .application(let error): reportError("\(error.message) [\(error.outcomeName)]")
    case .given(let problem): show([problem.diagnostic])
    }
    return .usageError
  }
}

extension RunSetup {
  /// Records the app's requests and the page visits in its browser, but not the requests of a simulated user.
  /// Recordings therefore have the same content for simulated and real users.
  mutating func record(with writer: RecordingWriter) {
    let browser = self.browser
    pages = pages ?? world.http
    world.http = writer.recording(world.http)
    self.browser = { user, http, trace in writer.recording(browser(user, http, trace)) }
  }
}

/// A queue of emulator notices, which are delivered when the run has a trace.
final class DeferredNotices: Sendable {
  private let state = Mutex<(pending: [String], handler: (@Sendable (String) -> Void)?)>(([], nil))

  func post(_ notice: String) {
    let handler = state.withLock { state in
      if state.handler == nil { state.pending.append(notice) }
      return state.handler
    }
    handler?(notice)
  }

  /// Delivers the pending notices and all later notices to the handler.
  func deliver(to handler: @escaping @Sendable (String) -> Void) {
    let pending = state.withLock { state in
      state.handler = handler
      defer { state.pending = [] }
      return state.pending
    }
    for notice in pending { handler(notice) }
  }
}
