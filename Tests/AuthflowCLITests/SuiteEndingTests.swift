import AuthflowCLI
import Documents
import Effects
import SimulatedWorld
import Synchronization
import Testing

/// `authflow test` with an interrupt, an early stop, or a full disk.
@Suite struct SuiteEndingTests {
  static let names = ["one", "two", "three", "four", "five"]
  static let files = TerminalSession.files(
    steps: "- loadAccount\n- silent\n- interactive-fallback\n- callGraph: /me",
    "scenarios:\n" + names.map { "  \($0): {expect: {path: [..., callGraph.success]}}\n" }.joined())

  /// A clock that reports each read. A test run reads the clock whenever a scenario starts or ends.
  struct ObservedClock: WorldClock {
    let base: any WorldClock
    let onRead: @Sendable () -> Void

    var now: Instant {
      onRead()
      return base.now
    }
    func sleep(for duration: Duration) async throws { try await base.sleep(for: duration) }
  }

  /// Runs a command and interrupts it after it has read the clock a number of times.
  static func interrupted(
    _ session: TerminalSession, after reads: Int, _ arguments: [String]
  ) async throws -> TerminalSession.Result {
    let writingsBefore = session.simulation.console.writings.count
    let task = Mutex<Task<ExitStatus, Never>?>(nil)
    let count = Mutex(0)
    var world = session.simulation.world
    world.clock = ObservedClock(base: world.clock) {
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number == reads { task.withLock { $0?.cancel() } }
    }
    let observedWorld = world
    let command = Task {
      while task.withLock({ $0 == nil }) { await Task.yield() }
      return await CommandLineTool.run(arguments, in: observedWorld)
    }
    task.withLock { $0 = command }
    let status = await command.value
    let writings = session.simulation.console.writings[writingsBefore...]
    func text(_ stream: ConsoleStream) -> String {
      String(decoding: writings.filter { $0.stream == stream }.flatMap(\.bytes), as: UTF8.self)
    }
    return .init(status: status, output: text(.output), error: text(.error))
  }

  @Test func anInterruptedSuiteWritesCompleteReports() async throws {
    let session = try TerminalSession(files: Self.files)
    // The test run reads the clock when it starts, and at the start and end of each scenario.
    let result = try await Self.interrupted(
      session, after: 6,
      ["test", "w.yaml", "--jobs", "1", "--junit", "r.xml", "--json", "r.json", "--tap=r.tap"])
    #expect(result.status == .interrupted)
    #expect(result.output.hasPrefix("interrupted: "))
    let json = try JSON(parsing: Array(try #require(session.files.text("r.json")).utf8))
    #expect(json["ending"] == "interrupted")
    #expect(json["summary"]?["total"] == 5)
    let skipped = json["tests"]?.array?.filter { $0["reason"] == "interrupted" }.count ?? 0
    let passed = json["tests"]?.array?.count { $0["verdict"] == "passed" } ?? 0
    #expect(skipped + passed == 5 && skipped >= 1 && passed >= 1, "\(skipped) \(passed)")
    let junit = try #require(session.files.text("r.xml"))
    #expect(junit.hasSuffix("</testsuites>\n"))
    #expect(junit.ranges(of: "<testcase ").count == 5)
    #expect(junit.ranges(of: #"<skipped message="interrupted"/>"#).count == skipped)
    let tap = try #require(session.files.text("r.tap"))
    #expect(tap.hasPrefix("TAP version 14\n1..5\n"))
    #expect(tap.ranges(of: "# SKIP interrupted").count == skipped)
    #expect(tap.hasSuffix("Bail out! interrupted\n"))
  }

  @Test func anInterruptedUpdateDoesNotRemoveGoldenTraces() async throws {
    let session = try TerminalSession(files: Self.files)
    let update = ["test", "w.yaml", "--jobs", "1", "--golden", "G", "--update"]
    #expect(try await session.run(update).status == .success)
    let text = try #require(session.files.text("w.yaml"))
    try session.files.replace(
      "w.yaml", with: Array(text.replacing("  five: ", with: "  six: ").utf8), privately: false)
    let existing = session.files.paths.filter { $0.contains("/G/") }
    #expect(existing.count == 5)
    let result = try await Self.interrupted(session, after: 4, update)
    #expect(result.status == .interrupted)
    #expect(result.error.contains("none removed, because the run is incomplete"))
    #expect(Set(existing).isSubset(of: session.files.paths))
    // A complete update removes golden traces whose scenario no longer exists.
    let complete = try await session.run(update)
    #expect(complete.error.contains("w-yaml--five"))
    #expect(complete.error.contains("its scenario no longer exists"))
    #expect(session.files.paths.count { $0.contains("/G/") } == 5)
  }

  @Test func failFastSkipsTheRemainingScenarios() async throws {
    var files = Self.files
    files["w.yaml"] = files["w.yaml"]?.replacing(
      "  two: {expect: {path: [..., callGraph.success]}}", with: "  two: {expect: {path: [loadAccount.found, ...]}}")
    let session = try TerminalSession(files: files)
    let result = try await session.run("test", "--jobs", "1", "--fail-fast", "--golden", "G", "--update", "-v")
    #expect(result.status == .failed)
    #expect(result.output.contains("stopped at the first failure: 1 failed, 3 skipped, 1 passed"))
    #expect(result.output.contains("three  another scenario failed"))
    #expect(result.error.contains("none removed"))
  }

  // MARK: Full disk

  @Test func reportsAnUnwritableFileAndWritesTheOtherReports() async throws {
    let session = try TerminalSession(files: Self.files)
    let path = "/home/dev/app/full.xml"
    session.files.fail(path, with: .noSpace("full.xml"))
    let result = try await session.run("test", "--junit", "full.xml", "--json", "r.json", "--tap=r.tap")
    #expect(result.status == .environmentFailure)
    #expect(result.error == "error: full.xml: no space left on the device\n")
    #expect(result.output.contains("5 passed"))
    #expect(session.files.text("r.json")?.contains(#""ending": "complete""#) == true)
    #expect(session.files.text("r.tap")?.hasPrefix("TAP version 14") == true)
  }

  @Test func reportsGoldenTracesThatCannotBeWritten() async throws {
    let session = try TerminalSession(files: Self.files)
    session.files.setCapacity(Self.files.values.reduce(0) { $0 + $1.utf8.count } + 20_000)
    let result = try await session.run("test", "--jobs", "1", "--golden", "G", "--update", "--json", "r.json")
    #expect(result.status == .environmentFailure)
    #expect(result.error.contains("error: cannot write all traces: G/w-yaml--"))
    #expect(result.error.contains("no space left on the device"))
    #expect(result.output.contains("5 passed"))
    for path in session.files.paths where path.contains("/G/") {
      #expect(session.files.text(path)?.hasSuffix("\n") == true)
    }
  }

  @Test func writesATraceForEachScenario() async throws {
    let session = try TerminalSession(files: Self.files)
    #expect(try await session.run("test", "--trace", "T").status == .success)
    let traces = session.files.paths.filter { $0.contains("/T/") }
    #expect(traces.count == 5)
    for path in traces {
      let lines = try #require(session.files.text(path)).split(separator: "\n")
      #expect(lines.first?.contains(#""kind":"scenario.started""#) == true)
      #expect(lines.last?.contains(#""kind":"scenario.finished""#) == true)
    }
    session.files.setCapacity(0)
    let fullDisk = try await session.run("test", "--trace", "U")
    #expect(fullDisk.status == .environmentFailure)
    #expect(fullDisk.error.contains("cannot write all traces"))
  }
}
