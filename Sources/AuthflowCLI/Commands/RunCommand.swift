import AppRegistration
import ArgumentParser
import Diagnostics
import Documents
import Effects
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
    commandName: "run", abstract: "Runs a workflow and shows each step, its outcome and why.",
    discussion: """
      On the embedded platform (the default) nothing leaves the process. The token cache lives between runs, so the \
      second run of a workflow without sign-out is silent; --fresh starts with everything empty and leaves the kept \
      cache alone.

      --record writes what the app and its browser exchange with the platform to a recording, in which every token, code and \
      password is replaced by a placeholder. Names and mail addresses of people stay: look through a recording of a live tenant \
      before you share it. --platform replay:FILE plays a recording offline, with tokens issued anew on today's clock. Both \
      start with an empty cache, as --fresh does, and keep nothing.

      Example: authflow run Workflows/me.yaml
      """)

  @Argument(help: "The workflow, or a scenarios file: YAML, JSON, or a property list.", completion: .file())
  var file: String
  @Option(help: ArgumentHelp("Run this scenario, in a world of its own, as authflow test does.", valueName: "name"))
  var scenario: String?
  @Option(help: "emulated, live, or replay:FILE for a recorded recording; the workflow's own choice otherwise.")
  var platform: RunPlatform?
  @Option(help: "Who sits at the keyboard: a username.") var user: String?
  @Option(help: ArgumentHelp("A value for an input; may be repeated.", valueName: "name=value")) var set: [String] = []
  @OptionGroup var given: SettingsOptions
  @OptionGroup var variables: VariableOptions
  @OptionGroup var secrets: SecretOptions
  @OptionGroup var outputs: OutputOptions
  @OptionGroup var hosts: HostOptions
  @OptionGroup var trust: TrustOptions
  @Flag(help: "Start with a private, empty cache and platform.") var fresh = false
  @Option(
    help: ArgumentHelp(
      "Keep the token cache elsewhere: in a folder, in a cache file of any MSAL, or in the system's keyring.",
      valueName: "folder|file|keyring"), completion: .file())
  var cache: String?
  @Flag(help: "Stop before each step; there, ask why the run came here and what is there for the step.") var step =
    false
  @Option(
    help: ArgumentHelp("Record a recording that can be replayed, without its secrets.", valueName: "file"),
    completion: .file())
  var record: String?
  @Option(help: ArgumentHelp("Write the trace, JSON Lines, as it happens.", valueName: "file"), completion: .file())
  var trace: String?
  @Option(
    help: ArgumentHelp("Write the run as one HTML page, to be opened from the file.", valueName: "file"),
    completion: .file())
  var report: String?
  @OptionGroup var browser: BrowserOptions
  @Flag(name: .shortAndLong, help: "Also show every check and each HTTP exchange.") var verbose = false
  @Option(help: "text, or json for the run's record at the end.") var format: OutputFormat = .text

  func perform(in session: Session) async throws(ExitStatus) {
    guard let report else { return try await perform(in: session, page: nil) }
    let page = try RunPageFile(report, in: session)
    var ending: ExitStatus?
    do throws(ExitStatus) { try await perform(in: session, page: page) } catch { ending = error }
    // A run that failed or was interrupted is the one that people want to look at.
    do throws(ExitStatus) { try page.write() } catch { ending = ending ?? error }
    if let ending { throw ending }
  }

  private func perform(in session: Session, page: RunPageFile?) async throws(ExitStatus) {
    let granting = try outputs.take(in: hosts.take(in: trust.take(in: session)))
    var session = try variables.take(in: given.take(in: granting).session)
    let definitions = try given.defined.definitions(in: session)
    let input = try WorkflowInput.load(
      file, definitions: definitions, environment: given.environment, platform: platform?.forWorkflow,
      scenarios: scenario.map { .one($0) } ?? .none(by: "run"), toleratingFailures: scenario != nil,
      acceptsLoopbackRedirect: browser.choice == .system, in: session)
    if let scenario {
      try checkOptions(besides: scenario, in: session)
      session = try await secrets.take(in: session)
      return try await perform(scenario, of: input, page: page, in: session)
    }
    let (values, problems) = input.workflow.inputs(parsing: set)
    guard problems.isEmpty else {
      for problem in problems { session.printStatus("error: \(problem)") }
      throw .usageError
    }
    let choice = try platformChoice(of: input.workflow, in: session)
    var options = try runOptions(choice, in: session)
    session = try await secrets.take(in: session)
    if choice == .live {
      session.printStatus(LiveAccess(input, named: file, grants: session.world.environment.grants).text)
    }
    let output = RunOutput(file: try openTrace(in: session), page: page)
    defer { output.file?.close() }
    let recordings = try RunRecordings(played: choice.recording, recorded: record, in: session)
    defer { recordings.close() }
    options.recording = recordings.played
    let run = try RunSession(input, options, in: session)
    let writer = recordings.writer(clock: run.builder.world.clock, platform: choice.name)
    let (result, notKept) = try await perform(run, input, values, writer, output, in: session)
    guard !Task.isCancelled, result.ending.outcome != "interrupted" else { throw .interrupted }
    try conclude(result, run.builder, notKept, isLive: choice == .live, in: session)
    if let failure = writer?.failure {
      session.printStatus("error: the recording is not whole: \(failure.explanation)")
      throw .environmentFailure
    }
    try output.check(in: session)
  }

  private func runOptions(_ choice: RunPlatform, in session: Session) throws(ExitStatus) -> RunOptions {
    let pages = choice.recording == nil ? BrowserOptions.embedded : "a recording has no pages"
    if let problem = browser.problem(choice == .live ? nil : pages) {
      session.printStatus("error: \(problem)")
      throw .usageError
    }
    guard user?.isEmpty != true else {
      session.printStatus("error: --user names nobody\n  help: give a username, as in --user megan@contoso.com")
      throw .usageError
    }
    // A recording begins where nobody has signed in yet, and so does its replay.
    let isFresh = fresh || record != nil || choice.recording != nil
    if isFresh, cache != nil {
      let reason = fresh ? "--fresh keeps nothing" : "a recording starts with an empty cache"
      session.printStatus("note: \(reason), so --cache is left aside")
    }
    return RunOptions(isLive: choice == .live, browser: browser, cache: cache, isFresh: isFresh, user: user)
  }

  private func perform(
    _ run: RunSession, _ input: LoadedWorkflow, _ values: OrderedDictionary<String, JSON>, _ writer: RecordingWriter?,
    _ output: RunOutput, in session: Session
  ) async throws(ExitStatus) -> (result: RunResult, notKept: ExitStatus?) {
    let clock = run.builder.world.clock
    let reporter = consoleReporter(clock: clock, isLive: run.builder.isLive, in: session)
    let prompt = step ? StepPrompt(input.workflow, assembly: run.builder, in: session) : nil
    let recorder = TraceRecorder(
      clock: clock,
      sink: { event in
        prompt?.hear(event)
        reporter?.tell(event)
        output.take(event)
      }, secretSink: writer?.secretSink)
    var setup = run.builder.setup(inputs: values, trace: recorder)
    setup.outputs = OutputLedger(in: session)
    if let writer { setup.record(with: writer) }
    if let prompt { setup.mayPerform = { step, _ in await prompt.mayPerform(step) } }
    // What is asked at a prompt is not to be written over.
    let watcher = prompt == nil ? reporter : nil
    let ended = try await run.perform(WorkflowRun(input.workflow, setup: setup, trace: recorder)) {
      run throws(RunFailure) in try await watching(watcher, run)
    }
    if format == .json { session.printLine(ended.result.json { recorder.mask($0) }.text(pretty: true), as: .json) }
    return ended
  }

  /// Reports what the run says about its surroundings.
  /// - Throws: How the command ends, if the run did not succeed.
  private func conclude(
    _ result: RunResult, _ builder: RunBuilder, _ notKept: ExitStatus?, isLive: Bool, in session: Session
  ) throws(ExitStatus) {
    if let replayed = builder.replayed {
      session.tell(replayed, verbose: verbose)
      // What a workflow makes of a request that was not recorded says nothing about the platform.
      guard replayed.misses.isEmpty else { throw .failed }
    }
    let isOutside = session.tellsOfSurroundings(of: result, builder)
    guard result.succeeded else {
      // On the embedded platform a workflow has made it so.
      if isOutside || notKept != nil || isLive && result.ending.outcome == "offline" { throw .environmentFailure }
      guard result.ending.outcome == "noViewController", let reason = builder.browserFailure else { throw .failed }
      session.printStatus("error: \(reason)")
      throw .environmentFailure
    }
    guard !isOutside else { throw .environmentFailure }
    if let notKept { throw notKept }
  }

  /// One scenario: its world is its own, so nothing on the command line can change that.
  private func perform(
    _ scenario: String, of input: LoadedWorkflow, page: RunPageFile?, in session: Session
  ) async throws(ExitStatus) {
    let output = RunOutput(file: try openTrace(in: session), page: page)
    defer { output.file?.close() }
    let reporter = consoleReporter(clock: nil, in: session)
    try await RunScenario(
      session: session, input: input, name: scenario, format: format,
      sink: { event in
        reporter?.tell(event)
        output.take(event)
      }
    ).perform()
    try output.check(in: session)
  }

  private func checkOptions(besides scenario: String, in session: Session) throws(ExitStatus) {
    let others: [(String, Bool)] = [
      ("--platform", platform != nil), ("--user", user != nil), ("--set", !set.isEmpty), ("--cache", cache != nil),
      ("--step", step), ("--record", record != nil), ("--browser", browser.isSaid),
      ("--allow-host", !hosts.allowHost.isEmpty), ("--output", outputs.output != nil),
      ("--overwrite", outputs.overwrite),
    ]
    guard let other = others.first(where: \.1)?.0 else { return }
    session.printStatus("error: `\(other)` cannot be used with `--scenario`: a scenario runs in its own environment")
    throw .usageError
  }

  /// The platform of the command line, or that of the workflow. Only the user can choose the live service.
  private func platformChoice(of workflow: Workflow, in session: Session) throws(ExitStatus) -> RunPlatform {
    if let platform { return platform }
    switch workflow.platform {
    case .emulated, nil: return .emulated
    case .live:
      guard !session.allowsLive else { return .live }
      let violation = TrustViolation(
        .live, "the workflow selects the live service, and only you can do that",
        help: "pass `--platform live`, or `--platform emulated` to use the emulator")
      session.printStatus("error: \(violation.message)\n  help: \(violation.help)")
      throw .usageError
    case .replay(let recording):
      let file = workflow.document.source.name
      let path = SettingsLoader.path(recording, besides: file)
      guard let violation = ProjectRoots(of: [file], in: session.world).violation(reading: path) else {
        return .replay(path)
      }
      session.printStatus("error: \(violation.message)\n  help: \(violation.help)")
      throw .usageError
    }
  }

  private func openTrace(in session: Session) throws(ExitStatus) -> (any FileAppender)? {
    guard let trace else { return nil }
    try session.protect(trace, from: "--trace", kind: "trace") { start in
      start.hasPrefix("{") && start.contains(#""kind":""#) && start.contains(#""seq":"#)
    }
    do {
      return try session.world.files.appender(to: trace)
    } catch {
      session.printStatus("error: the trace cannot be written: \(error.explanation)")
      throw .environmentFailure
    }
  }

  private func watching(_ teller: RunConsoleReporter?, _ run: WorkflowRun) async throws(RunFailure) -> RunResult {
    guard let teller else { return try await run.run() }
    return try await teller.watching {
      do throws(RunFailure) { return Result<RunResult, RunFailure>.success(try await run.run()) } catch {
        return .failure(error)
      }
    }.get()
  }

  private func consoleReporter(clock: (any WorldClock)?, isLive: Bool = false, in session: Session)
    -> RunConsoleReporter?
  {
    guard format == .text else { return nil }
    return RunConsoleReporter(detail: verbose ? .verbose : .normal, clock: clock, showsCodes: isLive, in: session)
  }
}

/// The files that a run is written to while it goes on.
private struct RunOutput: Sendable {
  /// The trace.
  let file: (any FileAppender)?
  let page: RunPageFile?
  private let failure = SharedFailure()

  init(file: (any FileAppender)?, page: RunPageFile?) {
    self.file = file
    self.page = page
  }

  func take(_ event: TraceEvent) {
    page?.take(event)
    // A full disk must not end a sign-in; what was written stays readable.
    do throws(FileFailure) { try file?.append(Array(event.line.utf8)) } catch { failure.note(error) }
  }

  /// - Throws: `.environmentFailure` if a line of the trace could not be written.
  func check(in session: Session) throws(ExitStatus) {
    guard let first = failure.first else { return }
    session.printStatus("error: the trace is not whole: \(first.explanation)")
    throw .environmentFailure
  }

  /// The first failure, if any.
  private final class SharedFailure: Sendable {
    private let failure = Mutex<FileFailure?>(nil)
    var first: FileFailure? { failure.withLock { $0 } }
    func note(_ failure: FileFailure) { self.failure.withLock { if $0 == nil { $0 = failure } } }
  }
}

enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

extension RunResult {
  /// The record that `run --format json` prints.
  /// - Parameter masking: replaces the secrets in a text.
  func json(masking: (String) -> String) -> JSON {
    var json: JSON = [
      "outcome": .string(ending.outcome), "succeeded": .bool(succeeded), "path": .array(path.map { .string($0) }),
      "interactions": .integer(Int64(interactions)),
    ]
    if let reason = ending.explanation { json["reason"] = .string(masking(reason)) }
    if let step = ending.step { json["step"] = .string(step) }
    return json
  }
}
