import AppRegistration
import ArgumentParser
import Diagnostics
import Documents
import Effects
import IdentityPlatform
import OrderedCollections
import PublicClient
import Recordings
import Reports
import RunTrace
import Synchronization
import TokenCache
import Trust
import UserSimulation
import WorkflowModel
import WorkflowRunner

struct RunCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run a workflow and explain each step",
    discussion: """
      By default, the workflow runs on the emulator and does not send requests over the network. The token cache is \
      saved between runs, so the second run of a workflow signs in silently. `--fresh` starts with empty, temporary \
      state.

      `--record` records the HTTP traffic of the app and its browser. Tokens, codes, and passwords are masked, but names \
      and email addresses are not: review a recording of a live tenant before you share it. `--platform replay:FILE` \
      replays a recording offline, with new tokens for the current time. Recordings and replays use empty, \
      temporary state.

      `--watch` runs the workflow again when the workflow or a file that it refers to changes, until you press `q` or Ctrl-C.

      Examples:
        authflow run Workflows/me.yaml
        authflow run Workflows/me.yaml --fresh --trace trace.jsonl
      """)

  @Argument(help: "Workflow or scenarios file: YAML, JSON, or a property list", completion: .file())
  var file: String
  @Option(help: ArgumentHelp("Run this scenario in isolation, like `authflow test`", valueName: "name"))
  var scenario: String?
  @Option(help: "Select the platform (default: the workflow's, or emulated)")
  var platform: RunPlatform?
  @Option(help: ArgumentHelp("Sign in as this user", valueName: "username")) var user: String?
  @Option(help: ArgumentHelp("Set a workflow input (repeatable)", valueName: "name=value"))
  var set: [String] = []
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var variables: VariableOptions
  @OptionGroup var secrets: SecretOptions
  @OptionGroup var outputs: OutputOptions
  @OptionGroup var hosts: HostOptions
  @OptionGroup var trust: TrustOptions
  @Flag(help: "Start with empty, temporary state") var fresh = false
  @Option(
    help: ArgumentHelp(
      "Use the token cache in this folder or file, or in the keyring", valueName: "folder|file|keyring"),
    completion: .file())
  var cache: String?
  @Flag(help: "Pause before each step to inspect the run") var step = false
  @Option(
    help: ArgumentHelp("Record HTTP traffic for replay, with secrets masked", valueName: "file"),
    completion: .file())
  var record: String?
  @Option(help: ArgumentHelp("Write the trace as JSON Lines during the run", valueName: "file"), completion: .file())
  var trace: String?
  @Option(help: ArgumentHelp("Write an HTML report of the run", valueName: "file"), completion: .file())
  var report: String?
  @OptionGroup var browser: BrowserOptions
  @Flag(name: .shortAndLong, help: "Show all checks and HTTP exchanges") var verbose = false
  @Option(help: "Select the output format (JSON is printed when the run ends)") var format: OutputFormat = .text
  @Flag(help: "Run again when files change") var watch = false

  func perform(in session: Session) async throws(ExitStatus) {
    guard watch else { return try await performOnce(in: session) }
    let options: [(String, Bool)] = [
      ("--step", step), ("--record", record != nil), ("--platform live", platform == .live),
      ("--browser", browser.isSpecified), ("-", file == "-"),
    ]
    if let option = options.first(where: \.1)?.0 {
      throw session.report(.usageError, "`\(option)` and `--watch` cannot be used together")
    }
    try WatchLoop.require([file], in: session)
    try await WatchLoop(session: session, system: session.watchSystem).run(RunWatch(self, in: session))
  }

  /// Runs the workflow and writes the report.
  func performOnce(in session: Session) async throws(ExitStatus) {
    guard let report else { return try await perform(in: session, page: nil) }
    let page = try RunPageFile(report, in: session)
    var failure: ExitStatus?
    do throws(ExitStatus) { try await perform(in: session, page: page) } catch { failure = error }
    // Also write the report if the run fails or is interrupted.
    do throws(ExitStatus) { try page.write() } catch { failure = failure ?? error }
    if let failure { throw failure }
  }

  private func perform(in session: Session, page: RunPageFile?) async throws(ExitStatus) {
    var session = try outputs.apply(to: hosts.apply(to: trust.apply(to: session)))
    session = try variables.apply(to: settings.apply(to: session).session)
    let definitions = try settings.defined.definitions(in: session)
    let input = try WorkflowInput.load(
      file, definitions: definitions, scenarios: scenario.map { .one($0) } ?? .unread,
      options: .init(
        environment: settings.environment, platform: platform?.forWorkflow, toleratesFailures: scenario != nil,
        acceptsLoopbackRedirect: browser.choice == .system),
      in: session)
    if let scenario {
      try checkScenarioOptions(in: session)
      session = try await secrets.apply(to: session)
      return try await perform(scenario, of: input, page: page, in: session)
    }
    let (values, problems) = input.workflow.inputs(parsing: set)
    guard problems.isEmpty else {
      for problem in problems { session.printStatus("error: \(problem)") }
      throw .usageError
    }
    let choice = try platformChoice(of: input.workflow, in: session)
    var options = try runOptions(choice, in: session)
    session = try await secrets.apply(to: session)
    if choice == .live {
      session.printStatus(LiveAccess(input, named: file, grants: session.world.environment.grants).text)
    }
    let output = RunOutput(file: try openTrace(in: session), page: page)
    defer { output.file?.close() }
    let recordings = try RunRecordings(replaying: choice.recording, recordingTo: record, in: session)
    defer { recordings.close() }
    options.recording = recordings.replayed
    let run = try RunSession(input, options, in: session)
    let writer = recordings.writer(clock: run.builder.world.clock, platform: choice.name)
    let (result, saveFailure) = try await perform(run, input, values, writer, output, in: session)
    guard !Task.isCancelled, result.ending.outcome != .interrupted else { throw .interrupted }
    try checkResult(result, run.builder, saveFailure, isLive: choice == .live, in: session)
    if let failure = writer?.failure {
      throw session.report(.environmentFailure, "recording is incomplete: \(failure.explanation)")
    }
    try output.check(in: session)
  }

  private func runOptions(_ choice: RunPlatform, in session: Session) throws(ExitStatus) -> RunOptions {
    let reason = choice.recording == nil ? BrowserOptions.emulatorPagesReason : "a recording does not contain pages"
    if let problem = browser.problem(systemBrowserUnavailable: choice == .live ? nil : reason) {
      throw session.report(.usageError, problem)
    }
    guard user?.isEmpty != true else {
      throw session.report(.usageError, "`--user` is empty", help: "pass a username, as in `--user megan@contoso.com`")
    }
    // Recordings and replays start without a signed-in account.
    let isFresh = fresh || record != nil || choice.recording != nil
    if isFresh, cache != nil {
      let option = fresh ? "--fresh" : record != nil ? "--record" : "--platform replay"
      session.printStatus("note: `--cache` is ignored, because `\(option)` uses a temporary cache")
    }
    return RunOptions(isLive: choice == .live, browser: browser, cache: cache, isFresh: isFresh, user: user)
  }

  private func perform(
    _ run: RunSession, _ input: LoadedWorkflow, _ values: OrderedDictionary<String, JSON>, _ writer: RecordingWriter?,
    _ output: RunOutput, in session: Session
  ) async throws(ExitStatus) -> (result: RunResult, saveFailure: ExitStatus?) {
    let clock = run.builder.world.clock
    let reporter = consoleReporter(clock: clock, isLive: run.builder.isLive, in: session)
    let prompt = step ? StepPrompt(input.workflow, builder: run.builder, in: session) : nil
    let recorder = TraceRecorder(
      clock: clock,
      sink: { event in
        prompt?.record(event)
        reporter?.report(event)
        output.append(event)
      }, secretSink: writer?.secretSink)
    var setup = run.builder.setup(inputs: values, trace: recorder)
    setup.outputs = OutputLedger(in: session)
    if let writer { setup.record(with: writer) }
    setup.debugger = prompt
    // Progress lines would overwrite the prompt.
    let progressReporter = prompt == nil ? reporter : nil
    let finished = try await run.perform(WorkflowRun(input.workflow, setup: setup, trace: recorder)) {
      run throws(RunFailure) in try await showingProgress(progressReporter, run)
    }
    if format == .json { session.printJSON(finished.result.json { recorder.mask($0) }) }
    return finished
  }

  /// Reports environment failures and the unmatched requests of a replay.
  /// - Throws: The exit status if the run failed or its state could not be saved.
  private func checkResult(
    _ result: RunResult, _ builder: RunBuilder, _ saveFailure: ExitStatus?, isLive: Bool, in session: Session
  ) throws(ExitStatus) {
    if let replayed = builder.replayed {
      session.reportReplay(replayed, verbose: verbose)
      // After an unmatched request, the outcome of the workflow is meaningless.
      guard replayed.unmatchedRequests.isEmpty else { throw .failed }
    }
    let hasEnvironmentFailure = session.reportEnvironmentFailures(of: result, builder)
    guard result.succeeded else {
      // On the emulator, `offline` is a simulated outcome, not an environment error.
      if hasEnvironmentFailure || saveFailure != nil || isLive && result.ending.outcome == .offline {
        throw .environmentFailure
      }
      guard result.ending.outcome == .internal(.noViewController), let reason = builder.browserFailure else {
        throw .failed
      }
      throw session.report(.environmentFailure, reason)
    }
    guard !hasEnvironmentFailure else { throw .environmentFailure }
    if let saveFailure { throw saveFailure }
  }

  /// Runs one scenario in its isolated environment.
  private func perform(
    _ scenario: String, of input: LoadedWorkflow, page: RunPageFile?, in session: Session
  ) async throws(ExitStatus) {
    let output = RunOutput(file: try openTrace(in: session), page: page)
    defer { output.file?.close() }
    let reporter = consoleReporter(clock: nil, in: session)
    try await RunScenario(
      session: session, input: input, name: scenario, format: format,
      sink: { event in
        reporter?.report(event)
        output.append(event)
      }
    ).perform()
    try output.check(in: session)
  }

  /// Rejects options that do not apply to a scenario.
  private func checkScenarioOptions(in session: Session) throws(ExitStatus) {
    let options: [(String, Bool)] = [
      ("--platform", platform != nil), ("--user", user != nil), ("--set", !set.isEmpty), ("--cache", cache != nil),
      ("--step", step), ("--record", record != nil), ("--browser", browser.isSpecified),
      ("--allow-host", !hosts.allowHost.isEmpty), ("--output", outputs.output != nil),
      ("--overwrite", outputs.overwrite),
    ]
    guard let option = options.first(where: \.1)?.0 else { return }
    throw session.report(
      .usageError, "`\(option)` and `--scenario` cannot be used together: a scenario runs in isolation")
  }

  /// Returns the platform from the command line, or the workflow's platform.
  /// - Throws: `.usageError` if the workflow selects the live service without the user's permission.
  private func platformChoice(of workflow: Workflow, in session: Session) throws(ExitStatus) -> RunPlatform {
    if let platform { return platform }
    switch workflow.platform {
    case .emulated, nil: return .emulated
    case .live:
      guard !session.allowsLive else { return .live }
      let violation = TrustViolation(
        .live, "the workflow selects the live service, but live runs require your permission",
        help: "pass `--platform live`, or `--platform emulated` to use the emulator")
      throw session.report(.usageError, violation.message, help: violation.help)
    case .replay(let recording):
      let file = workflow.document.source.name
      let path = SettingsLoader.path(recording, relativeTo: file)
      guard let violation = ProjectRoots(of: [file], in: session.world).violation(reading: path) else {
        return .replay(path)
      }
      throw session.report(.usageError, violation.message, help: violation.help)
    }
  }

  private func openTrace(in session: Session) throws(ExitStatus) -> (any FileAppender)? {
    guard let trace else { return nil }
    try session.protect(trace, from: "--trace", kind: "a trace") { start in
      start.hasPrefix("{") && start.contains(#""kind":""#) && start.contains(#""seq":"#)
    }
    do {
      return try session.world.files.appender(to: trace)
    } catch {
      throw session.report(.environmentFailure, "cannot write the trace: \(error.explanation)")
    }
  }

  private func showingProgress(
    _ reporter: RunConsoleReporter?, _ run: WorkflowRun
  ) async throws(RunFailure) -> RunResult {
    guard let reporter else { return try await run.run() }
    return try await reporter.showingProgress {
      do throws(RunFailure) { return Result<RunResult, RunFailure>.success(try await run.run()) } catch {
        return .failure(error)
      }
    }.get()
  }

  private func consoleReporter(clock: (any WorldClock)?, isLive: Bool = false, in session: Session)
    -> RunConsoleReporter?
  {
    guard format == .text else { return nil }
    return RunConsoleReporter(detail: verbose ? .verbose : .normal, clock: clock, showsQRCodes: isLive, in: session)
  }
}

/// The trace file and the HTML report of a run.
private struct RunOutput: Sendable {
  /// The trace file.
  let file: (any FileAppender)?
  let page: RunPageFile?
  private let failure = SharedFailure()

  init(file: (any FileAppender)?, page: RunPageFile?) {
    self.file = file
    self.page = page
  }

  func append(_ event: TraceEvent) {
    page?.append(event)
    // If the disk is full, the run continues, and the trace ends before this event.
    do throws(FileFailure) { try file?.append(Array(event.line.utf8)) } catch { failure.record(error) }
  }

  /// - Throws: `.environmentFailure` if a line of the trace could not be written.
  func check(in session: Session) throws(ExitStatus) {
    guard let first = failure.first else { return }
    throw session.report(.environmentFailure, "trace is incomplete: \(first.explanation)")
  }

  /// The first failure, if any.
  private final class SharedFailure: Sendable {
    private let failure = Mutex<FileFailure?>(nil)
    var first: FileFailure? { failure.withLock { $0 } }
    func record(_ failure: FileFailure) { self.failure.withLock { if $0 == nil { $0 = failure } } }
  }
}

enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

extension RunResult {
  /// Returns the result as `run --format json` prints it.
  /// - Parameter masking: A closure that replaces the secrets in text with placeholders.
  func json(masking: (String) -> String) -> JSON {
    var json: JSON = [
      "outcome": .string(ending.outcome.rawValue), "succeeded": .bool(succeeded),
      "path": .array(path.map { .string($0) }),
      "interactions": .integer(Int64(interactions)), "pages": .integer(Int64(pages)),
    ]
    if let reason = ending.explanation { json["reason"] = .string(masking(reason)) }
    if let step = ending.step { json["step"] = .string(step) }
    return json
  }
}
