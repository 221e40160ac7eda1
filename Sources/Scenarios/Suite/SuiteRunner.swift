import Diagnostics
import Effects
import Reports
import RunTrace
import Synchronization
import WorkflowModel
import WorkflowRunner

/// Runs scenarios side by side, each in its own world, and keeps of each no more than its record.
package struct SuiteRunner: Sendable {
  /// What happens while a suite runs, in the order in which it happens.
  package enum Progress: Sendable {
    case started(SuiteEntry)
    case finished(TestResult)
  }

  /// Looks at the trace of a scenario that was run, and at how that came out, and tells what is wrong with the trace.
  package typealias TraceComparator = @Sendable (SuiteEntry, [TraceEvent], ScenarioReport.Verdict) -> [TestProblem]

  /// The real one: files are read there, and its clock says how long a scenario takes the machine.
  package var world: World
  package var tool: String
  /// How many run at the same time.
  package var jobs = 1
  /// Whether nothing new is begun after the first that does not pass.
  package var isFailFast = false
  /// How often each is run; every time must give the same trace.
  package var repeats = 1
  /// The most columns of a source line that are kept with a failure.
  package var excerptWidth = 100
  /// Where a trace is asked for.
  package var judges: [TraceComparator] = []
  /// Told of each scenario that came to its end.
  package var onReport: (@Sendable (SuiteEntry, ScenarioReport) -> Void)?

  package init(world: World, tool: String) {
    self.world = world
    self.tool = tool
  }

  /// Runs them, in this order as far as that can be said of what goes on side by side.
  ///
  /// Canceling ends the run: what was not run to its end is skipped.
  /// - Returns: a record for each, in the order in which they are written.
  package func run(
    _ entries: [SuiteEntry], tell: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async -> (tests: [TestResult], ending: SuiteResult.Ending) {
    var records: [TestResult] = []
    records.reserveCapacity(entries.count)
    var ending = SuiteResult.Ending.complete
    // A suite of fewer scenarios than jobs spreads the repetitions of each.
    let rounds = max(1, jobs / max(1, entries.count))
    await withTaskGroup(of: TestResult.self) { group in
      var next = entries.startIndex
      var running = 0
      while true {
        while next < entries.endIndex, running < max(1, jobs), ending == .complete, !Task.isCancelled {
          let entry = entries[next]
          tell(.started(entry))
          group.addTask { await record(of: entry, rounds: rounds) }
          next += 1
          running += 1
        }
        guard let record = await group.next() else { break }
        running -= 1
        records.append(record)
        tell(.finished(record))
        if isFailFast, record.verdict == .failed || record.verdict == .error, ending == .complete { ending = .stopped }
      }
      if Task.isCancelled { ending = .interrupted }
      let reason = ending == .interrupted ? "it was interrupted" : "another one had failed"
      for entry in entries[next...] { records.append(TestResult(entry, skippedFor: reason)) }
    }
    // A failure in the last one stops nothing.
    if ending == .stopped, !records.contains(where: { $0.verdict == .skipped }) { ending = .complete }
    return (records.sorted { $0.number < $1.number }, ending)
  }

  /// - Parameter rounds: how many of its repetitions run at the same time.
  private func record(of entry: SuiteEntry, rounds: Int) async -> TestResult {
    let start = world.clock.now
    let needsTrace = repeats > 1 || !judges.isEmpty
    let (report, events) = await run(entry, tracing: needsTrace)
    guard !Task.isCancelled else { return TestResult(entry, skippedFor: "it was interrupted") }
    // It took as long as it takes without being looked at.
    let duration = world.clock.now - start
    var found: [TestProblem] = []
    if repeats > 1 { found += await differences(of: entry, from: events, rounds) }
    // Who does not repeat has no trace that could be kept.
    let verdict = found.isEmpty ? report.verdict : .failed
    for judge in judges { found += judge(entry, events, verdict) }
    onReport?(entry, report)

    var told = events
    // A scenario repeats, so what led to the failure can be looked at afterwards: what passes costs no trace.
    if report.verdict != .passed, !needsTrace { told = await run(entry, tracing: true).events }
    guard !Task.isCancelled else { return TestResult(entry, skippedFor: "it was interrupted") }
    var record = TestResult(entry, report, events: told, width: excerptWidth)
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

  /// Runs it again as often as was asked for, until a trace differs.
  /// - Parameter width: how many rounds run at the same time.
  /// - Returns: the difference of the first round that differs, whichever ends first.
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
      rule: "not-deterministic",
      message: "it is not deterministic: run \(round) gave another trace from line \(line + 1) (\(kind)) on",
      help: "the first run told \(before.shortened); this one told \(after.shortened)", file: entry.test.file,
      line: start.line, column: start.column)
  }
}

/// The events of one run.
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
