import AuthflowCLI
import Effects
import SimulatedWorld
import Synchronization
import TestSupport
import Testing

/// `authflow test --watch` and `authflow run --watch`, with simulated files, keys, and time.
@Suite struct WatchTests {
  private static let steps = TerminalSession.files(
    steps: "- loadAccount\n- silent\n- interactive-fallback\n- callGraph: /me")
  /// Returns two workflows that share their settings.
  private static func files(path: String = "[loadAccount.notFound, ..., callGraph.success]") -> [String: String] {
    let workflow = steps["w.yaml"] ?? ""
    let scenarios = """
      scenarios:
        first run:  # the user signs in
          expect:
            path: \(path)  # nothing is cached

      """
    let other = "scenarios:\n  other: {expect: {interactions: 1}}\n"
    return ["S.yaml": TerminalSession.plainSettings, "w.yaml": workflow + scenarios, "v.yaml": workflow + other]
  }

  @Test func runsOnlyTheScenariosThatDependOnAChangedFile() async throws {
    let watch = try Watch(Self.files())
    let result = try await watch.run("test", "--verbose", "--watch") { files in
      [{ Self.append("# a comment\n", to: "v.yaml", files) }, { "q" }]
    }
    #expect(result.status == .success)
    #expect(result.output.components(of: "v.yaml: other") == 2)
    #expect(result.output.components(of: "w.yaml: first run") == 1)
    #expect(result.output.components(of: "2 passed") == 2)
  }

  @Test func aChangeToTheSettingsRunsAllScenariosWithin200Milliseconds() async throws {
    let watch = try Watch(Self.files())
    let result = try await watch.run("test", "--verbose", "--watch") { files in
      [{ Self.append("# a comment\n", to: "S.yaml", files) }, { "q" }]
    }
    #expect(result.output.components(of: "w.yaml: first run") == 2)
    let times = watch.terminal.times(of: "2 passed")
    // The change happens after one second.
    #expect(times.count == 2 && times[1] <= .milliseconds(1_200))
  }

  @Test func reportsInvalidFilesAndContinuesWhenTheyAreFixed() async throws {
    let watch = try Watch(Self.files())
    let valid = try #require(watch.files.text("w.yaml"))
    let result = try await watch.run("test", "--watch") { files in
      [
        { Self.write("authflow: 1\nsteps: [", to: "w.yaml", files) }, { Self.write(valid + "\n", to: "w.yaml", files) },
        { "q" },
      ]
    }
    #expect(result.error.contains("waiting for a change that fixes the errors"))
    #expect(result.output.components(of: "2 passed") == 2)
    #expect(result.status == .success)
  }

  @Test func addsNewFilesAndDropsRemovedFiles() async throws {
    let watch = try Watch(Self.files())
    let other = try #require(watch.files.text("v.yaml"))
    let result = try await watch.run("test", "--watch") { files in
      [
        { Self.write(other, to: "new.yaml", files) },
        {
          try? files.remove("new.yaml")
          return ""
        },
        { Self.append("\n", to: "w.yaml", files) }, { "q" },
      ]
    }
    #expect(result.output.components(of: "3 passed") == 1)
    #expect(result.output.components(of: "2 passed") == 2)
    #expect(result.error.contains("watching 3 scenarios"))
  }

  @Test func acceptsThePathOfAFailedScenarioAndKeepsComments() async throws {
    let watch = try Watch(Self.files(path: "[loadAccount.found, ..., callGraph.success]"))
    let result = try await watch.run("test", "w.yaml", "--watch") { _ in [{ "a" }, { "q" }] }
    let text = try #require(watch.files.text("w.yaml"))
    #expect(text.contains("path: [loadAccount.notFound, ..., callGraph.success]  # nothing is cached"))
    #expect(text.contains("first run:  # the user signs in"))
    #expect(result.output.contains("1 failed") && result.output.contains("1 passed"))
    #expect(result.status == .success)
  }

  @Test func acceptsAShorterPathInABlockList() async throws {
    let entries = [
      "loadAccount.found", "silent.interactionRequired", "interactive-fallback.success", "callGraph.success",
    ]
    let path = entries.map { "\n        - \($0)" }.joined()
    let watch = try Watch(Self.files(path: path))
    let result = try await watch.run("test", "w.yaml", "--watch") { _ in [{ "a" }, { "q" }] }
    #expect(result.status == .success)
    let text = try #require(watch.files.text("w.yaml"))
    #expect(text.contains("        - loadAccount.notFound\n        - interactive-fallback.success\n"))
    #expect(text.contains("  # nothing is cached"))
  }

  @Test func acceptsGoldenTraces() async throws {
    let watch = try Watch(Self.files())
    let result = try await watch.run("test", "w.yaml", "--golden", "Golden", "--watch") { _ in [{ "a" }, { "q" }] }
    // The command fails because the folder does not exist.
    #expect(result.error.contains("Golden is not a folder"))
    try watch.files.makeDirectory("Golden", privately: false)
    let accepted = try await watch.run("test", "w.yaml", "--golden", "Golden", "--watch") { _ in [{ "a" }, { "q" }] }
    #expect(accepted.error.contains("golden traces: 1 written"))
    #expect(accepted.status == .success)
    #expect(try watch.files.list("Golden").count == 1)
  }

  @Test func doesNotAcceptOtherFailures() async throws {
    var files = Self.files()
    files["v.yaml"] = files["v.yaml"]?.replacing("interactions: 1", with: "interactions: 2")
    let watch = try Watch(files)
    let result = try await watch.run("test", "--watch") { _ in [{ "a" }, { "q" }] }
    #expect(result.error.contains("not accepted: v.yaml: other: it did not fail because of its path"))
    #expect(watch.files.text("v.yaml") == files["v.yaml"])
    #expect(result.status == .failed)
  }

  @Test func filtersAndRerunsByKey() async throws {
    let watch = try Watch(Self.files())
    let result = try await watch.run("test", "--verbose", "--watch") { _ in
      [{ "f" }, { "othex\u{7F}r\n" }, { "r" }, { "q" }]
    }
    #expect(result.output.components(of: "v.yaml: other") == 3)
    #expect(result.output.components(of: "w.yaml: first run") == 1)
    #expect(result.error.contains("watching 1 scenario\n"))
  }

  @Test func ctrlCRestoresTheTerminal() async throws {
    let watch = try Watch(Self.files())
    let status = try await watch.runInterrupted("test", "--watch")
    #expect(status == .interrupted)
    #expect(watch.terminal.isRestored)
  }

  @Test func doesNotShowKeysWithoutATerminal() async throws {
    let watch = try Watch(Self.files(), hasKeys: false)
    #expect(try await watch.runInterrupted("test", "--watch") == .interrupted)
    #expect(watch.terminal.error.contains("watching 2 scenarios\n"))
    #expect(!watch.terminal.error.contains("quit"))
  }

  @Test func runsTheWorkflowAgainWhenItsSettingsChange() async throws {
    let watch = try Watch(Self.files())
    let result = try await watch.run("run", "w.yaml", "--fresh", "--watch") { files in
      [
        { Self.append("# a comment\n", to: "S.yaml", files) }, { Self.append("# a comment\n", to: "v.yaml", files) },
        { "r" }, { "q" },
      ]
    }
    #expect(result.status == .success)
    #expect(result.error.components(of: "watching w.yaml") == 3)
  }

  @Test(arguments: [
    ["test", "--watch", "--list"], ["test", "--watch", "--coverage"], ["test", "--watch", "--format", "json"],
    ["run", "w.yaml", "--watch", "--step"], ["run", "w.yaml", "--watch", "--platform", "live"],
  ])
  func rejectsOptionsWithoutMeaning(arguments: [String]) async throws {
    let session = try TerminalSession(files: Self.files())
    let result = try await session.run(arguments)
    #expect(result.status == .usageError)
    #expect(result.error.contains("and `--watch` cannot be used together"))
  }

  private static func write(_ text: String, to path: String, _ files: MemoryFileSystem) -> String {
    try? files.replace(path, with: Array(text.utf8), privately: false)
    return ""
  }

  private static func append(_ text: String, to path: String, _ files: MemoryFileSystem) -> String {
    write((files.text(path) ?? "") + text, to: path, files)
  }
}

/// A watch session with a simulated terminal.
private struct Watch {
  let session: TerminalSession
  let terminal: WatchedTerminal
  private let hasKeys: Bool

  init(_ files: [String: String], hasKeys: Bool = true) throws {
    session = try TerminalSession(files: files)
    terminal = WatchedTerminal(clock: session.simulation.clock)
    self.hasKeys = hasKeys
  }

  var files: MemoryFileSystem { session.files }

  private func perform(_ arguments: [String]) async -> ExitStatus {
    var world = session.simulation.world
    world.console = terminal
    let (hasKeys, terminal) = (hasKeys, terminal)
    let system = WatchSystem(
      beginKeys: { hasKeys }, endKeys: { terminal.restore() }, openWatcher: { _ in nil })
    return await CommandLineTool.run(arguments, in: world, watchSystem: system)
  }

  /// Runs a command and performs an action after each second.
  /// - Parameter actions: A closure that returns the actions. Each action changes files and returns the pressed keys.
  func run(
    _ arguments: String..., actions: (MemoryFileSystem) -> [@Sendable () -> String]
  ) async throws -> TerminalSession.Result {
    terminal.begin(actions(files))
    let status = try await session.simulation.run { await perform(arguments) }
    return TerminalSession.Result(status: status, output: terminal.output, error: terminal.error)
  }

  /// Runs a command and cancels it after one second.
  func runInterrupted(_ arguments: String...) async throws -> ExitStatus {
    terminal.begin([])
    return try await session.simulation.run {
      await withTaskGroup(of: ExitStatus?.self) { group in
        group.addTask { await perform(arguments) }
        group.addTask {
          try? await session.simulation.clock.sleep(for: .seconds(1))
          return nil
        }
        var status: ExitStatus?
        while let result = await group.next() {
          if let result { status = result } else { group.cancelAll() }
        }
        return status ?? .failed
      }
    }
  }
}

/// A console that simulates key presses at virtual times and records the times of output.
private final class WatchedTerminal: Console {
  private struct State {
    var actions: [@Sendable () -> String] = []
    var writings: [(stream: ConsoleStream, time: Duration, text: String)] = []
    var started: Instant?
    var isRestored = false
  }

  private let state = Mutex(State())
  private let clock: VirtualClock

  init(clock: VirtualClock) { self.clock = clock }

  func begin(_ actions: [@Sendable () -> String]) {
    let now = clock.now
    state.withLock { $0 = State(actions: actions, started: now) }
  }

  func restore() { state.withLock { $0.isRestored = true } }

  var isRestored: Bool { state.withLock { $0.isRestored } }
  var output: String { text(.output) }
  var error: String { text(.error) }

  /// Returns the times at which output that contains a string was written.
  func times(of part: String) -> [Duration] {
    state.withLock { state in state.writings.filter { $0.text.contains(part) }.map(\.time) }
  }

  private func text(_ stream: ConsoleStream) -> String {
    state.withLock { state in state.writings.filter { $0.stream == stream }.map(\.text).joined() }
  }

  func write(_ bytes: [UInt8], to stream: ConsoleStream) {
    let now = clock.now
    state.withLock { state in
      state.writings.append((stream, now - (state.started ?? now), String(decoding: bytes, as: UTF8.self)))
    }
  }

  func isTerminal(_ stream: ConsoleStream) -> Bool { false }
  var width: Int? { nil }
  func readLine() async -> String? { nil }

  func readBytes() async -> [UInt8]? {
    let action = state.withLock { state in state.actions.isEmpty ? nil : state.actions.removeFirst() }
    guard let action, (try? await clock.sleep(for: .seconds(1))) != nil else { return nil }
    return Array(action().utf8)
  }
}

extension String {
  /// Returns the number of occurrences of a string.
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
