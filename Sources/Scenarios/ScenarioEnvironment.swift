import AppRegistration
import Recordings
import Directory
import Effects
import IdentityEmulator
import OrderedCollections
import UserSimulation
import PublicClient
import RunTrace
import SimulatedWorld
import Synchronization
import WorkflowModel
import WorkflowRunner

/// The isolated environment of a scenario. It consists of a virtual clock, seeded randomness, the emulator, empty
/// caches, and a browser with a simulated user. A scenario does not change anything on the machine.
package struct ScenarioEnvironment: Sendable {
  package let simulation: Simulation
  package let emulator: IdentityPlatformEmulator
  /// The recording that is replayed. Nil if the scenario uses the emulator.
  package let replayed: ReplayPlatform?
  /// The browser's cookies.
  package let cookies = CookieJar()
  /// The machine's files, overlaid with the files that the scenario writes.
  package let files: OverlayFileSystem
  private let situation: AppConfiguration
  private let stores = KeychainGroups()

  /// - Parameters:
  ///   - start: The initial state with the scenario's directory, or nil to create this state.
  ///   - isStrict: Whether to register only the tenants, user flows, and APIs in the directory and in the settings of
  ///     the apps.
  package init(
    _ situation: AppConfiguration, start: InitialPlatformState? = nil, isStrict: Bool = true, seed: String,
    world: World,
    recording: Recording? = nil
  ) {
    self.situation = situation
    simulation = Simulation(
      seed: seed, environment: world.environment.variables, workingDirectory: world.environment.workingDirectory,
      grants: world.environment.grants)
    files = OverlayFileSystem(over: world.files, workingDirectory: world.environment.workingDirectory)
    emulator = IdentityPlatformEmulator(
      start ?? Self.start(of: situation, isStrict: isStrict), clock: simulation.clock,
      randomness: simulation.world.randomness)
    for settings in situation.clients.values { emulator.register(settings) }
    for settings in situation.clients.values { emulator.declare(settings) }
    replayed = recording.map { [simulation] in
      ReplayPlatform($0, clock: simulation.clock, randomness: simulation.world.randomness)
    }
  }

  /// Returns the initial state of the emulator for a configuration.
  static func start(of situation: AppConfiguration, isStrict: Bool = true) -> InitialPlatformState {
    var options = IdentityPlatformEmulator.Options(controlEnabled: true)
    options.registersByDefault = !isStrict
    return InitialPlatformState(situation.directory, at: Simulation.start, options: options)
  }

  /// The environment for workflows that run on the emulator or with the recording.
  package var world: World {
    var world = simulation.world
    world.http = replayed?.transport ?? emulator.transport
    world.files = files
    return world
  }

  /// - Parameter person: A real user who completes the sign-in pages, or nil.
  package func setup(tool: String, person: (any PagePerson)? = nil) -> RunSetup {
    let cookies = self.cookies
    let stores = self.stores
    let clock = simulation.clock
    let credentials = UserSimulation.SimulatedUser.Credentials(of: emulator)
    let person = person.map { SuspendingPerson(person: $0, executor: simulation.executor) }
    let firstUser = situation.directory.firstUser?.username
    var setup = RunSetup(
      platform: "emulated", world: world, clients: situation.clients, store: { stores.store($0.keychainGroup) },
      browser: { user, http, trace in
        SimulatedBrowser(
          UserSimulation.SimulatedUser(user, firstUser: firstUser, credentials: credentials), http: http, clock: clock,
          cookies: cookies, trace: trace, person: person)
      },
      deviceMode: situation.directory.device == .shared ? .shared : .default, timeouts: .measured, tool: tool)
    setup.hasControl = replayed == nil
    setup.setClock = { clock.set(to: $0) }
    setup.suspendTimers = { [executor = simulation.executor] isSuspended in
      if isSuspended { executor.suspendTimers() } else { executor.resumeTimers() }
    }
    setup.ownsCache = true
    if let replayed {
      setup.platform = "replay"
      setup.browser = { _, _, _ in replayed.browser }
    }
    return setup
  }
}

/// A real user. While the user completes a page, the virtual clock is suspended.
private struct SuspendingPerson: PagePerson {
  let person: any PagePerson
  let executor: SerialScenarioExecutor

  func answer(_ page: InteractivePage) async -> PersonAction {
    executor.suspendTimers()
    defer { executor.resumeTimers() }
    return await person.answer(page)
  }
}

/// The token caches, in memory. As on a device, the apps in a keychain group share a cache.
package final class KeychainGroups: Sendable {
  private let stores = Mutex<[String: MemoryBlobStore]>([:])

  package init() {}

  package func store(_ group: String) -> MemoryBlobStore {
    stores.withLock { stores in
      if let store = stores[group] { return store }
      let store = MemoryBlobStore()
      stores[group] = store
      return store
    }
  }
}

extension IdentityPlatformEmulator {
  /// Registers the workflow's app, so that the workflow runs with any settings. If the directory is complete and lists
  /// the app, its redirect URIs stay unchanged, so that a workflow can test an incorrect registration.
  package func register(_ settings: ResolvedSettings) {
    register(
      client: RegisteredApp(
        appId: settings.clientID, publicRedirectUris: [settings.redirectURI].compactMap { $0 },
        permissions: settings.scopes))
  }

  /// Registers the tenants, user flows, and APIs in the settings, unless the emulator or the directory already defines
  /// a fixed set.
  fileprivate func declare(_ settings: ResolvedSettings) {
    for issuer in settings.namedIssuers {
      declare(host: issuer.host, tenant: issuer.tenant, userFlow: issuer.userFlow, scopes: settings.scopes)
    }
  }
}
