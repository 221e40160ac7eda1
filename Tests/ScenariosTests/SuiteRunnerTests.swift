import Diagnostics
import Documents
import Effects
import Reports
import RunTrace
import Scenarios
import SimulatedWorld
import Synchronization
import Testing
import WorkflowModel
import WorkflowRunner

/// Tests the order, sharding, concurrency, and interruption of scenarios.
@Suite struct SuiteRunnerTests {
  /// The workflows cover all three file formats, several apps, device codes, waits, and parallel steps.
  /// `.ci/check-suites` compares the traces of all shipped scenarios in the release build.
  static let files = [
    "Workflows/calendar.json", "Workflows/device-code.yaml", "Workflows/multi-account.yaml",
    "Workflows/shared-device.yaml", "Workflows/sign-out.plist", "Workflows/throttled.yaml",
  ]
  static let cases = ShippedScenariosTests.workflows.filter { files.contains($0.workflow.document.source.name) }
    .flatMap { $0.cases().cases.prefix(4) }

  static func entries(seed: String? = nil) -> [SuiteEntry] {
    var selection = SuiteSelection()
    selection.seed = seed
    return selection.ordered(selection.chosen(of: cases))
  }

  static func runner(jobs: Int = 1) -> SuiteRunner {
    var runner = SuiteRunner(world: ShippedScenariosTests.world, tool: "test")
    runner.jobs = jobs
    return runner
  }

  struct CompletedSuite {
    var started: [String]
    var traces: [String: String]
  }

  static func completedSuite(seed: String?, jobs: Int) async -> CompletedSuite {
    let traces = Mutex<[String: String]>([:])
    let started = Mutex<[String]>([])
    var runner = runner(jobs: jobs)
    runner.comparators = [
      { entry, events, _ in
        traces.withLock { $0[entry.test.title] = events.map(\.line).joined() }
        return []
      }
    ]
    let (tests, ending) = await runner.run(entries(seed: seed)) { event in
      if case .started(let entry) = event { started.withLock { $0.append(entry.test.title) } }
    }
    #expect(ending == .complete)
    #expect(tests.allSatisfy { $0.verdict == .passed }, "\(tests.filter { $0.verdict != .passed }.map(\.title))")
    return CompletedSuite(started: started.withLock { $0 }, traces: traces.withLock { $0 })
  }

  @Test func orderAndConcurrencyDoNotAffectTraces() async throws {
    let first = await Self.completedSuite(seed: nil, jobs: 1)
    let second = await Self.completedSuite(seed: "other order", jobs: 4)
    #expect(Set(Self.cases.map(\.workflowFile)) == Set(Self.files))
    #expect(first.started != second.started)
    #expect(first.traces.count == Self.cases.count)
    #expect(first.traces.values.allSatisfy { $0.contains(#""kind":"run.finished""#) })
    for (name, trace) in first.traces { #expect(second.traces[name] == trace, "\(name)") }
    // Verify that the comparison can fail.
    #expect(Set(first.traces.values).count == first.traces.count)
  }

  @Test func theSeedDeterminesTheOrder() {
    func names(_ seed: String) -> [String] { Self.entries(seed: seed).map(\.test.title) }
    #expect(names("7") == names("7"))
    #expect(names("7") != names("8"))
    #expect(names("7").sorted() == Self.entries().map(\.test.title).sorted())
  }

  @Test func eachScenarioIsInExactlyOneShard() {
    let all = Self.entries()
    for total in [1, 2, 3, 7, all.count, all.count + 5] {
      let shards = (1...total).map { index in
        var selection = SuiteSelection()
        selection.shard = .init(index: index, total: total)
        return selection.ordered(all).map(\.number)
      }
      #expect(shards.flatMap { $0 }.sorted() == all.map(\.number))
      #expect((shards.map(\.count).max() ?? 0) - (shards.map(\.count).min() ?? 0) <= 1)
    }
  }

  @Test func failFastSkipsScenariosThatHaveNotStarted() async throws {
    var runner = Self.runner()
    runner.isFailFast = true
    runner.comparators = [
      { entry, _, _ in
        entry.number == 2 ? [TestProblem(rule: "custom", message: "failed", file: "f", line: nil, column: nil)] : []
      }
    ]
    let (tests, ending) = await runner.run(Self.entries())
    #expect(ending == .stopped)
    #expect(tests.prefix(3).map(\.verdict) == [.passed, .failed, .skipped])
    #expect(tests[2...].allSatisfy { $0.verdict == .skipped && $0.reason == "another scenario failed" })
  }

  @Test func concurrentRepetitionsReportTheSameResults() async throws {
    let entries = Array(Self.entries().prefix(1))
    var all: [[TestResult]] = []
    for jobs in [1, 4] {
      var runner = Self.runner(jobs: jobs)
      runner.repeats = 6
      let reports = Mutex(0)
      runner.onReport = { _, _ in reports.withLock { $0 += 1 } }
      var (tests, ending) = await runner.run(entries)
      for index in tests.indices { tests[index].duration = .zero }
      #expect(ending == .complete && reports.withLock { $0 } == 1)
      all.append(tests)
    }
    #expect(all[0] == all[1])
    #expect(all[0].map(\.verdict) == [.passed])
  }

  @Test func anInterruptionReportsEveryScenario() async throws {
    let box = Mutex<Task<(tests: [TestResult], ending: SuiteResult.Ending), Never>?>(nil)
    var runner = Self.runner()
    runner.comparators = [
      { entry, _, _ in
        if entry.number == 3 { box.withLock { $0?.cancel() } }
        return []
      }
    ]
    let (ready, entries) = (runner, Self.entries())
    let task = Task {
      while box.withLock({ $0 == nil }) { await Task.yield() }
      return await ready.run(entries)
    }
    box.withLock { $0 = task }
    let (tests, ending) = await task.value
    #expect(ending == .interrupted)
    #expect(tests.map(\.number) == entries.map(\.number))
    #expect(tests.map(\.verdict).prefix(4) == [.passed, .passed, .skipped, .skipped])
    #expect(tests[2...].allSatisfy { $0.reason == "interrupted" })
  }

  @Test func readsARecordingOnlyOncePerSuite() async throws {
    let recording = #"{"recording":1,"recordedAt":"2025-01-01T00:00:00Z"}"# + "\n"
    let text = """
      authflow: 1
      settings: {AppId: 6731de76-14a6-49ae-97bc-6eba6914391e, GraphScopes: [User.Read], BundleId: com.contoso.app}
      platform: {replay: t.jsonl}
      steps: [loadAccount]
      scenarios:
        one: {expect: {outcome: notFound, path: [loadAccount.notFound]}}
        two: {expect: {outcome: notFound, path: [loadAccount.notFound]}}
      """
    let (read, diagnostics) = LoadedWorkflow.read("w.yaml") { path, options in
      DocumentReader.read(text, named: path, options: options)
    }
    let loaded = try #require(read, "\(diagnostics.map(\.message))")
    let files = MemoryFileSystem(texts: ["t.jsonl": recording])
    let world = World.simulated(files: files)
    let cases = loaded.cases().cases
    let first = await cases[0].run(in: world, tool: "test")
    #expect(first.verdict == .passed, "\(first.problems.map(\.message))")
    try files.remove("t.jsonl")
    #expect(await cases[1].run(in: world, tool: "test").verdict == .passed)
    let later = await loaded.cases().cases[1].run(in: world, tool: "test")
    #expect(later.problems.map(\.rule) == ["unusable-recording"])
  }
}
