import AppRegistration
import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OrderedCollections
import UserSimulation
import PublicClient
import RunTrace
import Scenarios
import SimulatedWorld
import Synchronization
import TestSupport
import Testing
import WorkflowModel
import WorkflowRunner

/// Runs workflows one after another in a simulated environment with the emulator. The cache, the cookies, and the
/// emulator's state persist.
struct RunHarness {
  static let app = "6731de76-14a6-49ae-97bc-6eba6914391e"
  static let settings = """
    AppId: \(app)
    GraphScopes: [User.Read, Calendars.Read]
    Authority: https://login.microsoftonline.com/common
    BundleId: com.contoso.graphtutorial
    """

  let simulation: Simulation
  let emulator: IdentityPlatformEmulator
  let wire: WireLog
  private let world: World
  private let directory: EmulatedDirectory
  private let cookies = CookieJar()
  private let stores = KeychainGroups()

  /// - Parameters:
  ///   - files: Additional files next to the shipped workflows and `Settings.yaml`.
  ///   - directory: A directory document that overrides the default directory.
  ///   - file: A workflow whose inline directory the harness uses.
  init(
    seed: String = "run", files: [String: String] = [:], environment: [String: String] = [:],
    directory text: String = "", directoryOf file: String? = nil
  ) throws {
    var all = ["Settings.yaml": Array(Self.settings.utf8)]
    for name in try Self.shipped {
      all[name] = try ProjectFiles.bytes(of: "Workflows/\(name)")
    }
    for (name, text) in files { all[name] = Array(text.utf8) }
    var grants = Grants()
    grants.variables = environment
    simulation = Simulation(
      seed: seed, files: MemoryFileSystem(all, workingDirectory: "/app"), environment: environment,
      workingDirectory: "/app", grants: grants)
    var directory = EmulatedDirectory.contoso
    if !text.isEmpty {
      let document = try #require(DocumentReader.read(Array(text.utf8), named: "directory.yaml").document)
      let read = EmulatedDirectory.read(document.root, over: .contoso)
      #expect(read.diagnostics.isEmpty, "\(read.diagnostics)")
      directory = try #require(read.directory)
    }
    if let file, let bytes = all[file] {
      let root = try #require(DocumentReader.read(bytes, named: file).document).root
      if let inline = root["directory"], inline.string == nil {
        let read = EmulatedDirectory.read(inline)
        #expect(read.diagnostics.isEmpty, "\(read.diagnostics)")
        directory = try #require(read.directory)
      }
    }
    self.directory = directory
    emulator = IdentityPlatformEmulator(
      directory: directory, clock: simulation.clock, randomness: simulation.world.randomness,
      options: .init(controlEnabled: true))
    wire = WireLog(emulator.transport)
    var world = simulation.world
    world.http = wire
    self.world = world
  }

  /// The names of the shipped workflows and settings, excluding subfolders.
  static var shipped: [String] {
    get throws {
      try ProjectFiles.names(in: "Workflows").filter { name in
        [".yaml", ".json", ".plist"].contains { name.hasSuffix($0) }
      }
    }
  }

  struct Outcome {
    var record: RunResult
    var events: [TraceEvent]

    var path: [String] { record.path }
    var ending: String { record.ending.outcome.rawValue }
    var lines: String { events.map(\.line).joined() }

    /// Returns the data from a step's last run.
    func facts(_ step: String) -> JSON {
      let all = record.context.facts.runs.first { $0.key == step }?.value
      return all?.last ?? .null
    }

    func events(_ kind: TraceEvent.Kind) -> [JSON] { events.filter { $0.kind == kind }.map(\.json) }

    func decisions(_ subject: String) -> [JSON] {
      events(.decision).filter { $0["subject"]?.string == subject }
    }

    func finished(_ step: String) -> JSON {
      events(.stepFinished).last { $0["step"]?.string == step } ?? .null
    }
  }

  /// Runs a workflow file.
  /// - Parameters:
  ///   - scenario: The scenario that provides the user behavior.
  ///   - before: The events to simulate before each step, by step ID.
  ///   - promptTime: The time that the user takes at the prompt before each step.
  func run(
    _ file: String, scenario: String? = nil, inputs: JSON = [:], timeouts: RunSetup.Timeouts = .measured,
    longestWait: Duration? = nil, before: [String: JSON] = [:], stopsBefore: String? = nil,
    promptTime: Duration? = nil, hasBrowser: Bool = true, debugger: (any RunDebugger)? = nil,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async throws -> Outcome {
    let files = simulation.files
    let load: @Sendable (String, ReadingOptions) -> ReadResult = { path, options in
      guard let bytes = try? files.read(path, limit: 1 << 24) else { return ReadResult(document: nil, diagnostics: []) }
      return DocumentReader.read(bytes, named: path, options: options)
    }
    let (read, diagnostics) = WorkflowDecoder.read(load(file, ReadingOptions())) { load($0, ReadingOptions()) }
    let messages = diagnostics.map { "\($0)" }
    let workflow = try #require(read, "\(messages)", sourceLocation: sourceLocation)
    let loader = SettingsLoader(load: load)
    func resolved(_ source: Node?) throws -> ResolvedSettings {
      let node = try #require(source, sourceLocation: sourceLocation)
      let loaded = node.string.map { loader.load(SettingsLoader.path($0, relativeTo: file)) } ?? loader.load(node)
      return try #require(loaded.resolved, "\(loaded.allDiagnostics)", sourceLocation: sourceLocation)
    }
    let root = workflow.document.root
    var apps = try root["clients"]?.entries.map { (name: $0.key.string ?? "", settings: try resolved($0.value)) } ?? []
    if apps.isEmpty { apps = [(name: "app", settings: try resolved(root["settings"]))] }
    let stores = self.stores
    let credentials = UserSimulation.SimulatedUser.Credentials(of: emulator)
    let firstUser = directory.firstUser?.username
    let cookies = self.cookies
    let clock = simulation.clock
    let emulator = self.emulator
    var setup = RunSetup(
      platform: "emulated", world: world,
      clients: OrderedDictionary(uniqueKeysWithValues: apps.map { ($0.name, $0.settings) }),
      store: { stores.store($0.keychainGroup) },
      browser: { user, http, _ in
        guard hasBrowser else { return UnavailableBrowser() }
        return SimulatedBrowser(
          UserSimulation.SimulatedUser(user, firstUser: firstUser, credentials: credentials), http: http, clock: clock,
          cookies: cookies)
      },
      deviceMode: directory.device == .shared ? .shared : .default,
      user: scenario.flatMap { name in workflow.scenarios.first { $0.name == name }?.body.user }, timeouts: timeouts,
      longestWait: longestWait, tool: "tests")
    if let inputs = inputs.object { setup.inputs = inputs }
    setup.debugger = debugger
    if !before.isEmpty || stopsBefore != nil || promptTime != nil {
      setup.debugger = StepDebugger { step in
        if let promptTime { try? await clock.sleep(for: promptTime) }
        if let events = before[step] { await Self.simulate(events, at: emulator) }
        return step != stopsBefore
      }
    }
    for (_, settings) in apps { emulator.register(settings) }
    let events = EventLog()
    let trace = TraceRecorder(clock: simulation.clock) { events.append($0) }
    let run = WorkflowRun(workflow, setup: setup, trace: trace)
    let record = try await simulation.run { try await run.run() }
    let outcome = Outcome(record: record, events: events.all)
    check(outcome, of: workflow, sourceLocation)
    return outcome
  }

  /// Runs YAML steps, with additional keys in the document.
  func run(
    steps: String, _ more: String = "settings: Settings.yaml", timeouts: RunSetup.Timeouts = .measured,
    longestWait: Duration? = nil, before: [String: JSON] = [:], stopsBefore: String? = nil,
    hasBrowser: Bool = true, files: [String: String] = [:], debugger: (any RunDebugger)? = nil,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async throws -> Outcome {
    for (name, text) in files { try simulation.files.replace(name, with: Array(text.utf8), privately: false) }
    let indented = steps.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }
    let text = "authflow: 1\n\(more)\nsteps:\n\(indented.joined(separator: "\n"))\n"
    try simulation.files.replace("test.yaml", with: Array(text.utf8), privately: false)
    return try await run(
      "test.yaml", timeouts: timeouts, longestWait: longestWait, before: before, stopsBefore: stopsBefore,
      hasBrowser: hasBrowser, debugger: debugger, sourceLocation: sourceLocation)
  }

  func advanceClock(by duration: Duration) async throws {
    let clock = simulation.clock
    try await simulation.run { try await clock.sleep(for: duration) }
  }

  /// Simulates a platform event, as in a scenario's `given`.
  func simulate(_ events: JSON) async { await Self.simulate(events, at: emulator) }

  /// Returns the number of requests that the emulator has received, by type (`token`, `authorize`, or `graph`).
  func requestCount(_ kind: String) async throws -> Int64? {
    let url = "https://login.microsoftonline.com/_authflow/state"
    let request = try #require(RequestMessage(method: .get, url: url, headers: [:], body: []))
    return try JSON(parsing: await emulator.respond(to: request).body)["requests"]?[kind]?.integer
  }

  private static func simulate(_ events: JSON, at emulator: IdentityPlatformEmulator) async {
    guard
      let request = RequestMessage(
        method: .post, url: "https://login.microsoftonline.com/_authflow/events",
        headers: [.contentType: "application/json"], body: Array(events.text().utf8))
    else { return }
    let response = await emulator.respond(to: request)
    #expect(response.head.status == .ok, "\(String(decoding: response.body, as: UTF8.self))")
  }

  /// Checks the invariants of every run.
  private func check(_ outcome: Outcome, of workflow: Workflow, _ sourceLocation: Testing.SourceLocation) {
    #expect(outcome.events.map(\.seq) == Array(1...outcome.events.count), sourceLocation: sourceLocation)
    #expect(outcome.events.first?.kind == .runStarted, sourceLocation: sourceLocation)
    #expect(outcome.events.last?.kind == .runFinished, sourceLocation: sourceLocation)
    let times = outcome.events.map(\.time)
    #expect(times == times.sorted(), sourceLocation: sourceLocation)
    let stepIDs = Set((workflow.steps + workflow.finally).map(\.id))
    let finished = outcome.events(.stepFinished).compactMap { event -> String? in
      guard let step = event["step"]?.string, let outcome = event["outcome"]?.string, stepIDs.contains(step) else {
        return nil
      }
      return "\(step).\(outcome)"
    }
    #expect(finished == outcome.path, sourceLocation: sourceLocation)
    let text = outcome.lines
    for secret in wire.secrets.sorted() {
      #expect(!text.contains(secret), "the trace contains a secret", sourceLocation: sourceLocation)
    }
  }
}

/// A debugger that calls a closure before each step of a run.
private struct StepDebugger: RunDebugger {
  let mayPerform: @Sendable (String) async -> Bool

  func reached(_ point: RunPoint, in run: RunInspection) async -> Bool {
    guard case .step = point, let frame = run.frames.last else { return true }
    switch frame.step.action {
    case .assert, .parallel, .use: return true
    default: return await mayPerform(frame.id)
    }
  }
}

private struct UnavailableBrowser: Browser {
  func visit(_ visit: BrowserVisit) async -> BrowserOutcome {
    BrowserOutcome(.unavailable(reason: "no browser available"))
  }
}

private final class EventLog: Sendable {
  private let events = Mutex<[TraceEvent]>([])

  var all: [TraceEvent] { events.withLock { $0 } }

  func append(_ event: TraceEvent) { events.withLock { $0.append(event) } }
}
