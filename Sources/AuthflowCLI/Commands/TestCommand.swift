import ArgumentParser
import Diagnostics
import Documents
import Effects
import OrderedCollections
import Reports
import RunTrace
import Scenarios

struct TestCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Run the scenarios of one or more workflows",
    discussion: """
      Searches folders for workflows and scenarios files, which it detects by their content. Each scenario runs in \
      isolation with its own emulator, token cache, browser, and virtual clock. Scenarios do not send requests over \
      the network, and their results are deterministic.

      As on the live service, tenants, user flows, and APIs exist only if the settings or the directory contain them. \
      The search skips files that authflow wrote, such as reports and traces.

      The exit code is 1 if a scenario failed or the coverage is too low, 2 if no scenario could run, and 3 if a file \
      could not be written.

      `--watch` runs scenarios again when files that they depend on change, until you press `q` or Ctrl-C. After `q`, \
      the exit code reflects the last results.

      Examples:
        authflow test Workflows/me.yaml
        authflow test Workflows --filter me.yaml --junit report.xml
        authflow test Workflows/me.yaml --shard 1/2 --json shard-1.json
        authflow test Workflows/me.yaml --coverage
        authflow test Workflows/me.yaml --golden Traces --update
        authflow test Workflows --watch
      """)

  @Argument(
    help: "Workflows, scenarios files, and folders (default: the working directory)", completion: .file())
  var paths: [String] = []
  @Option(
    help: ArgumentHelp(
      "Run only scenarios that match this name (repeatable)",
      discussion: "A name matches if `FILE: SCENARIO` contains it. It can contain the wildcards `*` and `?`.",
      valueName: "name"))
  var filter: [String] = []
  @Option(
    help: ArgumentHelp("Run only scenarios with one of these tags (`!c` excludes)", valueName: "a,b,!c"))
  var tags: [String] = []
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Run this number of scenarios in parallel (default: processor count)", valueName: "n"))
  var jobs: Int?
  @Flag(help: "Stop after the first failure") var failFast = false
  @Option(help: ArgumentHelp("Run each scenario n times and compare the traces", valueName: "n"))
  var `repeat` = 1
  @Option(help: ArgumentHelp("Run in random order: `--shuffle[=seed]`", valueName: "seed"))
  var shuffle: String?
  @Option(
    help: ArgumentHelp(
      "Run only this shard of the scenarios",
      discussion: "The default is `AUTHFLOW_SHARD`, or `CI_NODE_INDEX` and `CI_NODE_TOTAL`.", valueName: "i/n"))
  var shard: String?
  @Option(help: ArgumentHelp("Write the result as JUnit XML", valueName: "file"), completion: .file())
  var junit: String?
  @Option(
    help: ArgumentHelp("Write the result as TAP 14: `--tap[=file]`", valueName: "file"), completion: .file())
  var tap: String?
  @Option(help: ArgumentHelp("Write the result as JSON, for `authflow merge`", valueName: "file"), completion: .file())
  var json: String?
  @Option(help: ArgumentHelp("Write the result as an HTML page", valueName: "file"), completion: .file())
  var report: String?
  @Option(
    help: ArgumentHelp("Compare each trace with the golden trace in this folder", valueName: "folder"),
    completion: .directory)
  var golden: String?
  @Flag(help: "Update the golden traces and delete traces without a scenario") var update = false
  @Option(
    help: ArgumentHelp("Write the trace of each scenario to this folder", valueName: "folder"),
    completion: .directory)
  var trace: String?
  @OptionGroup var coverage: CoverageOptions
  @OptionGroup var defined: DefineOptions
  @OptionGroup var envFiles: EnvFileOptions
  @OptionGroup var variables: VariableOptions
  @OptionGroup var secrets: SecretOptions
  @OptionGroup var trust: TrustOptions
  @Flag(help: "Register unknown tenants, user flows, and APIs automatically") var noStrict = false
  @Option(help: "Select the output format") var format: OutputFormat = .text
  @Flag(help: "Print failures only") var quiet = false
  @Flag(name: .shortAndLong, help: "Also list passed scenarios") var verbose = false
  @Flag(help: "List the selected scenarios without running them") var list = false
  @Flag(help: "Run affected scenarios again when files change") var watch = false

  func perform(in session: Session) async throws(ExitStatus) {
    try checkOptions(in: session)
    let session = try await secrets.apply(to: variables.apply(to: envFiles.apply(to: trust.apply(to: session))))
    let definitions = try defined.definitions(in: session)
    let (shard, source) = try selectedShard(in: session)
    var selection = SuiteSelection()
    selection.filters = filter
    selection.tags = tags.flatMap { $0.split(separator: ",").map(String.init) }
    selection.shard = shard
    selection.seed = shuffle.map {
      $0 == OptionalValueArguments.anySeed ? String(session.world.randomness.number(below: 1_000_000)) : $0
    }
    if watch {
      try WatchLoop.require(searchPaths, in: session)
      let work = SuiteWatch(self, selection, definitions, in: session)
      return try await WatchLoop(session: session, system: session.watchSystem).run(work)
    }
    let files = try SuiteFiles(searchPaths, definitions: definitions, isStrict: !noStrict, in: session)
    let selected = selection.chosen(of: files.cases)
    try checkSelection(selected, files, in: session)
    let entries = selection.ordered(selected)
    try checkCoverage(selected, shard, in: session)
    if list { return printList(of: entries, in: session) }
    if !quiet { reportDefaults(files, shard, source, selection.seed, in: session) }
    let traces = report.map { _ in SuiteTraces() }
    let (suite, traceStatus) = try await run(entries, of: selected, selection, files, traces, in: session)
    try output(traces, in: session).report(suite, traceStatus: traceStatus)
  }

  /// The files and folders to search.
  var searchPaths: [String] { paths.isEmpty ? ["."] : paths }

  /// Returns the writer that prints the result and writes its reports.
  /// - Parameter traces: The traces for the HTML report.
  func output(_ traces: SuiteTraces?, in session: Session) -> SuiteOutput {
    SuiteOutput(
      session: session, format: format, isQuiet: quiet, isVerbose: verbose, junit: junit, tap: tap, json: json,
      report: report, traces: traces, coverage: coverage)
  }

  /// Runs scenarios.
  /// - Parameters:
  ///   - entries: The scenarios, in execution order.
  ///   - selected: The selected scenarios of all shards.
  ///   - traces: The destination of all scenarios' traces.
  /// - Returns: The result, and the exit status from comparing and writing traces.
  func run(
    _ entries: [SuiteEntry], of selected: [SuiteEntry], _ selection: SuiteSelection, _ files: SuiteFiles,
    _ traces: SuiteTraces?, in session: Session
  ) async throws(ExitStatus) -> (suite: SuiteResult, traceStatus: ExitStatus) {
    var suite = SuiteResult(tool: "authflow \(Version.text)", started: session.world.clock.now)
    let maximumJobs = jobs ?? session.world.environment.processors
    suite.jobs = min(maximumJobs, max(1, entries.count))
    suite.repeats = `repeat`
    suite.seed = selection.seed
    suite.shard = selection.shard
    suite.fingerprint = SuiteSelection.fingerprint(selected)
    suite.chosen = selected.count
    var runner = SuiteRunner(world: session.world, tool: suite.tool)
    runner.jobs = maximumJobs
    runner.isFailFast = failFast
    runner.repeats = `repeat`
    runner.excerptWidth = session.style(for: .output).width - 12
    let suiteCoverage = coverage.isEnabled ? SuiteCoverage(selected) : nil
    if let suiteCoverage { runner.onReport = suiteCoverage.add }
    let goldenFolder = golden.map { GoldenFolder($0, world: session.world, updates: update) }
    let traceFolder = trace.map { TraceFolder($0, world: session.world) }
    try prepare(goldenFolder, traceFolder, in: session)
    if let goldenFolder { runner.comparators.append(goldenFolder.compare) }
    let receivers: [(@Sendable (SuiteEntry, [TraceEvent]) -> Void)?] = [traceFolder?.keep, traces?.keep]
    for keep in receivers.compactMap({ $0 }) {
      runner.comparators.append { entry, events, _ in
        keep(entry, events)
        return []
      }
    }
    (suite.tests, suite.ending) = await run(runner, entries, in: session)
    suite.duration = session.world.clock.now - suite.started
    suite.coverage = suiteCoverage?.records
    return (suite, reportTraces(goldenFolder, traceFolder, files, suite.ending, in: session))
  }

  /// Runs the scenarios and shows their progress on a terminal.
  private func run(
    _ runner: SuiteRunner, _ entries: [SuiteEntry], in session: Session
  ) async -> (tests: [TestResult], ending: SuiteResult.Ending) {
    if let progress = ScenarioProgress.current {
      return await runner.run(entries) { event in
        if case .finished(let test) = event { progress.finish(test.name, of: entries.count) }
      }
    }
    let progress = SuiteProgressReporter(total: entries.count, in: session)
    guard !quiet, let region = LiveRegion(in: session, lines: progress.lines) else {
      return await runner.run(entries)
    }
    return await region.during { await runner.run(entries, onProgress: progress.handle) }
  }

  private func prepare(
    _ goldenFolder: GoldenFolder?, _ traceFolder: TraceFolder?, in session: Session
  ) throws(ExitStatus) {
    do throws(FileFailure) {
      try goldenFolder?.prepare()
      try traceFolder?.prepare()
    } catch {
      throw session.report(.environmentFailure, error.explanation)
    }
    if let goldenFolder, !update, session.world.files.kind(of: goldenFolder.path) != .directory {
      throw session.report(
        .usageError, "\(CaretFrame.visible(goldenFolder.path)) is not a folder",
        help: "use `--update` to create the golden traces")
    }
  }

  /// Reports changes to golden traces, and traces that could not be written.
  /// - Returns: The exit status: an environment error if a trace could not be written, and success otherwise.
  private func reportTraces(
    _ goldenFolder: GoldenFolder?, _ traceFolder: TraceFolder?, _ files: SuiteFiles, _ ending: SuiteResult.Ending,
    in session: Session
  ) -> ExitStatus {
    if let goldenFolder {
      // After an incomplete run, it is unknown which golden traces are stale.
      let removes = update && ending == .complete
      let stale = goldenFolder.stale(among: files.cases, files: files.names, removes: removes)
      for file in stale where removes || !update {
        session.printStatus(
          removes
            ? "removed \(CaretFrame.visible(file)): its scenario no longer exists"
            : "warning: no scenario for golden trace \(CaretFrame.visible(file))\n  help: use `--update` to remove it")
      }
      for scenario in goldenFolder.withheld {
        session.printStatus("not updated: \(CaretFrame.visible(scenario)) did not pass")
      }
      if update, !quiet {
        let (written, unchanged) = goldenFolder.counts
        let removed = removes ? "\(stale.count) removed" : "none removed, because the run is incomplete"
        session.printStatus("golden traces: \(written) written, \(unchanged) unchanged, \(removed)")
      }
    }
    guard let failure = goldenFolder?.failure ?? traceFolder?.failure else { return .success }
    session.reportError("cannot write all traces: \(failure.explanation)")
    return .environmentFailure
  }

  private func checkOptions(in session: Session) throws(ExitStatus) {
    var problem: String?
    if let jobs, jobs < 1 { problem = "`--jobs` must be 1 or more" }
    if `repeat` < 1 { problem = "`--repeat` must be 1 or more" }
    if quiet, verbose { problem = "`--quiet` and `--verbose` cannot be used together" }
    if filter.contains("") { problem = "`--filter` is empty\n  help: omit it to run all scenarios" }
    if update, golden == nil { problem = "`--update` requires `--golden`" }
    problem = problem ?? coverage.problem ?? SuiteOutput.problem(format: format, tap: tap) ?? watchProblem
    if let problem {
      throw session.report(.usageError, problem)
    }
  }

  /// The option that cannot be used with `--watch`, if any.
  private var watchProblem: String? {
    guard watch else { return nil }
    let options: [(String, Bool)] = [
      ("--list", list), ("--format json", format == .json), ("--tap", tap == "-"), ("--json", json == "-"),
      ("--junit", junit == "-"), ("--report", report == "-"), ("--coverage", coverage.isEnabled), ("--update", update),
      ("-", paths.contains("-")),
    ]
    return options.first(where: \.1).map { "`\($0.0)` and `--watch` cannot be used together" }
  }

  private func selectedShard(
    in session: Session
  ) throws(ExitStatus) -> (shard: SuiteResult.Shard?, source: String?) {
    do throws(ShardSpecification.Mistake) {
      if let shard { return (try ShardSpecification.parse(shard), nil) }
      guard let detected = try ShardSpecification.found(in: session.world.environment) else { return (nil, nil) }
      return (detected.shard, detected.source)
    } catch {
      throw session.report(.usageError, error.message, help: "use `--shard 1/1` to run all scenarios")
    }
  }

  /// Rejects coverage options that do not apply to the selection. For example, a shard covers only part of a workflow.
  private func checkCoverage(
    _ entries: [SuiteEntry], _ shard: SuiteResult.Shard?, in session: Session
  ) throws(ExitStatus) {
    var problem = coverage.problem(drawing: Array(OrderedSet(entries.map(\.test.workflowFile))))
    if coverage.coverageMin != nil, let shard, shard.total > 1 {
      problem =
        "`--coverage-min` and `--shard \(shard.description)` cannot be used together"
        + "\n  help: use `--coverage-min` with `authflow merge`"
    }
    guard let problem else { return }
    throw session.report(.usageError, problem)
  }

  /// Rejects a selection without scenarios. An empty shard is valid.
  func checkSelection(
    _ entries: [SuiteEntry], _ files: SuiteFiles, in session: Session
  ) throws(ExitStatus) {
    guard entries.isEmpty else { return }
    if files.cases.isEmpty {
      let searched = searchPaths.map { "`\(CaretFrame.visible($0))`" }.joined(separator: ", ")
      let workflows = files.withoutScenarios.map { CaretFrame.visible($0) }.joined(separator: ", ")
      throw session.report(
        .usageError, "no workflows with scenarios found in \(searched)",
        help: workflows.isEmpty
          ? "add `authflow: 1` and a `scenarios` section" : "add a `scenarios` section to \(workflows)")
    }
    let options = filter.map { "--filter \(ShellWord.quoted($0))" } + tags.map { "--tags \($0)" }
    let names = files.cases.flatMap { [$0.title, $0.shortTitle, $0.name] }
    let suggestion = filter.lazy.compactMap { Suggestion.nearest(to: $0, among: names) }.first
    throw session.report(
      .usageError, "no match for `\(options.joined(separator: " "))` in \(files.cases.count.counting("scenario"))",
      help: suggestion.map { "did you mean `\(ShellWord.quoted($0))`?" } ?? "use `--list` to list the scenarios")
  }

  private func printList(of entries: [SuiteEntry], in session: Session) {
    guard format == .text else {
      return session.printJSON(SuiteJSON.listing(entries.map(\.listed)))
    }
    session.printLine(entries.map { CaretFrame.visible($0.test.title) + "\n" }.joined())
  }

  /// Reports information that the command line does not contain: workflows without scenarios, the detected shard, and
  /// the seed.
  private func reportDefaults(
    _ files: SuiteFiles, _ shard: SuiteResult.Shard?, _ source: String?, _ seed: String?, in session: Session
  ) {
    for file in files.withoutScenarios {
      session.printStatus("note: \(CaretFrame.visible(file)) has no scenarios")
    }
    if let shard, let source { session.printStatus("note: running shard \(shard.description), from \(source)") }
    if let seed { session.printStatus("note: running in random order; use `--shuffle=\(seed)` to repeat it") }
  }
}
