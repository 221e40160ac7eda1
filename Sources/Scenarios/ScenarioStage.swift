import AppRegistration
import Cassettes
import Directory
import Effects
import IdentityEmulator
import OrderedCollections
import PlayedPerson
import PublicClient
import RunTrace
import SimulatedWorld
import Synchronization
import WorkflowModel
import WorkflowRunner

/// The world of one scenario: a virtual clock, seeded randomness, the emulated platform, empty caches, and a browser whose
/// person is played. Nothing of it outlives the scenario, and nothing of the machine's is changed.
package struct ScenarioStage: Sendable {
  package let simulation: Simulation
  package let emulator: IdentityPlatformEmulator
  /// The tape that answers in the platform's place, where the workflow names one.
  package let replayed: ReplayedPlatform?
  /// What the browser remembers.
  package let cookies = CookieJar()
  /// The machine's files, with what the scenario writes on top.
  package let files: OverlayFileSystem
  private let situation: Situation
  private let stores = KeychainGroups()

  /// - Parameter start: the platform with the situation's directory, where it is at hand.
  package init(
    _ situation: Situation, start: PlatformStart? = nil, seed: String, world: World, tape: Cassette? = nil
  ) {
    self.situation = situation
    simulation = Simulation(
      seed: seed, environment: world.environment.variables, workingDirectory: world.environment.workingDirectory,
      grants: world.environment.grants)
    files = OverlayFileSystem(over: world.files, workingDirectory: world.environment.workingDirectory)
    emulator = IdentityPlatformEmulator(
      start ?? Self.start(of: situation), clock: simulation.clock, randomness: simulation.world.randomness)
    for settings in situation.clients.values { emulator.register(settings) }
    replayed = tape.map { [simulation] in
      ReplayedPlatform($0, clock: simulation.clock, randomness: simulation.world.randomness)
    }
  }

  /// The platform as a scenario of that situation meets it.
  static func start(of situation: Situation) -> PlatformStart {
    PlatformStart(situation.directory, at: Simulation.start, options: .init(controlEnabled: true))
  }

  /// A world in which workflows run on the emulated platform, or on the tape.
  package var world: World {
    var world = simulation.world
    world.http = replayed?.transport ?? emulator.transport
    world.files = files
    return world
  }

  package func setup(tool: String) -> RunSetup {
    let cookies = self.cookies
    let stores = self.stores
    let clock = simulation.clock
    let knowledge = PlayedPerson.Person.Knowledge(of: emulator)
    let firstUser = situation.directory.firstUser?.username
    var setup = RunSetup(
      platform: "emulated", world: world, clients: situation.clients, store: { stores.store($0.keychainGroup) },
      browser: { person, http in
        PlayedBrowser(
          PlayedPerson.Person(person, firstUser: firstUser, knowledge: knowledge), http: http, clock: clock,
          cookies: cookies)
      },
      deviceMode: situation.directory.device == .shared ? .shared : .default, timeouts: .measured, tool: tool)
    setup.hasControl = replayed == nil
    setup.setClock = { clock.set(to: $0) }
    setup.ownsCache = true
    if let replayed {
      setup.platform = "replay"
      setup.browser = { _, _ in replayed.browser }
    }
    return setup
  }
}

/// Token caches in memory: apps of one keychain group share theirs, as on a device.
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
  /// Registers a workflow's app, so that any settings file runs at once.
  package func register(_ settings: ResolvedSettings) {
    register(
      app: RegisteredApp(
        appId: settings.clientID, publicRedirectUris: [settings.redirectURI].compactMap { $0 },
        permissions: settings.scopes))
  }
}
