import AppRegistration
import Diagnostics
import Documents
import Effects
import Reports
import Scenarios
import Synchronization
import Trust
import WorkflowRunner

/// `authflow test --watch`: runs the scenarios that depend on changed files, and stores the results of the others.
final class SuiteWatch: WatchedWork {
  private struct State {
    var selection: SuiteSelection
    /// The files of the last search without errors.
    var suiteFiles: SuiteFiles?
    /// The latest results by title.
    var results: [String: TestResult] = [:]
    /// The titles of the scenarios to run.
    var pending: Set<String> = []
    var status = ExitStatus.usageError
  }

  let files: WatchedFiles
  private let command: TestCommand
  private let definitions: Definitions
  private let session: Session
  private let cache = SuiteFileCache()
  private let traces: SuiteTraces?
  private let state: Mutex<State>

  init(_ command: TestCommand, _ selection: SuiteSelection, _ definitions: Definitions, in session: Session) {
    self.command = command
    self.definitions = definitions
    files = WatchedFiles(in: session.world)
    var session = session
    session.watched = files
    self.session = session
    traces = command.report.map { _ in SuiteTraces() }
    state = Mutex(State(selection: selection))
  }

  var status: ExitStatus { state.withLock { $0.status } }

  var keys: [(key: Character, effect: String)] {
    [("f", "filter"), ("r", "run all")] + (command.report == nil ? [] : [("o", "open the report")]) + [
      ("a", "accept the results")
    ]
  }

  var summary: String {
    let count = state.withLock { state in state.suiteFiles.map { selected($0, state.selection).count } }
    guard let count else { return "waiting for a change that fixes the errors" }
    return "watching \(count.counting("scenario"))"
  }

  private func selected(_ files: SuiteFiles, _ selection: SuiteSelection) -> [SuiteEntry] {
    selection.ordered(selection.chosen(of: files.cases))
  }

  func reload() async -> Bool {
    files.begin()
    // These files are observed even if the search fails.
    for path in command.searchPaths {
      if session.world.files.kind(of: path) == .directory {
        files.add(folder: path)
        files.add(file: "\(path)/.authflow.yaml")
      } else {
        files.add(file: path)
      }
    }
    let selection = state.withLock { $0.selection }
    do throws(ExitStatus) {
      let found = try SuiteFiles(
        command.searchPaths, definitions: definitions, isStrict: !command.noStrict, cache: cache, in: session)
      let entries = selected(found, selection)
      try command.checkSelection(entries, found, in: session)
      let decoded = cache.takeDecoded()
      return state.withLock { state in
        state.suiteFiles = found
        let titles = Set(entries.map(\.test.title))
        let affected = entries.filter { decoded.contains($0.test.file) || decoded.contains($0.test.workflowFile) }
        state.pending.formUnion(affected.map(\.test.title))
        state.pending.formIntersection(titles)
        state.results = state.results.filter { titles.contains($0.key) }
        return !state.pending.isEmpty
      }
    } catch {
      // The cache still lists the affected scenarios, so the next search without errors runs them.
      state.withLock { state in
        state.suiteFiles = nil
        state.status = error
      }
      return false
    }
  }

  func run() async {
    let (files, selection, pending) = state.withLock { ($0.suiteFiles, $0.selection, $0.pending) }
    guard let files else { return }
    let selected = selection.chosen(of: files.cases)
    let entries = selection.ordered(selected).filter { pending.contains($0.test.title) }
    let run: (suite: SuiteResult, traceStatus: ExitStatus)
    do throws(ExitStatus) {
      run = try await command.run(entries, of: selected, selection, files, traces, in: session)
    } catch {
      return state.withLock { $0.status = error }
    }
    let new = run.suite.tests.filter { $0.verdict != .skipped }
    var suite = run.suite
    suite.tests = state.withLock { state in
      for test in new {
        state.results[test.title] = test
        state.pending.remove(test.title)
      }
      return selection.ordered(selected).compactMap { state.results[$0.test.title] }.sorted { $0.number < $1.number }
    }
    guard suite.ending != .interrupted, !Task.isCancelled else { return }
    // Scenarios that `--fail-fast` skipped run after the next change to their files.
    state.withLock { $0.pending = [] }
    report(suite, new, run.traceStatus)
  }

  /// Prints the failures of the round and the summary of all scenarios, and writes the reports.
  private func report(_ suite: SuiteResult, _ new: [TestResult], _ traceStatus: ExitStatus) {
    let text = SuiteText(style: session.style(for: .output))
    var lines = ""
    for test in new {
      if test.failure != nil { lines += text.failure(test) + "\n" } else if command.verbose { lines += text.line(test) }
    }
    session.world.console.write(lines + text.summary(suite), to: .output)
    var output = command.output(traces, in: session)
    output.printsText = false
    var status = ExitStatus.success
    do throws(ExitStatus) { try output.report(suite, traceStatus: traceStatus) } catch { status = error }
    state.withLock { $0.status = status }
  }

  func press(_ key: Character) async -> WatchReaction {
    switch key {
    case "f": return .ask("filter: ")
    case "r": return runAll()
    case "o": await openReport()
    case "a": return await accept()
    default: break
    }
    return .none
  }

  func enter(_ line: String) async -> WatchReaction {
    let filter = line.trimmingPrefix { $0 == " " }
    state.withLock { $0.selection.filters = filter.isEmpty ? command.filter : [String(filter)] }
    _ = await reload()
    return runAll()
  }

  private func runAll() -> WatchReaction {
    state.withLock { state in
      guard let files = state.suiteFiles else { return .none }
      state.pending = Set(selected(files, state.selection).map(\.test.title))
      return .run
    }
  }

  private func openReport() async {
    guard let report = command.report else {
      return session.printStatus("no report: use `--report FILE`")
    }
    await session.openInBrowser(report)
  }

  // MARK: Accepting results

  /// Accepts the results of failed scenarios: updates their golden traces, or writes the actual paths to the scenario
  /// files.
  private func accept() async -> WatchReaction {
    let (files, selection, failed) = state.withLock { state in
      (state.suiteFiles, state.selection, Set(state.results.values.filter { $0.failure != nil }.map(\.title)))
    }
    guard let files, !failed.isEmpty else {
      session.printStatus("no failed scenarios to accept")
      return .none
    }
    let entries = selected(files, selection).filter { failed.contains($0.test.title) }
    if let golden = command.golden {
      await updateGoldens(entries, in: GoldenFolder(golden, world: session.world, updates: true))
      state.withLock { $0.pending.formUnion(failed) }
      return .run
    }
    // Watch mode runs the scenarios again because their files change.
    await writePaths(of: Set(entries.map(\.test.file)), in: files)
    return .none
  }

  private func updateGoldens(_ entries: [SuiteEntry], in folder: GoldenFolder) async {
    var runner = SuiteRunner(world: session.world, tool: "authflow \(Version.text)")
    runner.comparators = [folder.compare]
    do throws(FileFailure) {
      try folder.prepare()
    } catch {
      return session.reportError(error.explanation)
    }
    _ = await runner.run(entries)
    if let failure = folder.failure { session.reportError("cannot write all traces: \(failure.explanation)") }
    for scenario in folder.withheld {
      session.printStatus("not updated: \(CaretFrame.visible(scenario)) did not pass")
    }
    session.printStatus("golden traces: \(folder.counts.written) written")
  }

  /// Replaces the expected paths of failed scenarios with the actual paths. Watch mode then runs these scenarios again.
  private func writePaths(of scenarioFiles: Set<String>, in files: SuiteFiles) async {
    var runs: [(test: ScenarioCase, report: ScenarioReport)] = []
    for test in files.cases where scenarioFiles.contains(test.file) {
      runs.append((test, await test.run(in: session.world, tool: "authflow \(Version.text)")))
    }
    guard !Task.isCancelled else { return }
    let accepted = AcceptedExpectations(runs)
    for (scenario, reason) in accepted.rejected {
      session.printStatus("not accepted: \(CaretFrame.visible(scenario)): \(reason)")
    }
    for (source, edits) in accepted.edits {
      do {
        let original = try session.world.files.read(source.name, limit: World.documentLimit)
        let bytes = try SpanEdits.bytes(of: original, after: edits, in: source)
        try session.write(bytes, to: source.name)
        session.printStatus("accepted: updated \(CaretFrame.visible(source.name))")
      } catch let conflict as SpanEdits.Conflict {
        session.reportError("\(CaretFrame.visible(source.name)) was not changed: \(conflict.reason)")
      } catch let failure as FileFailure {
        session.reportError(failure.explanation)
      } catch {
        // `write` has reported the reason.
      }
    }
  }
}
