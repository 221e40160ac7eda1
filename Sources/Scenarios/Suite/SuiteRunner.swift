import Diagnostics
import Effects
import Reports
import RunTrace
import Synchronization
import WorkflowModel
import WorkflowRunner

/// Runs scenarios concurrently and in isolation from each other. Stores only their results.
package struct SuiteRunner: Sendable {
  /// The progress of a suite.
  package enum Progress: Sendable {
    case started(SuiteEntry)
    case finished(TestResult)
  }

  /// A function that compares the trace of a scenario with its expected trace and returns the problems.
  package typealias TraceComparator = @Sendable (SuiteEntry, [TraceEvent], ScenarioReport.Verdict) -> [TestProblem]

  /// The environment of the process. Files are read from this environment, and its clock measures durations.
  package var world: World
  package var tool: String
  /// The number of concurrent scenarios.
  package var jobs = 1
  /// Whether to stop starting scenarios after the first failure.
  package var isFailFast = false
  /// The number of times to run each scenario. All runs of a scenario must have the same trace.
  package var repeats = 1
  /// The maximum width of a source line in a failure message, in columns.
  package var excerptWidth = 100
  /// The functions that compare traces.
  package var comparators: [TraceComparator] = []
  /// A closure that is called after each scenario.
  package var onReport: (@Sendable (SuiteEntry, ScenarioReport) -> Void)?

  package init(world: World, tool: String) {
    self.world = world
    self.tool = tool
  }

  /// Runs the scenarios. The scenarios start in the given order.
  ///
  /// Cancellation ends the run. Incomplete scenarios count as skipped.
  /// - Returns: The results, in the order of the source files.
  package func run(
    _ entries: [SuiteEntry], onProgress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async -> (tests: [TestResult], ending: SuiteResult.Ending) {
    var records: [TestResult] = []
    records.reserveCapacity(entries.count)
    var ending = SuiteResult.Ending.complete
    // If there are fewer scenarios than jobs, the repetitions of each scenario run concurrently.
    let rounds = max(1, jobs / max(1, entries.count))
    await withTaskGroup(of: TestResult.self) { group in
      var next = entries.startIndex
      var running = 0
      while true {
        while next < entries.endIndex, running < max(1, jobs), ending == .complete, !Task.isCancelled {
          let entry = entries[next]
          onProgress(.started(entry))
          group.addTask { await record(of: entry, rounds: rounds) }
          next += 1
          running += 1
        }
        guard let record = await group.next() else { break }
        running -= 1
        records.append(record)
        onProgress(.finished(record))
        if isFailFast, record.verdict == .failed || record.verdict == .error, ending == .complete { ending = .stopped }
      }
      if Task.isCancelled { ending = .interrupted }
      let reason = ending == .interrupted ? "interrupted" : "another scenario failed"
      for entry in entries[next...] { records.append(TestResult(entry, skippedFor: reason)) }
    }
    // If the last scenario is the first to fail, no scenario is skipped, and the run is complete.
    if ending == .stopped, !records.contains(where: { $0.verdict == .skipped }) { ending = .complete }
    return (records.sorted { $0.number < $1.number }, ending)
  }

  /// - Parameter rounds: The number of concurrent repetitions.
  private func record(of entry: SuiteEntry, rounds: Int) async -> TestResult {
    let start = world.clock.now
    let needsTrace = repeats > 1 || !comparators.isEmpty
    let (report, events) = await run(entry, tracing: needsTrace)
    guard !Task.isCancelled else { return TestResult(entry, skippedFor: "interrupted") }
    // The duration does not include the comparison of traces.
    let duration = world.clock.now - start
    var found: [TestProblem] = []
    if repeats > 1 { found += await differences(of: entry, from: events, rounds) }
    // A scenario whose traces differ between runs cannot have a golden trace.
    let verdict = found.isEmpty ? report.verdict : .failed
    for judge in comparators { found += judge(entry, events, verdict) }
    onReport?(entry, report)

    var tracedEvents = events
    // Rerun failed scenarios with a trace. The results are the same, and scenarios that pass do not require a trace.
    if report.verdict != .passed, !needsTrace { tracedEvents = await run(entry, tracing: true).events }
    guard !Task.isCancelled else { return TestResult(entry, skippedFor: "interrupted") }
    var record = TestResult(entry, report, events: tracedEvents, width: excerptWidth)
    record.duration = duration
    if !found.isEmpty {
      if record.failure == nil { record.failure = TestFailure(entry.test, report, events: [], width: excerptWidth) }
      record.failure?.problems += found
      if record.verdict == .passed { record.verdict = .failed }
    }
    return record
  }

  private func run(_ entry: SuiteEntry, tracing: Bool) async -> (report: ScenarioReport, events: [TraceEvent]) {
    guard tracing else { return (await entry.test.run(in: world, tool: tool), []) }
    let log = EventLog()
    let report = await entry.test.run(in: world, tool: tool, sink: log.add)
    return (report, log.events)
  }

  /// Repeats the scenario until its trace differs.
  /// - Parameter width: The number of concurrent runs.
  /// - Returns: The difference in the first trace that differs.
  private func differences(of entry: SuiteEntry, from events: [TraceEvent], _ width: Int) async -> [TestProblem] {
    let first = events.map(\.line)
    return await withTaskGroup(of: (round: Int, problem: TestProblem?).self) { group in
      var found: (round: Int, problem: TestProblem)?
      var running = 0
      var next = 2
      while true {
        while next <= repeats, running < width, found == nil, !Task.isCancelled {
          let round = next
          group.addTask {
            let (_, again) = await run(entry, tracing: true)
            return (round, difference(of: entry, again, from: first, round))
          }
          next += 1
          running += 1
        }
        guard let result = await group.next() else { break }
        running -= 1
        if let problem = result.problem, result.round < found?.round ?? .max { found = (result.round, problem) }
      }
      return Task.isCancelled ? [] : [found?.problem].compactMap { $0 }
    }
  }

  private func difference(
    of entry: SuiteEntry, _ again: [TraceEvent], from first: [String], _ round: Int
  ) -> TestProblem? {
    if again.count == first.count, zip(again, first).allSatisfy({ $0.line == $1 }) { return nil }
    let index = zip(again, first).enumerated().first { $0.element.0.line != $0.element.1 }?.offset
    let line = index ?? min(again.count, first.count)
    let kind = again.indices.contains(line) ? again[line].kind.rawValue : "nothing"
    let before = first.indices.contains(line) ? first[line].trimmingLineEnd : "nothing"
    let after = again.indices.contains(line) ? again[line].line.trimmingLineEnd : "nothing"
    let start = entry.test.scenario.place.start
    return TestProblem(
      rule: TestProblem.flakyRule,
      message: "not deterministic: the trace of run \(round) differs from line \(line + 1) (\(kind))",
      help: "first run: \(before.shortened); this run: \(after.shortened)", file: entry.test.file,
      line: start.line, column: start.column)
  }
}

/// The events of a run.
final class EventLog: Sendable {
  private let state = Mutex<[TraceEvent]>([])
  var events: [TraceEvent] { state.withLock { $0 } }
  var add: @Sendable (TraceEvent) -> Void {
    { event in self.state.withLock { $0.append(event) } }
  }
}

extension String {
  fileprivate var trimmingLineEnd: String { hasSuffix("\n") ? String(dropLast()) : self }
  fileprivate var shortened: String { count > 300 ? prefix(300) + "…" : self }
}
