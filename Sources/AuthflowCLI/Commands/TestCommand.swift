import ArgumentParser
import Diagnostics
import Documents
import Effects
import Reports
import Scenarios

struct TestCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Runs every scenario of the workflows, each in a world of its own.",
    discussion: """
      Folders are searched for workflows and scenarios files, known by their content. Each scenario has its own platform, cache, browser and \
      clock: nothing leaves the process, and two runs give the same trace.

      Tenants, user flows, and APIs exist only if the settings or the directory name them, as on the live service. Results that authflow \
      wrote to a searched folder are skipped.

      Ends with 1 where a scenario failed or too little was covered, with 2 where nothing could be run, with 3 where a file could not be written.

      Example: authflow test Workflows

      Others:
        authflow test Workflows --filter 'me.yaml: returning user'
        authflow test . --shard 2/3 --json shard-2.json     (join them with authflow merge)
        authflow test . --junit report.xml --tap=report.tap
        authflow test Workflows --coverage --coverage-min 90
        authflow test Workflows --golden Traces             (--update writes them anew)
      """)

  @Argument(
    help: "Workflows, scenarios files, and folders (default: the working directory).", completion: .file())
  var paths: [String] = []
  @Option(
    help: ArgumentHelp(
      "Only scenarios of this name: all of 'file: scenario', a part of it, or a pattern with * and ?; may be repeated.",
      valueName: "name"))
  var filter: [String] = []
  @Option(
    help: ArgumentHelp("Only scenarios with one of these tags, and without those after a !.", valueName: "a,b,!c"))
  var tags: [String] = []
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("How many run at the same time; the machine's processors otherwise.", valueName: "n"))
  var jobs: Int?
  @Flag(help: "Begin nothing new after the first failure.") var failFast = false
  @Option(help: ArgumentHelp("Run each so often; every time must give the same trace.", valueName: "n")) var `repeat` =
    1
  @Option(
    help: ArgumentHelp(
      "Run in random order; without a seed one is chosen and told: --shuffle[=seed].", valueName: "seed"))
  var shuffle: String?
  @Option(
    help: ArgumentHelp(
      "Run this part of the scenarios; otherwise AUTHFLOW_SHARD, or CI_NODE_INDEX and CI_NODE_TOTAL say which.",
      valueName: "i/n"))
  var shard: String?
  @Option(help: ArgumentHelp("Also write the result as JUnit XML.", valueName: "file"), completion: .file()) var junit:
    String?
  @Option(
    help: ArgumentHelp("Also write it in TAP 14; without a file to standard output: --tap[=file].", valueName: "file"),
    completion: .file())
  var tap: String?
  @Option(
    help: ArgumentHelp("Also write it in JSON, as authflow merge reads it.", valueName: "file"), completion: .file())
  var json: String?
  @Option(
    help: ArgumentHelp("Also write it as one HTML page, to be opened from the file.", valueName: "file"),
    completion: .file())
  var report: String?
  @Option(
    help: ArgumentHelp("Compare each trace with the one that is kept in this folder.", valueName: "folder"),
    completion: .directory)
  var golden: String?
  @Flag(help: "With --golden: write the traces anew, and remove those of scenarios that are no more.") var update =
    false
  @Option(
    help: ArgumentHelp("Write each scenario's trace to this folder, JSON Lines.", valueName: "folder"),
    completion: .directory)
  var trace: String?
  @OptionGroup var coverage: CoverageOptions
  @OptionGroup var defined: DefineOptions
  @OptionGroup var envFiles: EnvFileOptions
  @OptionGroup var variables: VariableOptions
  @OptionGroup var secrets: SecretOptions
  @OptionGroup var trust: TrustOptions
  @Flag(help: "Register unknown tenants, user flows, and APIs automatically.") var noStrict = false
  @Option(help: "text, or json for the whole result.") var format: OutputFormat = .text
  @Flag(help: "Only failures: no summary where there are none, and no table of coverage.") var quiet = false
  @Flag(name: .shortAndLong, help: "Also name each scenario that passed.") var verbose = false
  @Flag(help: "Name the scenarios that would be run, and run none.") var list = false

  func perform(in session: Session) async throws(ExitStatus) {
    try checkOptions(in: session)
    let session = try await secrets.take(in: variables.take(in: envFiles.take(in: trust.take(in: session))))
    let definitions = try defined.definitions(in: session)
    let (part, source) = try chosenShard(in: session)
    let files = try SuiteFiles(
      paths.isEmpty ? ["."] : paths, definitions: definitions, isStrict: !noStrict, in: session)
    var selection = SuiteSelection()
    selection.filters = filter
    selection.tags = tags.flatMap { $0.split(separator: ",").map(String.init) }
    selection.shard = part
    selection.seed = shuffle.map {
      $0 == OptionalValueArguments.anySeed ? String(session.world.randomness.number(below: 1_000_000)) : $0
    }
    let chosen = selection.chosen(of: files.cases)
    try checkChoice(chosen, files, in: session)
    let entries = selection.ordered(chosen)
    try checkCoverage(chosen, part, in: session)
    if list { return tell(entries, in: session) }
    if !quiet { tellSetting(files, part, source, selection.seed, in: session) }

    var suite = SuiteResult(tool: "authflow \(Version.text)", started: session.world.clock.now)
    let processors = jobs ?? session.world.environment.processors
    suite.jobs = min(processors, max(1, entries.count))
    suite.repeats = `repeat`
    suite.seed = selection.seed
    suite.shard = part
    suite.fingerprint = SuiteSelection.fingerprint(chosen)
    suite.chosen = chosen.count
    var runner = SuiteRunner(world: session.world, tool: suite.tool)
    runner.jobs = processors
    runner.isFailFast = failFast
    runner.repeats = `repeat`
    runner.excerptWidth = session.style(for: .output).width - 12
    let counted = coverage.isWanted ? SuiteCoverage(chosen) : nil
    if let counted { runner.onReport = counted.take }
    let goldens = golden.map { GoldenFolder($0, world: session.world, updates: update) }
    let traces = trace.map { TraceFolder($0, world: session.world) }
    try prepare(goldens, traces, in: session)
    if let goldens { runner.judges.append(goldens.judge) }
    if let traces {
      runner.judges.append { entry, events, _ in
        traces.keep(entry, events)
        return []
      }
    }
    (suite.tests, suite.ending) = await run(runner, entries, in: session)
    suite.duration = session.world.clock.now - suite.started
    suite.coverage = counted?.records
    let kept = tell(goldens, traces, files, suite.ending, in: session)
    try SuiteOutput(
      session: session, format: format, isQuiet: quiet, isVerbose: verbose, junit: junit, tap: tap, json: json,
      report: report, coverage: coverage
    ).tell(suite, goldens: kept)
  }

  /// Runs them, with their progress on a terminal.
  private func run(
    _ runner: SuiteRunner, _ entries: [SuiteEntry], in session: Session
  ) async -> (tests: [TestResult], ending: SuiteResult.Ending) {
    let watch = SuiteProgressReporter(total: entries.count, in: session)
    guard !quiet, let region = LiveRegion(in: session, lines: watch.lines) else {
      return await runner.run(entries)
    }
    return await region.during { await runner.run(entries, tell: watch.take) }
  }

  private func prepare(
    _ goldens: GoldenFolder?, _ traces: TraceFolder?, in session: Session
  ) throws(ExitStatus) {
    do throws(FileFailure) {
      try goldens?.prepare()
      try traces?.prepare()
    } catch {
      session.printStatus("error: \(error.explanation)")
      throw .environmentFailure
    }
    if let goldens, !update, session.world.files.kind(of: goldens.path) != .directory {
      session.printStatus(
        "error: \(CaretFrame.visible(goldens.path)) is no folder\n  help: --update writes the goldens there")
      throw .usageError
    }
  }

  /// What became of the folders of traces.
  private func tell(
    _ goldens: GoldenFolder?, _ traces: TraceFolder?, _ files: SuiteFiles, _ ending: SuiteResult.Ending,
    in session: Session
  ) -> ExitStatus {
    if let goldens {
      // Whoever ends a run early wants nothing of it removed.
      let removes = update && ending == .complete
      let stale = goldens.stale(among: files.cases, files: files.names, removes: removes)
      for file in stale where removes || !update {
        session.printStatus(
          removes
            ? "removed \(CaretFrame.visible(file)): its scenario is no more"
            : "warning: \(CaretFrame.visible(file)) is the golden of a scenario that is no more; --update removes it")
      }
      for scenario in goldens.withheld {
        session.printStatus("not written: \(CaretFrame.visible(scenario)) did not pass, and its golden stays as it was")
      }
      if update, !quiet {
        let (written, unchanged) = goldens.counts
        let removed = removes ? "\(stale.count) removed" : "nothing removed, because not everything was run"
        session.printStatus("goldens: \(written) written, \(unchanged) as they were, \(removed)")
      }
    }
    guard let failure = goldens?.failure ?? traces?.failure else { return .success }
    session.printStatus("error: not every trace could be written: \(failure.explanation)")
    return .environmentFailure
  }

  private func checkOptions(in session: Session) throws(ExitStatus) {
    var mistake: String?
    if let jobs, jobs < 1 { mistake = "--jobs \(jobs) runs nothing: give 1 or more" }
    if `repeat` < 1 { mistake = "--repeat \(`repeat`) runs nothing: give 1 or more" }
    if quiet, verbose { mistake = "--quiet and --verbose contradict each other" }
    if filter.contains("") { mistake = "--filter is empty: leave it out to run all scenarios" }
    if update, golden == nil { mistake = "--update goes with --golden" }
    mistake = mistake ?? coverage.mistake ?? SuiteOutput.mistake(format: format, tap: tap)
    if let mistake {
      session.printStatus("error: \(mistake)")
      throw .usageError
    }
  }

  private func chosenShard(
    in session: Session
  ) throws(ExitStatus) -> (shard: SuiteResult.Shard?, source: String?) {
    do throws(ShardSpecification.Mistake) {
      if let shard { return (try ShardSpecification.parse(shard), nil) }
      guard let found = try ShardSpecification.found(in: session.world.environment) else { return (nil, nil) }
      return (found.shard, found.source)
    } catch {
      session.printStatus("error: \(error.words)\n  help: --shard 1/1 runs everything on this machine")
      throw .usageError
    }
  }

  /// A part of the scenarios covers only a part.
  private func checkCoverage(
    _ chosen: [SuiteEntry], _ part: SuiteResult.Shard?, in session: Session
  ) throws(ExitStatus) {
    let files = chosen.reduce(into: [String]()) {
      if !$0.contains($1.test.workflowFile) { $0.append($1.test.workflowFile) }
    }
    var mistake = coverage.mistake(drawing: files)
    if coverage.coverageMin != nil, let part, part.total > 1 {
      mistake =
        "--coverage-min cannot judge shard \(part.words)\n  help: give it to authflow merge, with what --json wrote"
    }
    guard let mistake else { return }
    session.printStatus("error: \(mistake)")
    throw .usageError
  }

  /// Nothing to run is a mistake, unless another machine has it.
  private func checkChoice(
    _ chosen: [SuiteEntry], _ files: SuiteFiles, in session: Session
  ) throws(ExitStatus) {
    guard chosen.isEmpty else { return }
    var text: String
    if files.cases.isEmpty {
      let places = (paths.isEmpty ? ["."] : paths).map { CaretFrame.visible($0) }.joined(separator: ", ")
      text = "error: there is no workflow with scenarios in \(places)"
      if !files.withoutScenarios.isEmpty {
        text += "\n  help: \(files.withoutScenarios.map { CaretFrame.visible($0) }.joined(separator: ", ")) has none"
      } else {
        text += "\n  help: a workflow has the key `authflow: 1`, and says what to test under `scenarios:`"
      }
    } else {
      text = "error: none of \(files.cases.count) scenarios is meant by"
      text += (filter.map { " --filter \(ShellWord.quoted($0))" } + tags.map { " --tags \($0)" }).joined()
      let names = files.cases.flatMap { [$0.title, $0.shortTitle, $0.name] }
      let nearest = filter.lazy.compactMap { Suggestion.nearest(to: $0, among: names) }.first
      if let nearest {
        text += "\n  help: did you mean \(ShellWord.quoted(nearest))?"
      } else {
        text += "\n  help: --list names them"
      }
    }
    session.printStatus(text)
    throw .usageError
  }

  private func tell(_ entries: [SuiteEntry], in session: Session) {
    guard format == .text else {
      return session.printLine(SuiteJSON.listing(entries.map(\.listed)).text(pretty: true), as: .json)
    }
    session.printLine(entries.map { CaretFrame.visible($0.test.title) + "\n" }.joined())
  }

  /// What nobody said on the command line, and decides what is run.
  private func tellSetting(
    _ files: SuiteFiles, _ part: SuiteResult.Shard?, _ source: String?, _ seed: String?, in session: Session
  ) {
    for file in files.withoutScenarios {
      session.printStatus("note: \(CaretFrame.visible(file)) has no scenarios")
    }
    if let part, let source { session.printStatus("note: shard \(part.words), as \(source) says") }
    if let seed { session.printStatus("note: shuffled; --shuffle=\(seed) gives this order again") }
  }
}
