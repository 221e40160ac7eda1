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

/// The world of one run, put together: the platform, the stores, and who sits at the keyboard.
struct RunBuilder: Sendable {
  let world: World
  /// The recording that answers, where one does.
  let replayed: ReplayPlatform?
  private let replayClock: OffsetClock?
  private let input: LoadedWorkflow
  private let embedded: RunEmulator?
  private let cookies: CookieJar
  /// What outlives the run beside the tokens; nil where nothing does.
  private let folder: StateFolder?
  /// Where the tokens are kept; nil where they are not.
  private let place: CachePlace?
  let isLive: Bool
  private let browserChoice: BrowserOptions.Choice
  private let systemBrowser: SystemBrowser?
  private let user: String?
  private let notices: DeferredNotices
  private let memory = KeychainGroups()
  private let network: FailureTrackingTransport?
  private let keeping: FailureTrackingStore?

  /// - Parameters:
  ///   - folder: What outlives the run beside the tokens; nil where nothing does.
  ///   - place: Where the tokens are kept; nil where they are not.
  init(_ input: LoadedWorkflow, _ options: RunOptions, folder: StateFolder?, place: CachePlace?, in session: Session) {
    self.input = input
    isLive = options.isLive
    self.folder = folder
    self.place = place
    user = options.user
    let browser = options.browser
    browserChoice = browser.choice
    keeping = place.map { FailureTrackingStore($0.store) }
    let notices = DeferredNotices()
    self.notices = notices
    let network = isLive && options.recording == nil ? FailureTrackingTransport(session.world.http) : nil
    self.network = network
    systemBrowser =
      browser.choice == .system
      ? SystemBrowser(
        ways: browser.ways(in: session), environment: session.world.environment, clock: session.world.clock,
        say: { session.printStatus($0) }) : nil
    if let recording = options.recording {
      // Waiting costs nothing in a recording.
      var world = session.world
      let clock = OffsetClock(session.world.clock, offset: .zero)
      world.clock = clock
      replayClock = clock
      let platform = ReplayPlatform(recording, clock: clock, randomness: world.randomness)
      world.http = platform.transport
      self.world = world
      replayed = platform
      embedded = nil
      cookies = CookieJar()
      return
    }
    replayed = nil
    replayClock = nil
    if isLive {
      embedded = nil
      cookies = CookieJar(json: Self.keptCookies(folder, session.world.files))
      var world = session.world
      if let network { world.http = network }
      self.world = world
      return
    }
    let platform = RunEmulator(
      directory: input.directory, folder: folder, world: session.world, notice: notices.post,
      advice: { session.printStatus("warning: \($0.words)\n  help: \($0.help)") },
      warn: { session.printStatus("warning: \($0)") })
    for settings in input.clients.values { platform.emulator.register(settings) }
    embedded = platform
    cookies = platform.cookies
    var world = session.world
    world.clock = platform.clock
    world.http = platform.emulator.transport
    self.world = world
  }

  var workflow: Workflow { input.workflow }

  func setup(inputs: OrderedDictionary<String, JSON>, trace: TraceRecorder) -> RunSetup {
    notices.announce { trace.recordDecision("registration", "onTheFly", reason: $0) }
    var setup = RunSetup(
      platform: replayed != nil ? "replay" : isLive ? "live" : "emulated", world: world, clients: input.clients,
      store: { store(of: $0) },
      browser: browser, deviceMode: !isLive && input.directory.device == .shared ? .shared : .default,
      user: user.map { UserBehaviors([WorkflowModel.UserBehavior(username: $0)]) }, inputs: inputs,
      timeouts: isLive ? .canceling : .measured, longestWait: isLive ? .seconds(60) : nil,
      tool: "authflow \(Version.text)")
    setup.hasControl = embedded != nil
    setup.isLive = isLive && replayed == nil
    if isLive { setup.traceID = TraceContext.newTraceID(world.randomness) }
    if let clock = embedded?.clock ?? replayClock { setup.setClock = { clock.set(to: $0) } }
    setup.ownsCache = place == nil
    return setup
  }

  /// Apps of one keychain group share their cache, as on a device.
  private func store(of settings: ResolvedSettings) -> any BlobStore {
    keeping ?? memory.store(settings.keychainGroup)
  }

  /// Where the apps that take part keep their tokens, each place once, and what it is called.
  var stores: OrderedDictionary<String, any BlobStore> {
    if let place { return [place.path: place.store] }
    return input.clients.values.reduce(into: [:]) { stores, settings in
      stores["keychain group \(settings.keychainGroup)"] = store(of: settings)
    }
  }

  private var browser: @Sendable (ResolvedUserBehavior, any HTTPTransport) -> any Browser {
    if let systemBrowser { return { _, _ in systemBrowser } }
    guard browserChoice == .simulated else { return { _, _ in NoBrowser() } }
    if let replayed { return { _, _ in replayed.browser } }
    let clock = world.clock
    let cookies = self.cookies
    let knowledge = embedded?.knowledge ?? UserSimulation.SimulatedUser.Credentials()
    let firstUser = isLive ? nil : input.directory.firstUser?.username
    let keep = self.keep(page:)
    return { user, http in
      SimulatedBrowser(
        UserSimulation.SimulatedUser(user, firstUser: firstUser, knowledge: knowledge), http: http, clock: clock,
        cookies: cookies, keep: keep)
    }
  }

  /// Keeps a page of a real provider for study; those of the embedded platform are known.
  private func keep(page: String) -> String? {
    guard isLive, let folder else { return nil }
    let files = world.files
    do throws(FileFailure) {
      try files.makeDirectory(folder.path, privately: true)
      try files.replace(folder.page, with: Array(page.utf8), privately: true)
    } catch {
      return "the page could not be kept for study: \(error.explanation)"
    }
    return "the page, without its secrets, is in \(folder.page)"
  }

  /// Makes sure that what is kept is a token cache. What is none is moved aside, never written over; but a file that
  /// somebody named stays where it is.
  /// - Returns: what was moved, and where to.
  func checkCache() throws(TokenCacheFailure) -> QuarantinedFile? {
    guard let place else { return nil }
    let cache = UnifiedTokenCache(store: place.store)
    do throws(TokenCacheFailure) {
      _ = try cache.contents()
      return nil
    } catch {
      guard case .corrupt = error, place.folder != nil else { throw error }
      return try cache.moveAsideIfCorrupt()
    }
  }

  /// How the network failed, where that is what a run on the live platform ended of: not by a step's own timeout, and not
  /// by what a workflow made of an earlier failure.
  func networkFailure(_ record: RunResult) -> TransportFailure? {
    guard !record.succeeded, ["offline", "timedOut"].contains(record.ending.outcome), let failure = network?.failure,
      failure.isOfTheNetwork
    else { return nil }
    return failure
  }

  /// Why the tokens could not be kept; nil where they were.
  var keepingFailure: String? { keeping?.failure.map { "the token cache could not be written: \($0)" } }

  /// Why the machine did not let a page be shown, such as a port in use.
  var browserFailure: String? { systemBrowser?.failure }

  /// Keeps what the platform, or the simulated user's browser, remembers.
  /// - Throws: `.surroundings` where it cannot be kept, which is told.
  func save(in session: Session) throws(ExitStatus) {
    do { try save() } catch {
      let reason = (error as? FileFailure)?.explanation ?? "\(error)"
      session.printStatus("error: what the platform remembers could not be kept: \(reason)")
      throw .environmentFailure
    }
  }

  private func save() throws {
    if let embedded { return try embedded.save() }
    // the simulated user's cookies at real providers; a system browser keeps its own.
    guard let folder, browserChoice == .simulated else { return }
    let files = world.files
    let json = cookies.json(at: world.clock.now)
    // What is there already need not be written, where perhaps nothing can be.
    guard json != Self.keptCookies(folder, world.files),
      json.array?.isEmpty == false || files.kind(of: folder.browser) != nil
    else { return }
    try files.makeDirectory(folder.path, privately: true)
    try files.locked(folder.lock) {
      try files.replace(folder.browser, with: Array(json.text().utf8), privately: true)
    }
  }

  /// Cookies that cannot be read are as good as none: the user signs in again.
  private static func keptCookies(_ folder: StateFolder?, _ files: any FileSystem) -> JSON {
    guard let folder, let bytes = try? files.read(folder.browser, limit: 16 << 20) else { return .null }
    return (try? JSON(parsing: bytes)) ?? .null
  }
}

extension Session {
  /// Tells what of the network failed a run, and that its tokens could not be kept.
  /// - Returns: whether there was any of it.
  func tellsOfSurroundings(of record: RunResult, _ assembly: RunBuilder) -> Bool {
    let failure = assembly.networkFailure(record)
    if let failure {
      printStatus("error: \(failure.explanation)" + (failure.help.map { "\n  help: \($0)" } ?? ""))
    }
    if let reason = assembly.keepingFailure {
      printStatus("error: \(reason)\n  help: what it held before is still there")
    }
    return failure != nil || assembly.keepingFailure != nil
  }

  /// Tells why a run did not begin.
  func tell(_ failure: RunFailure) -> ExitStatus {
    switch failure {
    case .application(let error): printStatus("error: \(error.message) [\(error.outcomeName)]")
    case .given(let reason): show([reason.diagnostic])
    }
    return .usageError
  }
}

extension RunSetup {
  /// Records what the app and its browser exchange with the platform. The pages that a simulated user goes through are no
  /// part of it: a visit is, so that a real user's is recorded alike.
  mutating func record(with writer: RecordingWriter) {
    let browser = self.browser
    pages = pages ?? world.http
    world.http = writer.recording(world.http)
    self.browser = { user, http in writer.recording(browser(user, http)) }
  }
}

/// Sentences that wait until there is a trace to tell them to.
final class DeferredNotices: Sendable {
  private let state = Mutex<(waiting: [String], tell: (@Sendable (String) -> Void)?)>(([], nil))

  func post(_ sentence: String) {
    let tell = state.withLock { state in
      if state.tell == nil { state.waiting.append(sentence) }
      return state.tell
    }
    tell?(sentence)
  }

  func announce(to tell: @escaping @Sendable (String) -> Void) {
    let waiting = state.withLock { state in
      state.tell = tell
      defer { state.waiting = [] }
      return state.waiting
    }
    for sentence in waiting { tell(sentence) }
  }
}
