import AppRegistration
import ArgumentParser
import Recordings
import Diagnostics
import Documents
import Effects
import LiveWorld
import OrderedCollections
import UserSimulation
import PublicClient
import Reports
import RunTrace
import Synchronization
import TokenCache
import Trust
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
    let pages = choice.recording == nil ? BrowserOptions.embedded : "a recording has no pages"
    if let problem = browser.problem(choice == .live ? nil : pages) {
      session.printStatus("error: \(problem)")
      throw .usageError
    }
    // A recording begins where nobody has signed in yet, and so does its replay.
    let fresh = self.fresh || record != nil || choice.recording != nil
    if fresh, cache != nil {
      let reason = self.fresh ? "--fresh keeps nothing" : "a recording starts with an empty cache"
      session.printStatus("note: \(reason), so --cache is left aside")
    }
    guard user?.isEmpty != true else {
      session.printStatus("error: --user names nobody\n  help: give a username, as in --user megan@contoso.com")
      throw .usageError
    }
    session = try await secrets.take(in: session)
    if choice == .live {
      session.printStatus(LiveAccess(input, named: file, grants: session.world.environment.grants).text)
    }
    let traceFile = try openTrace(in: session)
    defer { traceFile?.close() }
    let recordings = try RunRecordings(played: choice.recording, recorded: record, in: session)
    defer { recordings.close() }

    let standard = standardFolder(input, choice, session)
    let place = fresh ? nil : CachePlace(cache, standard: standard, in: session.world)
    if let note = place?.note { session.printStatus("note: \(note)") }
    if let place { try session.prepare(place.folder ?? standard) }
    let assembly = RunBuilder(
      session: session, input: input, isLive: choice == .live, recording: recordings.played,
      folder: fresh ? nil : place?.folder ?? standard, place: place, browser: browser, user: user)
    do throws(TokenCacheFailure) {
      if let moved = try assembly.checkCache() { session.printStatus("warning: \(moved.explanation)") }
    } catch {
      session.printStatus("error: \(place?.path ?? ""): \(error.explanation)\n  help: --fresh runs without it")
      throw .environmentFailure
    }
    let loss = TraceWriteError()
    let writer = recordings.writer(clock: assembly.world.clock, platform: choice.name)
    let teller = storyTeller(clock: assembly.world.clock, isLive: choice == .live, in: session)
    let prompt = step ? StepPrompt(input.workflow, assembly: assembly, in: session) : nil
    let sink = sink(teller, traceFile, page, loss)
    let recorder = TraceRecorder(
      clock: assembly.world.clock,
      sink: { event in
        prompt?.hear(event)
        sink(event)
      }, secretSink: writer?.secretSink)
    var setup = assembly.setup(inputs: values, trace: recorder)
    setup.outputs = OutputLedger(in: session)
    if let writer { setup.record(with: writer) }
    if let prompt { setup.mayPerform = { step, _ in await prompt.mayPerform(step) } }
    let outcome: RunResult
    do throws(RunFailure) {
      let run = WorkflowRun(input.workflow, setup: setup, trace: recorder)
      // What is asked at a prompt is not to be written over.
      outcome = try await watching(prompt == nil ? teller : nil, run)
    } catch {
      throw session.tell(error)
    }
    // That it could not be kept hides nothing of how the run went.
    var notKept: ExitStatus?
    do throws(ExitStatus) { try assembly.save(in: session) } catch { notKept = error }
    if format == .json { session.printLine(outcome.json { recorder.mask($0) }.text(pretty: true), as: .json) }
    guard !Task.isCancelled, outcome.ending.outcome != "interrupted" else { throw .interrupted }
    if let replayed = assembly.replayed {
      session.tell(replayed, verbose: verbose)
      // What a workflow makes of a request that was not recorded says nothing about the platform.
      guard replayed.misses.isEmpty else { throw .failed }
    }
    let isOutside = session.tellsOfSurroundings(of: outcome, assembly)
    guard outcome.succeeded else {
      // On the embedded platform a workflow has made it so.
      if isOutside || notKept != nil
        || choice == .live && outcome.ending.outcome == "offline"
      {
        throw .environmentFailure
      }
      guard outcome.ending.outcome == "noViewController", let reason = assembly.browserFailure else { throw .failed }
      session.printStatus("error: \(reason)")
      throw .environmentFailure
    }
    guard !isOutside else { throw .environmentFailure }
    if let notKept { throw notKept }
    if let failure = writer?.failure {
      session.printStatus("error: the recording is not whole: \(failure.explanation)")
      throw .environmentFailure
    }
    if let failure = loss.first {
      session.printStatus("error: the trace is not whole: \(failure.explanation)")
      throw .environmentFailure
    }
  }

  /// One scenario: its world is its own, so nothing on the command line can change that.
  private func perform(
    _ scenario: String, of input: LoadedWorkflow, page: RunPageFile?, in session: Session
  ) async throws(ExitStatus) {
    let traceFile = try openTrace(in: session)
    defer { traceFile?.close() }
    let loss = TraceWriteError()
    try await RunScenario(
      session: session, input: input, name: scenario, format: format,
      sink: sink(storyTeller(clock: nil, in: session), traceFile, page, loss)
    ).perform()
    if let failure = loss.first {
      session.printStatus("error: the trace is not whole: \(failure.explanation)")
      throw .environmentFailure
    }
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

  private func standardFolder(
    _ input: LoadedWorkflow, _ choice: RunPlatform, _ session: Session
  ) -> StateFolder {
    let environment = session.world.environment
    let place =
      choice == .live
      ? "live"
      : StateFolder.place(forDirectory: input.directoryPath, workingDirectory: environment.workingDirectory)
    return StateFolder(environment: environment, place: place)
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

  private func storyTeller(clock: (any WorldClock)?, isLive: Bool = false, in session: Session) -> RunConsoleReporter? {
    guard format == .text else { return nil }
    return RunConsoleReporter(detail: verbose ? .verbose : .normal, clock: clock, showsCodes: isLive, in: session)
  }

  private func sink(
    _ teller: RunConsoleReporter?, _ file: (any FileAppender)?, _ page: RunPageFile?, _ loss: TraceWriteError
  ) -> @Sendable (TraceEvent) -> Void {
    { event in
      teller?.tell(event)
      page?.take(event)
      // A full disk must not end a sign-in; what was written stays readable.
      do throws(FileFailure) {
        try file?.append(Array(event.line.utf8))
      } catch {
        loss.note(error)
      }
    }
  }
}

/// The first line of a trace that could not be written, if any.
private final class TraceWriteError: Sendable {
  private let failure = Mutex<FileFailure?>(nil)
  var first: FileFailure? { failure.withLock { $0 } }
  func note(_ failure: FileFailure) { self.failure.withLock { if $0 == nil { $0 = failure } } }
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
