import AuthflowCLI
import Documents
import Effects
import SimulatedWorld
import Synchronization
import Testing

/// `authflow test` that does not come to its end: interrupted, stopped, out of room.
@Suite struct SuiteEndingTests {
  static let names = ["one", "two", "three", "four", "five"]
  static let files = TerminalSession.files(
    steps: "- loadAccount\n- silent\n- interactive-fallback\n- callGraph: /me",
    "scenarios:\n" + names.map { "  \($0): {expect: {path: [..., callGraph.success]}}\n" }.joined())

  /// A clock that says when it was looked at: a suite looks whenever a scenario begins and ends.
  struct WatchedClock: WorldClock {
    let base: any WorldClock
    let looks: @Sendable () -> Void

    var now: Instant {
      looks()
      return base.now
    }
    func sleep(for duration: Duration) async throws { try await base.sleep(for: duration) }
  }

  /// Runs a command line, and interrupts it where the clock is looked at for that time.
  static func interrupted(
    _ session: TerminalSession, after looks: Int, _ arguments: [String]
  ) async throws -> TerminalSession.Result {
    let before = session.simulation.console.writings.count
    let task = Mutex<Task<ExitStatus, Never>?>(nil)
    let count = Mutex(0)
    var world = session.simulation.world
    world.clock = WatchedClock(base: world.clock) {
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number == looks { task.withLock { $0?.cancel() } }
    }
    let ready = world
    let work = Task {
      while task.withLock({ $0 == nil }) { await Task.yield() }
      return await CommandLineTool.run(arguments, in: ready)
    }
    task.withLock { $0 = work }
    let status = await work.value
    let writings = session.simulation.console.writings[before...]
    func text(_ stream: ConsoleStream) -> String {
      String(decoding: writings.filter { $0.stream == stream }.flatMap(\.bytes), as: UTF8.self)
    }
    return .init(status: status, output: text(.output), error: text(.error))
  }

  @Test func anInterruptEndsWithAWholeResultOfEverything() async throws {
    let session = try TerminalSession(files: Self.files)
    // The beginning of the run, then beginning and end of each scenario.
    let result = try await Self.interrupted(
      session, after: 6,
      ["test", "w.yaml", "--jobs", "1", "--junit", "r.xml", "--json", "r.json", "--tap=r.tap"])
    #expect(result.status == .interrupted)
    #expect(result.output.hasPrefix("interrupted: "))
    let json = try JSON(parsing: Array(try #require(session.files.text("r.json")).utf8))
    #expect(json["ending"] == "interrupted")
    #expect(json["summary"]?["total"] == 5)
    let skipped = json["tests"]?.array?.filter { $0["reason"] == "it was interrupted" }.count ?? 0
    let passed = json["tests"]?.array?.count { $0["verdict"] == "passed" } ?? 0
    #expect(skipped + passed == 5 && skipped >= 1 && passed >= 1, "\(skipped) \(passed)")
    let junit = try #require(session.files.text("r.xml"))
    #expect(junit.hasSuffix("</testsuites>\n"))
    #expect(junit.ranges(of: "<testcase ").count == 5)
    #expect(junit.ranges(of: #"<skipped message="it was interrupted"/>"#).count == skipped)
    let tap = try #require(session.files.text("r.tap"))
    #expect(tap.hasPrefix("TAP version 14\n1..5\n"))
    #expect(tap.ranges(of: "# SKIP it was interrupted").count == skipped)
    #expect(tap.hasSuffix("Bail out! interrupted\n"))
  }

  @Test func anInterruptedUpdateRemovesNoGolden() async throws {
    let session = try TerminalSession(files: Self.files)
    let update = ["test", "w.yaml", "--jobs", "1", "--golden", "G", "--update"]
    #expect(try await session.run(update).status == .success)
    let text = try #require(session.files.text("w.yaml"))
    try session.files.replace(
      "w.yaml", with: Array(text.replacing("  five: ", with: "  six: ").utf8), privately: false)
    let before = session.files.paths.filter { $0.contains("/G/") }
    #expect(before.count == 5)
    let result = try await Self.interrupted(session, after: 4, update)
    #expect(result.status == .interrupted)
    #expect(result.error.contains("nothing removed, because not everything was run"))
    #expect(Set(before).isSubset(of: session.files.paths))
    // To its end, it removes what is no more.
    let whole = try await session.run(update)
    #expect(whole.error.contains("w-yaml--five"))
    #expect(whole.error.contains("its scenario is no more"))
    #expect(session.files.paths.count { $0.contains("/G/") } == 5)
  }

  @Test func theFirstFailureEndsTheSuiteAndSaysWhatWasNotRun() async throws {
    var files = Self.files
    files["w.yaml"] = files["w.yaml"]?.replacing(
      "  two: {expect: {path: [..., callGraph.success]}}", with: "  two: {expect: {path: [loadAccount.found, ...]}}")
    let session = try TerminalSession(files: files)
    let result = try await session.run("test", "--jobs", "1", "--fail-fast", "--golden", "G", "--update", "-v")
    #expect(result.status == .failed)
    #expect(result.output.contains("stopped at the first failure: 1 failed, 3 skipped, 1 passed"))
    #expect(result.output.contains("three  another one had failed"))
    #expect(result.error.contains("nothing removed"))
  }

  // MARK: No room

  @Test func reportsThatCannotBeWrittenAreToldAndCostNoOther() async throws {
    let session = try TerminalSession(files: Self.files)
    let full = "/home/dev/app/full.xml"
    session.files.fail(full, with: .noSpace("full.xml"))
    let result = try await session.run("test", "--junit", "full.xml", "--json", "r.json", "--tap=r.tap")
    #expect(result.status == .environmentFailure)
    #expect(result.error == "error: full.xml: no space left on the device\n")
    #expect(result.output.contains("5 passed"))
    #expect(session.files.text("r.json")?.contains(#""ending": "complete""#) == true)
    #expect(session.files.text("r.tap")?.hasPrefix("TAP version 14") == true)
  }

  @Test func goldensThatCannotBeWrittenAreTold() async throws {
    let session = try TerminalSession(files: Self.files)
    session.files.setCapacity(Self.files.values.reduce(0) { $0 + $1.utf8.count } + 20_000)
    let result = try await session.run("test", "--jobs", "1", "--golden", "G", "--update", "--json", "r.json")
    #expect(result.status == .environmentFailure)
    #expect(result.error.contains("error: not every trace could be written: G/w-yaml--"))
    #expect(result.error.contains("no space left on the device"))
    #expect(result.output.contains("5 passed"))
    for path in session.files.paths where path.contains("/G/") {
      #expect(session.files.text(path)?.hasSuffix("\n") == true)
    }
  }

  @Test func tracesAreWrittenForEachScenario() async throws {
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
    let full = try await session.run("test", "--trace", "U")
    #expect(full.status == .environmentFailure)
    #expect(full.error.contains("not every trace could be written"))
  }
}
