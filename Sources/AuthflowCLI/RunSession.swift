import Effects
import Recordings
import TokenCache
import WorkflowModel
import WorkflowRunner

/// The options of a run.
struct RunOptions: Sendable {
  var isLive: Bool
  var browser: BrowserOptions
  /// The value of `--cache`.
  var cache: String?
  /// Whether the run uses empty, temporary state.
  var isFresh = false
  /// The recording to replay, if any.
  var recording: Recording?
  /// The value of `--user`.
  var user: String?
}

/// A run of the `run`, `token`, or `api` command, with its saved state.
struct RunSession: Sendable {
  let builder: RunBuilder
  private let session: Session

  /// Opens the saved state and checks the token cache.
  /// - Throws: `.environmentFailure` if the state folder or the token cache cannot be used. The reason has been
  ///   reported.
  init(_ input: LoadedWorkflow, _ options: RunOptions, in session: Session) throws(ExitStatus) {
    self.session = session
    let environment = session.world.environment
    let defaultFolder =
      options.isLive
      ? StateFolder.live(environment) : StateFolder.emulated(directory: input.directoryPath, environment)
    let location =
      options.isFresh ? nil : CacheLocation(options.cache, defaultFolder: defaultFolder, in: session.world)
    let folder = location.map { $0.folder ?? defaultFolder }
    if let note = location?.note { session.printStatus("note: \(note)") }
    if let folder { try session.prepare(folder) }
    builder = RunBuilder(input, options, folder: folder, cacheLocation: location, in: session)
    do throws(TokenCacheFailure) {
      if let file = try location?.quarantineIfCorrupt() { session.printStatus("warning: \(file.explanation)") }
    } catch {
      throw session.report(
        .environmentFailure, "\(location?.path ?? ""): \(error.explanation)",
        help: "use `run --fresh` to run without this cache")
    }
  }

  /// Runs the workflow and saves the state.
  /// - Parameter execute: A function that executes the run, for example while showing progress on a terminal.
  /// - Returns: The result, and the exit status if the state could not be saved.
  /// - Throws: The exit status if the run could not start. The reason has been reported.
  func perform(
    _ run: WorkflowRun,
    execute: (WorkflowRun) async throws(RunFailure) -> RunResult = { run throws(RunFailure) in
      try await run.run()
    }
  ) async throws(ExitStatus) -> (result: RunResult, saveFailure: ExitStatus?) {
    let result: RunResult
    do throws(RunFailure) { result = try await execute(run) } catch { throw session.report(error) }
    // A failure to save the state must not hide the result.
    do throws(ExitStatus) { try builder.save(in: session) } catch { return (result, error) }
    return (result, nil)
  }
}
